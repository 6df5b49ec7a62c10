"""Dice from the bag: drawn without putting back, in the supply of each suit."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from service.kinds.community.bag import BagDice, SameSuits
from service.rules.violations import InvalidInput, Violation
from service.variants.texas_holdem_dice import VARIANT
from tests.kinds.community.holdem_table import codes
from tests.problems import breach

DICE = VARIANT.dice


def bag_dice(on_table: str, count: int) -> BagDice:
    """Dice about to be drawn beside those on the table."""
    return BagDice(DICE, codes(on_table), count, "H24")


def violations(chance: BagDice | SameSuits, dice: object) -> tuple[Violation, ...]:
    """What is wrong with typed dice."""
    with pytest.raises(InvalidInput) as refused:
        chance.read(dice)
    return refused.value.violations


def test_each_die_is_picked_then_rolled() -> None:
    """The bag is in order of suits; a die takes one number to pick it and one for its face (H2)."""
    asked = []
    answers = iter([1, 5, 1, 0, 13, 3])

    def below(bound: int) -> int:
        asked.append(bound)
        return next(answers)

    drawn = bag_dice("1r 2r 3r 1y", 3).draw(below)
    # Left are r r b b b b b w w w w w y y y y; then without one red die, then without one black.
    assert (drawn, asked) == (("6r", "1b", "4y"), [16, 6, 15, 6, 14, 6])


@pytest.mark.parametrize("seed", range(3))
def test_draws_are_those_of_a_list_of_dice(seed: int) -> None:
    """Drawing is picking from a list of the dice left, in order of suits, and removing (H1, H2)."""
    source = Random(seed)
    for _ in range(2_000):
        suits = source.sample("rrrrrbbbbbwwwwwyyyyy", source.randint(0, 17))
        table = " ".join(f"{source.randint(1, 6)}{suit}" for suit in suits)
        seed_of_draw = source.random()
        bag = list("rrrrrbbbbbwwwwwyyyyy")
        for suit in suits:
            bag.remove(suit)
        fair = Random(seed_of_draw)
        expected = []
        for _ in range(3):
            suit = bag.pop(fair.randrange(len(bag)))
            expected.append(f"{fair.randrange(6) + 1}{suit}")
        drawn = bag_dice(table, 3).draw(Random(seed_of_draw).randrange)
        assert drawn == tuple(expected)


def test_every_suited_face_is_as_likely() -> None:
    """Of 24,000 single dice each of the 24 kinds comes about a thousand times."""
    source = Random(24)
    counted = Counter(bag_dice("", 1).draw(source.randrange) for _ in range(24_000))
    assert sorted(counted) == sorted((die,) for die in DICE.notation)
    assert all(850 < count < 1_150 for count in counted.values())


def test_typed_dice_are_read() -> None:
    """Dice from a real table stand as typed, in their order (H28)."""
    assert bag_dice("1r 2r 3r", 2).read(["6r", "5r"]) == ("6r", "5r")


def test_no_suit_beyond_its_dice() -> None:
    """A sixth die of a suit is refused at its index; the error hides where the others are (H24)."""
    detail = "can't be red: the set has only 5 red dice (H24)"
    assert violations(bag_dice("1r 2r 3r 4r", 3), ["1r", "6b", "6r"]) == (breach((2,), detail),)
    assert violations(bag_dice("1r 1r 1r 1r 1r", 2), ["1r", "6r"]) == (
        breach((0,), detail),
        breach((1,), detail),
    )


def test_what_is_no_die_is_refused() -> None:
    """A wrong number of dice, and what isn't a die's notation, is refused by name (H28)."""
    written = "must be a number from 1 to 6 and a suit letter (r, b, w, y), such as 6r"
    assert violations(bag_dice("", 2), ["7r", 6]) == (breach((0,), written), breach((1,), written))
    assert violations(bag_dice("", 1), ["6r", "6r"]) == (breach((), "must hold 1 die, not 2"),)
    assert violations(bag_dice("", 1), "6r") == (breach((), "must be a list of dice"),)


def test_the_flop_again_keeps_its_suits() -> None:
    """Dice that are rolled again keep their suits, in their places (H13)."""
    chance = SameSuits(DICE, codes("1r 2y 3y"))
    answers = iter([5, 0, 3])
    assert chance.draw(lambda _: next(answers)) == ("6r", "1y", "4y")
    assert chance.read(["2r", "2y", "6y"]) == ("2r", "2y", "6y")
    assert violations(chance, ["2y", "2r", "6y"]) == (
        breach((0,), "must be red, like the die that is rolled again"),
        breach((1,), "must be yellow, like the die that is rolled again"),
    )
    assert violations(chance, ["2r"]) == (breach((), "must hold 3 dice, not 1"),)
