"""The number of each roll among all rolls, for any number of dice."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

from service.batch.roll_kernel import CountKernel, RollKernel, roll_kernel
from service.rules.dice import Dice


@pytest.mark.parametrize(
    ("count", "faces"),
    [
        (2, 6),
        (3, 4),
        (5, 6),
        (6, 6),
        (7, 6),
        (2, 20),
        (8, 3),
        (4, 12),
        (20, 2),
        (10, 6),
        (20, 6),
        (4, 30),
    ],
)
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
