"""What a roll can be written as: the candidates of a block of states, and the best for each roll.

A candidate is a box with a score. In a block it has a row, with a column for each state: the score
and the value of the state after it. Many rolls share a candidate, and all share the first, which is
the best box to cross out. A score is never worth less than a zero in the same box, because a higher
upper sum, and a score in the repeated box, never earn less. So no roll needs the zeros of the boxes
that it fills.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.position import open_boxes
from service.advice.scorecard.states import States
from service.advice.scorecard.uppers import Places

Values = NDArray[np.float64]

USED = -1e12
"""The value of a used box: with any score, it is less than that of an open one."""


class Candidates:
    """The candidates of all states with the same used upper boxes, as given to `open`.

    `count` is the number of candidates under any upper boxes. `order` has for each roll the place
    of its row in what `best` writes.
    """

    def __init__(self, states: States) -> None:
        self._states = states
        scoring = states.scoring
        self._dice = scoring.lattice.count
        self._uppers = len(scoring.upper)
        rolls = len(scoring.lattice.rolls)
        of_roll = np.zeros((self._uppers + len(scoring.lower), rolls), np.intp)
        for box, shown in enumerate(scoring.shown):
            of_roll[box] = np.where(shown, box * self._dice + shown, 0)
        row = 1 + self._uppers * self._dice
        self._lower_rows: list[slice] = []
        self._lower_scores: list[Values] = []
        for box, scores in enumerate(scoring.scores):
            different = np.unique(scores[scores > 0])
            places = row + np.searchsorted(different, scores)
            of_roll[self._uppers + box] = np.where(scores > 0, places, 0)
            self._lower_rows.append(slice(row, row + len(different)))
            self._lower_scores.append(different[:, None])
            row += len(different)
        self._of_roll = of_roll
        self._jokers = [*self._every_joker(row)]
        self.count = row + len(self._jokers)
        self.order = np.arange(rolls)
        self._columns: list[Places] = []
        self._after_zero, self._after_score = states.lowers_next.T.copy()
        box = scoring.repeating.box if scoring.repeating else 0
        self._repeats = states.lower_used >> box & 1 == 1

    def open(self, used: int) -> None:
        """Prepares for states in which the upper boxes `used` are used."""
        of_roll = self._of_roll.copy()
        numbers = self._states.scoring.numbers
        open_numbers = {number for box, number in enumerate(numbers) if not used >> box & 1}
        for row, box, roll, face, _ in self._jokers:
            if face not in open_numbers:
                of_roll[self._uppers + box, roll] = row
        of_roll[[box for box in range(self._uppers) if used >> box & 1]] = 0
        of_roll = -np.sort(-of_roll, axis=0)
        filled = np.count_nonzero(of_roll, axis=0)
        rolls = np.argsort(-filled, kind="stable")
        self.order = np.argsort(rolls, kind="stable")
        counts = np.count_nonzero(of_roll, axis=1)
        self._columns = [row[rolls[:count]] for row, count in zip(of_roll, counts, strict=True)]

    def fill(
        self,
        table: Values,
        used: int,
        block: tuple[Places, Places],
        points: Values,
        squares: Values,
    ) -> None:
        """Fills in the value and the second moment of every candidate.

        `table` has those of all states after. `block` has the upper and the lower places of a
        block; `points` and `squares` have a row for each candidate and a column for each pair of
        them.
        """
        upper, lower = block
        expected, moments = table
        states, size = self._states, len(upper) * len(lower)
        points[0], squares[0] = USED, 0.0
        for box in open_boxes(len(states.scoring.upper), used):
            after = states.uppers_next[upper, box].T[:, :, None], lower
            value, square = (array[after].reshape(-1, size) for array in (expected, moments))
            _cross_out(points, squares, value[0], square[0])
            scores = states.scoring.numbers[box] * np.arange(1.0, self._dice + 1)[:, None]
            rows = slice(1 + box * self._dice, 1 + (box + 1) * self._dice)
            _score(points[rows], squares[rows], value[1:], square[1:], scores)
        written = []
        for box in range(len(states.scoring.lower)):
            zero, score = self._after_zero[box, lower], self._after_score[box, lower]
            value, square = _after(table, upper, zero)
            _cross_out(points, squares, value, square)
            if (zero != score).any():
                value, square = _after(table, upper, score)
            written.append((value, square))
            rows = self._lower_rows[box]
            _score(points[rows], squares[rows], value, square, self._lower_scores[box])
        for row, box, roll, _, joker in self._jokers:
            scores = np.where(self._repeats[lower], joker, states.scoring.scores[box, roll])
            scores = np.tile(scores, len(upper))
            _score(points[row], squares[row], *written[box], scores)

    def best(self, tagged: Values, best: Values, spare: Values) -> None:
        """Writes the highest of `tagged` for each roll to `best`, in rows as `order` says."""
        best[:] = tagged[0]
        for rows in self._columns:
            one = spare[: len(rows)]
            np.take(tagged, rows, axis=0, out=one, mode="clip")
            np.maximum(best[: len(rows)], one, out=best[: len(rows)])

    def add_bonus(self, block: tuple[Places, Places], mean: Values, moment: Values) -> None:
        """Adds the bonus for repeats, which they earn in any box (D15)."""
        upper, lower = block
        repeating = self._states.scoring.repeating
        if repeating and self._states.armed[lower].any():
            earned = np.tile(self._states.armed[lower] * float(repeating.bonus), len(upper))
            for roll in np.flatnonzero(repeating.rolled):
                moment[roll] += earned * (2 * mean[roll] + earned)
                mean[roll] += earned

    def _every_joker(self, row: int) -> Iterator[tuple[int, int, int, int, float]]:
        """The row, the lower box, the roll, its face and the score of each joker."""
        repeating = self._states.scoring.repeating
        if repeating is None:
            return
        for box, scores in repeating.fills.items():
            for roll in np.flatnonzero(repeating.rolled).tolist():
                yield row, box, roll, int(repeating.face[roll]), float(scores[roll])
                row += 1


def _after(table: Values, upper: Places, lower: Places) -> tuple[Values, Values]:
    """The value and the second moment after a lower box: the states at `upper` and `lower`.

    It is `USED` where `lower` is -1.
    """
    value, square = table[:, upper[:, None], lower]
    value[:, lower < 0] = USED
    return value.ravel(), square.ravel()


def _cross_out(points: Values, squares: Values, value: Values, square: Values) -> None:
    """Takes a zero for the best box to cross out if it is better than those before."""
    better = value > points[0]
    np.copyto(points[0], value, where=better)
    np.copyto(squares[0], square, where=better)


def _score(points: Values, squares: Values, value: Values, square: Values, scores: Values) -> None:
    """Writes the value and the second moment of `scores` and what comes after them."""
    np.add(value, scores, out=points)
    np.add(value, points, out=squares)
    np.multiply(squares, scores, out=squares)
    np.add(squares, square, out=squares)
