"""Many cards at once, and the ways to fill their open boxes.

A *way* is a box with what is written there: a number of dice in an upper box, or a score in a lower
one. Many rolls share a way, and what it leads to is worked out for all cards at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.position import Position
from service.advice.scorecard.states import States

Places = NDArray[np.intp]
Values = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Cards:
    """Cards between turns: their upper and lower places, and the points that each still needs.

    All three arrays have the same shape. Where nothing is needed, needs are negative: they say how
    many points have come.
    """

    upper: Places
    lower: Places
    need: Places

    def __getitem__(self, chosen: Places | Flags | slice) -> Cards:
        return Cards(self.upper[chosen], self.lower[chosen], self.need[chosen])

    def __len__(self) -> int:
        return len(self.need)

    @classmethod
    def repeated(cls, states: States, position: Position, need: int, count: int) -> Cards:
        """So many cards at `position`, each of which needs `need` points."""
        upper = states.upper_place(position.upper_used, position.upper)
        lower = states.lower_place(position.lower_used, position.armed)
        return cls(np.full(count, upper), np.full(count, lower), np.full(count, need))

    def different(self) -> tuple[Cards, Places]:
        """These cards without repeats, and for each card its place among those."""
        lowers, needs = (int(each.max(initial=0)) + 1 for each in (self.lower, self.need))
        codes = (self.upper * lowers + self.lower) * needs + self.need
        _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
        return self[first], kinds


class Ways:
    """The ways to fill the boxes that are open in `position`, for the states of a game.

    `of_roll` has the way of each roll in each of these boxes: the shape (open boxes, rolls). `box`
    has the box of each way, by its row in `Scoring.points`.
    """

    def __init__(self, states: States, position: Position) -> None:
        scoring, repeating = states.scoring, states.scoring.repeating
        uppers = len(scoring.upper)
        used = position.upper_used | position.lower_used << uppers
        numbers: dict[tuple[int, ...], int] = {}
        of_roll = []
        for box in range(len(scoring.boxes)):
            if used >> box & 1:
                continue
            scores = jokers = scoring.points[box]
            if repeating and box - uppers in repeating.fills:
                jokers = np.where(repeating.rolled, repeating.fills[box - uppers], scores)
            columns = [np.full_like(scores, box), scoring.cells[box] % scoring.columns, scores]
            if repeating:
                columns += [jokers, np.where(jokers > scores, repeating.face, 0), repeating.earned]
            else:
                columns += [scores, np.zeros_like(scores), np.zeros_like(scores)]
            every = [tuple(way) for way in np.array(columns, np.intp).T.tolist()]
            of_roll.append([numbers.setdefault(way, len(numbers)) for way in every])
        self.of_roll = np.array(of_roll, np.intp).reshape(len(of_roll), len(scoring.lattice.rolls))
        every_way = np.array([*numbers], np.intp).reshape(len(numbers), 6).T
        self.box, self._dice, self._score, self._joker, self._face, self._bonus = every_way
        self._upper_box = np.minimum(self.box, uppers)
        self._lower_box = np.where(self.box < uppers, len(scoring.lower), self.box - uppers)
        self._uppers_next = _with_no_box(states.uppers_next)
        self._lowers_next = _with_no_box(states.lowers_next)
        # Whether a roll of each face can be a joker with each upper place: its own box is used.
        self._free = np.ones((states.upper_count, scoring.lattice.faces + 1), np.bool_)
        for at, number in enumerate(scoring.numbers):
            self._free[:, number] = states.upper_used >> at & 1
        self._repeats = states.lower_used >> (repeating.box if repeating else 0) & 1 == 1
        self._armed = states.armed

    def __len__(self) -> int:
        return len(self.box)

    def after(self, cards: Cards, ways: Places | int) -> Cards:
        """The cards after `ways`, which are broadcast with `cards`; -1 is the place of a used box.

        Jokers score where the box of their face and the repeated one are used (D10, D15).
        """
        score, joker = self._score[ways], self._joker[ways]
        if np.any(joker != score):
            wild = self._repeats[cards.lower] & self._free[cards.upper, self._face[ways]]
            score = np.where(wild, joker, score)
        return Cards(
            self._uppers_next[cards.upper, self._upper_box[ways], self._dice[ways]],
            self._lowers_next[cards.lower, self._lower_box[ways], np.minimum(score, 1)],
            cards.need - score - self._bonus[ways] * self._armed[cards.lower],
        )


def _with_no_box(following: Places) -> Places:
    """The places after each box, and after none, which is the last."""
    same = np.arange(len(following))[:, None, None]
    return np.concatenate([following, np.tile(same, (1, 1, following.shape[2]))], axis=1)
