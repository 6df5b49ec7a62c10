"""The number of each roll among all rolls, and the best dice of each suited hand, in arrays."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

from service.batch.kernels import CountKernel, RollKernel, roll_kernel
from service.batch.outcomes import suited_kernel
from service.kinds.community.variant import TableHand
from service.rules.dice import Dice
from service.rules.violations import InvalidInput
from service.variants.texas_holdem_dice import VARIANT


@pytest.mark.parametrize(
    ("count", "faces"),
    [
        (2, 6), (3, 4), (5, 6), (6, 6), (7, 6), (2, 20), (8, 3), (4, 12), (20, 2), (10, 6),
        pytest.param(20, 6, marks=pytest.mark.proof),
        (4, 30),
    ],
)  # fmt: skip
def test_every_roll_has_a_number_of_its_own(count: int, faces: int) -> None:
    """Each roll has its own number from 1, in any order of its dice, as the kernel lists them."""
    kernels: list[RollKernel | CountKernel] = [roll_kernel(Dice(count, faces))]
    if faces <= 20:
        kernels.append(CountKernel(Dice(count, faces)))
    for kernel in kernels:
        rolls = np.array(kernel.rolls, np.uint8)
        assert len(rolls) == comb(count + faces - 1, count)
        expected = list(range(1, len(rolls) + 1))
        assert kernel.numbers(rolls).tolist() == expected
        mixed = np.random.default_rng(count).permuted(rolls, axis=1)
        assert kernel.numbers(mixed).tolist() == expected
    assert sorted(kernel.rolls) == [*combinations_with_replacement(range(1, faces + 1), count)]


@pytest.mark.parametrize("count", [3, 7, 20])
def test_dice_that_cannot_be(count: int) -> None:
    """A roll with an impossible die has no number."""
    rolls = np.ones((6, count), np.uint8)
    rolls[[1, 2, 3, 4], [0, 1, 2, count - 1]] = [0, 7, 255, 8]
    found = roll_kernel(Dice(count)).numbers(rolls)
    assert [bool(number) for number in found] == [True, False, False, False, False, True]


def test_few_dice_have_a_table() -> None:
    """Up to six dice are looked up in one table, which is fastest."""
    kinds = {count: type(roll_kernel(Dice(count))) for count in (2, 6, 7, 20)}
    assert kinds == {2: RollKernel, 6: RollKernel, 7: CountKernel, 20: CountKernel}


HANDS = 4_000


def expected(codes: list[int]) -> tuple[int, list[int]]:
    """The strength of the best hand and its dice from a single evaluation, or 0 and none."""
    try:
        found = VARIANT.evaluate(codes[:2], codes[2:], VARIANT.default_rules)
    except InvalidInput:
        return 0, []
    assert isinstance(found, TableHand)
    return found.hand.strength, list(found.best)


@pytest.mark.parametrize("dice", [5, 6, 7])
@pytest.mark.parametrize("suits", [4, 2])
def test_the_dice_of_a_single_hand_are_picked(dice: int, suits: int) -> None:
    """Each row has the strength and the best dice, in order, of a single evaluation."""
    source = random.Random(dice * suits)
    drawn = [[source.randrange(6 * suits) for _ in range(dice)] for _ in range(HANDS)]
    hands = np.array(drawn, np.uint8)
    kernel = suited_kernel(VARIANT, VARIANT.default_rules)
    strengths = kernel.strengths(hands)
    possible = np.flatnonzero(strengths)
    best = kernel.picked(hands[possible], strengths[possible])
    picked = dict(zip(possible.tolist(), best.tolist(), strict=True))
    for row, codes in enumerate(drawn):
        assert (int(strengths[row]), picked.get(row, [])) == expected(codes), codes
    assert (len(possible) < HANDS) == (dice > 5)
