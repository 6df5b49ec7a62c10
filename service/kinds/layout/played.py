"""The result of a turn: what was laid, what it scores, and how it compares with other turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from service.kinds.layout.cards import Turn
from service.kinds.layout.lines import Line
from service.kinds.layout.solver import Laid
from service.kinds.layout.solver.grid import Segment
from service.rules.reasons import Because

SUPER_ROYAL = 1_000_000
"""Added to the strength of a super royal: no turn scores that much."""


@dataclass(frozen=True)
class LaidHand:
    """A hand of a layout: its dice in order, and where it lies unless directions are free."""

    line: Line
    dice: tuple[int, ...]
    segment: Segment | None


def in_order(line: Laid, laid: Sequence[Laid], turn: Turn) -> tuple[int, ...]:
    """The dice of a `line` of the lines `laid` from left to right, or from the top down.

    Shared dice lie where their lines cross. All others go from the highest card down, and so do all
    dice of a line without a place.
    """
    dice = [die for die in range(len(turn.cards)) if line.mask >> die & 1]
    dice.sort(key=lambda die: (-turn.rank(die), die))
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


def grid_of(hands: Sequence[LaidHand]) -> list[tuple[int, int, int]]:
    """Die, row and column of every die in `hands`, in the order of the dice (R26)."""
    cells = {
        die: cell
        for hand in hands
        if hand.segment
        for die, cell in zip(hand.dice, hand.segment.cells(), strict=True)
    }
    return [(die, *cells[die]) for die in sorted(cells)]


@dataclass(frozen=True)
class Played:
    """The result of a turn.

    `lacks` says what the first roll lacked if the turn didn't open. `points` include `bonus`;
    `score` is after the risk roll. `best_points` are those of the best known layout, and no layout
    has more than `upper_bound`. `steps` is how long the search took, in steps of some 10
    microseconds.
    """

    turn: Turn
    lacks: Because | None
    hands: tuple[LaidHand, ...]
    bonus: int
    score: int
    wins_game: bool
    best_points: int
    upper_bound: int
    steps: int

    @property
    def opened(self) -> bool:
        """Whether the turn counts."""
        return self.lacks is None

    @property
    def points(self) -> int:
        """The points of the hands, with the bonus."""
        return sum(hand.line.points for hand in self.hands) + self.bonus

    @property
    def proven(self) -> bool:
        """Whether it is certain that no layout has more than `best_points`."""
        return self.best_points == self.upper_bound

    @property
    def strength(self) -> int:
        """Greater is better: the score, and a super royal above them all (R5, R9)."""
        return self.score + (SUPER_ROYAL if self.wins_game else 0)

    @property
    def grid(self) -> list[tuple[int, int, int]]:
        """Die, row and column of every die of the layout, in the order of the dice."""
        return grid_of(self.hands)


@dataclass(frozen=True)
class TurnPlayer:
    """A player with a turn, and the face of the risk die if it was rolled."""

    id: str
    rolls: Turn
    risk: int | None = None


@dataclass(frozen=True)
class PlayedPlayer:
    """A player with the result of the turn."""

    id: str
    played: Played
