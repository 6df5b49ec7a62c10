"""Cards and the points that each still needs, as arrays; and a turn that has begun."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.position import Position
from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.states import States

Places = NDArray[np.intp]
Values = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Cards:
    """Cards between turns: their upper and lower places, and the points that each still needs.

    All three arrays have the same length.
    """

    upper: Places
    lower: Places
    need: Places

    def __getitem__(self, chosen: Places | Flags | slice) -> Cards:
        return Cards(self.upper[chosen], self.lower[chosen], self.need[chosen])

    def __len__(self) -> int:
        return len(self.need)

    @classmethod
    def joined(cls, parts: Sequence[Cards]) -> Cards:
        """All cards of `parts`, one after the other."""
        return cls(
            np.concatenate([part.upper for part in parts]),
            np.concatenate([part.lower for part in parts]),
            np.concatenate([part.need for part in parts]),
        )

    def different(self) -> tuple[Cards, Places]:
        """These cards without repeats, and for each card its place among those."""
        if not len(self):
            return self, np.zeros(0, np.intp)
        lowers, needs = int(self.lower.max()) + 1, int(self.need.max()) + 1
        codes = (self.upper * lowers + self.lower) * needs + self.need
        _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
        return self[first], kinds


def card_at(states: States, position: Position, need: int) -> Cards:
    """The card at `position` that needs `need` points."""
    upper = states.upper_place(position.upper_used, position.upper)
    lower = states.lower_place(position.lower_used, position.armed)
    return Cards(np.array([upper]), np.array([lower]), np.array([need]))


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn: the place of its roll in `Lattice.rolls`, and how often dice can be rolled again.

    `roll` is None before the first roll.
    """

    roll: int | None
    left: int

    @classmethod
    def of(cls, scoring: Scoring, dice: Sequence[int] | None, rolls_left: int | None) -> Begun:
        """The turn with `dice` on the table; None before the first roll."""
        left = scoring.rolls - 1 if rolls_left is None else rolls_left
        if dice is None:
            return cls(None, scoring.rolls - 1)
        lattice = scoring.lattice
        return cls(lattice.places[tuple(sorted(dice))] - lattice.first_roll, left)


ValueOf = Callable[[Cards], Values]
"""The chance of each card to get the points that it needs."""
