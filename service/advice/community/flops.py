"""Flops up to the names of their suits: what is worked out for one is looked up for all alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from service.rules.dice import Dice

Flop = tuple[int, ...]
"""The codes of its dice, in order."""


def renaming(dice: Dice, flop: Sequence[int]) -> list[int]:
    """The new code of each die, by which flops that differ only in the names of suits are one."""
    suits = range(len(dice.suits))
    shown = [
        sorted(dice.number_of[die] for die in flop if dice.suit_of[die] == suit) for suit in suits
    ]
    order = sorted(suits, key=shown.__getitem__, reverse=True)
    codes = range(len(dice.notation))
    return [dice.faces * order.index(dice.suit_of[code]) + code % dice.faces for code in codes]


def renamed(codes: Sequence[int], flop: Sequence[int]) -> Flop:
    """The `flop` with new `codes` for its dice."""
    return tuple(sorted(codes[die] for die in flop))


@cache
def rows(dice: Dice, size: int) -> dict[Flop, int]:
    """The number of each flop of `size` dice that `renaming` leaves, from 0."""
    flops = combinations_with_replacement(range(len(dice.notation)), size)
    found = {renamed(renaming(dice, flop), flop) for flop in flops}
    return {flop: row for row, flop in enumerate(sorted(found))}
