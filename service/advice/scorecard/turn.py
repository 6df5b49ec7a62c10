"""One turn from one position: what every box and every keep is worth, for all rolls at once."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from service.advice.lattice import Lattice, Places, Values, keeps_of, rows_of, tag
from service.advice.scorecard.scoring import Position, open_boxes
from service.advice.scorecard.solving import USED
from service.advice.scorecard.table import Table


class Turn:
    """A turn from `position`; all values are points still to come, with all bonuses.

    `boxes` are the open boxes by their rows in `Scoring.points`.
    """

    def __init__(self, table: Table, position: Position) -> None:
        self.scoring = scoring = table.scoring
        self._table = table
        self._position = position
        used = position.upper_used | position.lower_used << len(scoring.upper)
        self.boxes, self._open = _open_boxes(len(scoring.boxes), used)
        self._ahead = self._after()
        self._averaged: list[Values] = []

    def bonus(self, roll: int) -> float:
        """The bonus that a roll earns for being a repeat."""
        repeating = self.scoring.repeating
        armed = repeating is not None and self._position.armed and repeating.rolled[roll]
        return float(repeating.bonus) if repeating is not None and armed else 0.0

    def scores(self, roll: int) -> Values:
        """What a roll scores in each of `boxes`, without the bonus for repeats."""
        if self._has_jokers:
            scores: Values = self._scores[:, roll]
        else:
            scores = self.scoring.points[self._open, roll]
        return scores

    def written(self, roll: int) -> Values:
        """The value of a roll in each of `boxes`, without the bonus for repeats."""
        value: Values = self._ahead[0].take(self.scoring.cells[self._open, roll])
        value += self.scores(roll)
        return value

    def crossed(self) -> Values:
        """The value of a zero in each of `boxes`, without the bonus for repeats."""
        return self._ahead[0, :: self.scoring.columns].take(self._open)

    def keeps(self, left: int, places: Places) -> Values:
        """The expected value of some keeps and the mean of its square, with `left` rolls left.

        `left` is 1 or more, and `places` are those of the keeps in the lattice. The array has the
        shape (keeps, 2).
        """
        dice = self.scoring.lattice
        if left == 1 and not self._averaged and dice.outcomes is not None:
            return dice.outcomes[places] @ self._rolled(1)  # with more rolls it saves nothing
        return self._all_keeps(left)[places]

    def square(self, row: int, roll: int, *, crossed: bool) -> float:
        """The mean of the square of the value of a roll in the box in a row of `boxes`, or that of
        a zero there if it is `crossed` out.
        """
        box, points = self.boxes[row], self.bonus(roll)
        cell = box * self.scoring.columns
        if not crossed:
            cell, points = self.scoring.cells[box, roll], float(self.scores(roll)[row]) + points
        mean, square = self._ahead[:, cell]
        return float(square + points * (2 * mean + points))

    def _all_keeps(self, left: int) -> Values:
        """What `keeps` returns, for all keeps."""
        dice = self.scoring.lattice
        while len(self._averaged) < left:
            figures = np.empty((len(dice.keeps), 2))
            figures[dice.first_roll :] = self._rolled(len(self._averaged) + 1)
            average(dice, figures)
            self._averaged.append(figures)
        return self._averaged[left - 1]

    def _rolled(self, left: int) -> Values:
        """The value and the mean square of each roll, before one of the `left` rolls: (rolls, 2).

        The best keep of each has been chosen for the rolls after it, or else its best box.
        """
        if left == 1:
            return self._in_best_box()
        later = self._all_keeps(left - 1)
        return later.take(best_keeps(self.scoring.lattice, later[:, 0]), axis=0)

    def _after(self) -> Values:
        """The expected value and the mean square of the states after each box: (2, states).

        The states are those of `Scoring.cells`. Those after a used box have any value.
        """
        scoring, states, array = self.scoring, self._table.states, self._table.array
        at_upper, at_lower = states.place(self._position)
        ahead = np.zeros((2, len(scoring.boxes), scoring.columns))
        upper = len(scoring.upper)
        ahead[:, :upper] = array[:, states.uppers_next[at_upper], at_lower]
        ahead[:, upper:, :2] = array[:, at_upper, states.lowers_next[at_lower]]
        ahead[1] += ahead[0] * ahead[0]
        return ahead.reshape(2, -1)

    @property
    def _has_jokers(self) -> bool:
        """Whether repeats score as jokers in some boxes (D10, D15)."""
        repeating = self.scoring.repeating
        return bool(
            repeating and repeating.fills and self._position.lower_used >> repeating.box & 1
        )

    @cached_property
    def _scores(self) -> Values:
        """What each roll scores in each of `boxes`, jokers included: (boxes, rolls)."""
        scoring = self.scoring
        scores = scoring.points.take(self._open, axis=0)
        repeating = scoring.repeating
        if repeating is None or not self._has_jokers:
            return scores
        open_numbers = [scoring.numbers[box] for box in self.boxes if box < len(scoring.upper)]
        jokers = np.flatnonzero(repeating.rolled & ~np.isin(repeating.face, open_numbers))
        for box, filled in repeating.fills.items():
            if len(scoring.upper) + box in self.boxes:
                row = self.boxes.index(len(scoring.upper) + box)
                scores[row, jokers] = filled[jokers]
        return scores

    def _in_best_box(self) -> Values:
        """The value and the mean square of each roll in its best box: (rolls, 2)."""
        cells = self.scoring.cells.take(self._open, axis=0)
        values = self._ahead[0].take(cells)
        values += self._scores
        if self.scoring.zeros_last:
            fills = self._scores > 0
            values[~fills & fills.any(axis=0)] = USED
        best = values.argmax(axis=0)
        best *= values.shape[1]
        best += np.arange(values.shape[1])
        points = self._scores.take(best)
        repeating = self.scoring.repeating
        if repeating is not None and self._position.armed:
            points += repeating.earned
        figures: Values = self._ahead.T.take(cells.take(best), axis=0)
        mean, square = figures.T
        square += points * (mean + mean + points)
        mean += points
        return figures


def average(dice: Lattice, figures: Values) -> None:
    """The same as `Lattice.average`, with fewer calls, which is faster for a few columns."""
    for size in reversed(range(dice.count)):
        mean = figures[dice.sizes[size]]
        np.add.reduce(figures.take(dice.more[size], axis=0), axis=0, out=mean)
        mean *= 1 / dice.faces


def best_keeps(dice: Lattice, values: Values) -> Places:
    """The place of the keep with the highest of `values` within each roll; all dice if equal."""
    best = tag(values)
    for size in range(1, dice.count + 1):
        np.maximum.reduce(best.take(dice.within[size]), axis=0, out=best[dice.sizes[size]])
    return rows_of(best[dice.first_roll :], len(values))


@lru_cache(maxsize=4096)
def _open_boxes(boxes: int, used: int) -> tuple[list[int], Places]:
    """The open boxes, as a list and as an array."""
    places = open_boxes(boxes, used)
    return places, np.array(places, np.intp)


@lru_cache(maxsize=1024)
def keeps_within(
    dice: Lattice, roll: tuple[int, ...]
) -> tuple[Places, tuple[tuple[int, ...], ...]]:
    """The keeps of fewer dice within a sorted `roll`: their places in `dice.keeps`, and those of
    their dice in `roll` (see `keeps_of`).
    """
    keeps = keeps_of(roll)
    places = [dice.places[tuple([roll[place] for place in keep])] for keep in keeps]
    return np.array(places, np.intp), tuple(keeps)
