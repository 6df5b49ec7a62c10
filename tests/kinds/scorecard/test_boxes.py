"""What boxes give, and what the upper section earns."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from service.kinds.scorecard.boxes import (
    Fixed,
    LowerBox,
    Points,
    SumOfAll,
    SumOfPattern,
    UpperBonus,
)
from service.rules.house_rules import HouseRules, switch
from service.rules.patterns import Alike, Run


@dataclass(frozen=True)
class Rules(HouseRules):
    """A house rule that lets a box take other dice too."""

    wild: bool = switch(clause="W1", meaning="Three alike do, too.")


@pytest.mark.parametrize(
    ("points", "words", "fixed", "score"),
    [
        (Fixed(15), "15", 15, 15),
        (SumOfAll(), "the sum of all dice", None, 21),
        (SumOfAll(plus=5), "the sum of all dice and 5 more", None, 26),
        (SumOfPattern(), "the sum of the dice that make it", None, 10),
        (SumOfPattern(plus=5), "the sum of the dice that make it and 5 more", None, 15),
    ],
)
def test_points(points: Points, words: str, fixed: int | None, score: int) -> None:
    """A box gives fixed points, or the sum of all dice or of those that make it, and says which."""
    box = LowerBox("pair", Alike((2,)), points, "two alike", "B1")
    assert (box.points.words, box.points.fixed) == (words, fixed)
    assert box.score((5, 5, 1, 6, 4), HouseRules()) == score
    assert box.score((5, 3, 1, 6, 4), HouseRules()) == 0


def test_groups_take_the_highest_number_that_fits() -> None:
    """Of two pairs the higher one is the pair, and of three alike two are."""
    box = LowerBox("pair", Alike((2,)), SumOfPattern(), "two alike", "B1")
    assert box.score((3, 3, 5, 5, 5), HouseRules()) == 10


def test_one_particular_straight() -> None:
    """A straight with a fixed first number is not made by another sequence."""
    small = LowerBox("small", Run(5, start=1), Fixed(15), "1-2-3-4-5", "B1")
    assert small.score((5, 4, 3, 2, 1), HouseRules()) == 15
    assert small.score((6, 5, 4, 3, 2), HouseRules()) == 0


def test_several_patterns_of_a_box() -> None:
    """Of the patterns that a house rule adds, the one worth most counts."""
    also = {"wild": Alike((3,))}
    box = LowerBox("pair", Alike((2,)), SumOfPattern(), "two alike", "B1", also=also)
    assert box.score((4, 4, 4), Rules()) == 8
    assert box.score((4, 4, 4), Rules(wild=True)) == 12


def test_a_bonus_in_tiers() -> None:
    """The highest threshold that is reached counts."""
    bonus = UpperBonus({63: 35, 71: 55, 78: 75}, "B1")
    found = {
        upper: (bonus.reached(upper), bonus.points(upper)) for upper in (0, 62, 63, 70, 71, 105)
    }
    assert found == {
        0: (None, 0),
        62: (None, 0),
        63: (63, 35),
        70: (63, 35),
        71: (71, 55),
        105: (78, 75),
    }
