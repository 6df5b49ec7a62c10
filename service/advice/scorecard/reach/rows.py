"""What can be written: the ways to fill the open boxes, and the cards after each of them.

A way to fill a box is a *row*: a number of dice that show the number of an upper box, or a score in
a lower one. Many rolls share a row. What a row leads to is worked out for all cards at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from service.advice.scorecard.position import Position
from service.advice.scorecard.reach.cards import Cards, Flags, Places
from service.advice.scorecard.states import States


@dataclass(frozen=True, eq=False)
class _Row:
    """A way to fill `box`, which is an upper box if `dice` says how many dice show its number.

    `joker` is the score instead of `score` once the repeated box and that of `face` are used.
    `repeat` says that the roll earns the bonus for repeats.
    """

    box: int
    dice: int | None
    score: int
    repeat: bool = False
    joker: int | None = None
    face: int = 0


class Rows:
    """The rows of the boxes that are open in `position`, for the states of a game.

    `of_roll` has the row of each roll in each of these boxes: the shape (open boxes, rolls).
    """

    def __init__(self, states: States, position: Position) -> None:
        self._states = states
        self._scoring = scoring = states.scoring
        self._every: list[_Row] = []
        self._after_upper = states.uppers_next
        self._after_lower = states.lowers_next
        self._number_open = self._open_numbers()
        repeating = scoring.repeating
        box_used = 1 << repeating.box if repeating else 0
        self._box_used = np.array([bool(used & box_used) for used, _ in states.lowers])
        self._armed = np.array([armed for _, armed in states.lowers])
        of_box = [
            self._of_upper(box)
            for box in range(len(scoring.upper))
            if not position.upper_used >> box & 1
        ] + [
            self._of_lower(box)
            for box in range(len(scoring.lower))
            if not position.lower_used >> box & 1
        ]
        self.of_roll = np.array(of_box, np.intp).reshape(len(of_box), len(scoring.lattice.rolls))

    def __len__(self) -> int:
        return len(self._every)

    def every(
        self, cards: Cards, rows: Iterable[int] | None = None
    ) -> Iterator[tuple[Flags, Cards]]:
        """For each of `rows`, or for all, which cards have its box open, and these after it."""
        for row in range(len(self._every)) if rows is None else rows:
            after = self.after(cards, row)
            opened = (after.upper >= 0) & (after.lower >= 0)
            yield opened, after[opened]

    def after(self, cards: Cards, row: int) -> Cards:
        """Every card after the `row`; a place is -1 if its box is used. Needs are not below 0."""
        way = self._every[row]
        score: Places | int = way.score
        if way.joker is not None:
            wild = self._box_used[cards.lower] & ~self._number_open[cards.upper, way.face]
            score = np.where(wild, way.joker, way.score)
        upper, lower = cards.upper, cards.lower
        if way.dice is not None:
            upper = self._after_upper[upper, way.box, way.dice]
        else:
            lower = self._after_lower[lower, way.box, np.minimum(score, 1)]
        repeating = self._scoring.repeating
        if way.repeat and repeating:
            score = score + repeating.bonus * self._armed[cards.lower]
        return Cards(upper, lower, np.maximum(cards.need - score, 0))

    def written(self, cards: Cards, rows: Places) -> Cards:
        """The cards after each has the row of `rows` written."""
        after = Cards(cards.upper.copy(), cards.lower.copy(), cards.need.copy())
        for row in np.unique(rows):
            own = np.flatnonzero(rows == row)
            one = self.after(cards[own], row)
            after.upper[own], after.lower[own], after.need[own] = one.upper, one.lower, one.need
        return after

    def opened(self, card: Cards) -> int:
        """How many boxes of a single card are open."""
        upper = int((self._after_upper[card.upper[0], :, 0] >= 0).sum())
        return upper + int((self._after_lower[card.lower[0], :, 0] >= 0).sum())

    def _row(self, row: _Row) -> int:
        self._every.append(row)
        return len(self._every) - 1

    def _of_upper(self, box: int) -> list[int]:
        """The row of each roll in an upper box."""
        number, dice = self._scoring.numbers[box], self._scoring.lattice.count
        rows = [self._row(_Row(box, shown, shown * number)) for shown in range(dice + 1)]
        own = [rows[shown] for shown in self._scoring.shown[box]]
        for roll in self._repeats():
            shown = int(self._scoring.shown[box, roll])
            own[roll] = self._row(_Row(box, shown, shown * number, repeat=True))
        return own

    def _of_lower(self, box: int) -> list[int]:
        """The row of each roll in a lower box."""
        scores = [int(score) for score in self._scoring.scores[box]]
        rows = {score: self._row(_Row(box, None, score)) for score in sorted({*scores})}
        own = [rows[score] for score in scores]
        repeating = self._scoring.repeating
        for roll in self._repeats():
            joker = repeating.fills.get(box) if repeating else None
            own[roll] = self._row(
                _Row(
                    box,
                    None,
                    scores[roll],
                    repeat=True,
                    joker=None if joker is None else int(joker[roll]),
                    face=int(repeating.face[roll]) if repeating else 0,
                )
            )
        return own

    def _repeats(self) -> list[int]:
        """The rolls that are repeats once the repeated box is used."""
        repeating = self._scoring.repeating
        return [] if repeating is None else np.flatnonzero(repeating.rolled).tolist()

    def _open_numbers(self) -> Flags:
        """Whether the box of each face is open, by upper place and face."""
        opened = np.zeros((self._states.upper_count, self._scoring.lattice.faces + 1), np.bool_)
        for used, places in self._states.uppers.items():
            for box, number in enumerate(self._scoring.numbers):
                opened[places.start : places.stop, number] |= not used >> box & 1
        return opened
