"""Which die lies where along each line of a layout."""

from __future__ import annotations

from collections.abc import Sequence

from service.kinds.layout.cards import RANKS, Turn
from service.kinds.layout.solver.solver import Laid


def seat(laid: Sequence[Laid], turn: Turn) -> list[tuple[int, ...]]:
    """The dice of each line in order, left to right or top down.

    Shared dice lie where their lines cross, the others from the highest card down. A line without
    a place has them all from the highest down.
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
