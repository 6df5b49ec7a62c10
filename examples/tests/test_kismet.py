"""Kismet: every roll in every box, and the bonus in tiers."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from dice_games.kismet import VARIANT

from service.kinds.scorecard.card import Card

UPPER = ("aces", "deuces", "treys", "fours", "fives", "sixes")


def scores(dice: tuple[int, ...]) -> dict[str, int]:
    """The points of `dice` in each box by the clauses, without the service (K2, K4, K5)."""
    counts = Counter(dice)
    total = sum(dice)
    most = max(counts.values())
    house = sorted(counts.values()) in ([2, 3], [5])
    pairs = {  # by colour: opposite sides add up to seven, and are of one colour
        colour: counts[colour] // 2 + counts[7 - colour] // 2 for colour in (1, 2, 3)
    }
    one_colour = len({min(number, 7 - number) for number in dice}) == 1
    straight = set(dice) in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})
    return {
        **{box: number * counts[number] for number, box in enumerate(UPPER, start=1)},
        "two_pair_same_colour": total if max(pairs.values()) == 2 else 0,
        "three_of_a_kind": total if most >= 3 else 0,
        "straight": 30 if straight else 0,
        "flush": 35 if one_colour else 0,
        "full_house": total + 15 if house else 0,
        "full_house_same_colour": total + 20 if house and one_colour else 0,
        "four_of_a_kind": total + 25 if most >= 4 else 0,
        "yarborough": total,
        "kismet": total + 50 if most == 5 else 0,
    }


def test_every_roll() -> None:
    """All 7,776 rolls score in each box as the clauses say (K2, K4, K5)."""
    for dice in product(range(1, 7), repeat=5):
        assert VARIANT.scores(dice, VARIANT.default_rules) == scores(dice), dice


@pytest.mark.parametrize(
    ("sixes", "fives", "bonus"),
    [(24, 0, 0), (12, 10, 0), (18, 10, 35), (18, 15, 35), (18, 20, 55), (24, 15, 55), (30, 25, 75)],
)
def test_the_bonus(sixes: int, fives: int, bonus: int) -> None:
    """The upper section earns 35 from 63 on, 55 from 71 on, 75 from 78 on (K3)."""
    boxes = dict.fromkeys(box.id for box in VARIANT.boxes)
    card = {**boxes, "treys": 15, "fours": 20, "fives": fives, "sixes": sixes}
    assert VARIANT.total(Card(card), VARIANT.default_rules).bonus == bonus
