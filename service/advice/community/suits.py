"""Dice drawn blindly: how many there are of each suit, and the chance of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import factorial, perm, prod

Counts = tuple[int, ...]
"""A number of dice for each suit."""


@cache
def counts_of(dice: int, suits: int) -> tuple[Counts, ...]:
    """Every way to have `dice` dice in `suits` suits, as the number of dice of each suit."""
    return tuple(_counts_of(dice, suits))


def _counts_of(dice: int, suits: int) -> Iterator[Counts]:
    if suits == 1:
        yield (dice,)
        return
    for first in range(dice, -1, -1):
        for others in _counts_of(dice - first, suits - 1):
            yield (first, *others)


def factorials(counts: Sequence[int]) -> int:
    """The product of the factorials of `counts`."""
    return prod(factorial(count) for count in counts)


def orders(counts: Sequence[int]) -> int:
    """In how many orders dice can be drawn, if there are `counts` of each suit."""
    return factorial(sum(counts)) // factorials(counts)


def chance_in_order(bag: Sequence[int], drawn: Sequence[int]) -> float:
    """The chance to draw dice with `drawn` of each suit from a `bag`, in one given order."""
    wanted = prod(map(perm, bag, drawn))
    return wanted / perm(sum(bag), sum(drawn))


def falling_counts(dice: int, suits: int, most: int) -> Iterator[Counts]:
    """The ways to have `dice`, at most `most` of a suit, with the most frequent suits first."""
    if suits == 0:
        if dice == 0:
            yield ()
        return
    for first in range(min(dice, most), -1, -1):
        for others in falling_counts(dice - first, suits - 1, first):
            yield (first, *others)
