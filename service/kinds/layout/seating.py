"""The order of the dice in each line of a layout."""

from __future__ import annotations

from collections.abc import Sequence

from service.kinds.layout.cards import RANKS, Turn
from service.kinds.layout.solver.solver import Laid


def seat(laid: Sequence[Laid], turn: Turn) -> list[tuple[int, ...]]:
    """The dice of each line from left to right, or from the top down.

    Shared dice lie where their lines cross. All others go from the highest card down, and so do all
    dice of a line without a place.
    """
    return [_along(line, laid, turn) for line in laid]


def _along(line: Laid, laid: Sequence[Laid], turn: Turn) -> tuple[int, ...]:
    dice = [die for die in range(len(turn.cards)) if line.mask >> die & 1]
    dice.sort(key=lambda die: (-_rank(turn, die), die))
    if line.segment is None:
        return tuple(dice)
    seats: list[int | None] = [None] * len(dice)
    for other in laid:
        shared = line.mask & other.mask
        if other is not line and shared and other.segment is not None:
            die = shared.bit_length() - 1
            seats[other.segment.at - line.segment.start] = die
            dice.remove(die)
    rest = iter(dice)
    return tuple([next(rest) if seat is None else seat for seat in seats])


def _rank(turn: Turn, die: int) -> int:
    card = turn.cards[die]
    return -1 if card is None else card % len(RANKS)
