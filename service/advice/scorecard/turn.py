"""One turn from one position: what every box and every keep is worth, for all rolls at once."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from service.advice.lattice import Lattice
from service.advice.scorecard.position import Position
from service.advice.scorecard.table import Table
from service.advice.scorecard.tagged import rows_of, tagged

Values = NDArray[np.float64]


class Turn:
    """A turn from `position`; all values are points still to come, with all bonuses.

    `boxes` are the open boxes by their rows in `Scoring.points`. `values` has the expected value of
    each roll in each of them: the shape (open boxes, rolls). `crossed` has the value of a zero
    there, without the bonus for repeats, which is in `extra` for each roll. `points` are what each
    roll scores in each box, with that bonus.
    """

    def __init__(self, table: Table, position: Position) -> None:
        self.scoring = scoring = table.scoring
        self._table = table
        self._position = position
        upper, lower = self._open()
        self.boxes = [*upper, *(len(scoring.upper) + box for box in lower)]
        self._ahead = self._after(upper, lower)
        self.crossed = self._ahead[0, :, 0]
        repeating = scoring.repeating
        self.points: Values = scoring.points[self.boxes]
        if repeating and repeating.fills and position.lower_used >> repeating.box & 1:
            self._fill_jokers(upper, lower)
        self.extra: Values = np.zeros(len(scoring.lattice.rolls))
        if repeating and position.armed:
            self.extra = np.where(repeating.rolled, float(repeating.bonus), 0.0)
            self.points += self.extra
        width = self._ahead.shape[2]
        self._columns = scoring.columns[self.boxes]
        self._columns += np.arange(0, width * len(self.boxes), width)[:, None]
        self.values = self._ahead[0].take(self._columns)
        self.values += self.points
        self._keeps: list[Values] = []

    def keeps(self, left: int) -> Values:
        """The expected value of each keep and the mean of its square, with `left` rolls left.

        `left` is 1 or more. The array has the shape (keeps, 2).
        """
        dice = self.scoring.lattice
        while len(self._keeps) < left:
            figures = np.empty((len(dice.keeps), 2))
            if self._keeps:
                later = self._keeps[-1]
                np.take(
                    later, best_keeps(dice, later[:, 0]), axis=0, out=figures[dice.first_roll :]
                )
            else:
                self._written(figures[dice.first_roll :])
            average(dice, figures)
            self._keeps.append(figures)
        return self._keeps[left - 1]

    def square(self, row: int, roll: int) -> float:
        """The mean of the square of the value of a roll in the box in a row of `boxes`."""
        points = self.points[row, roll]
        mean, square = self._ahead.reshape(2, -1)[:, self._columns[row, roll]]
        return float(square + points * (2 * mean + points))

    def crossed_square(self, row: int, roll: int) -> float:
        """The mean of the square of the value of a zero in the box in a row of `boxes`."""
        mean, square = self._ahead[:, row, 0]
        return float(square + self.extra[roll] * (2 * mean + self.extra[roll]))

    def _open(self) -> tuple[list[int], list[int]]:
        """The open boxes of the upper and of the lower section."""
        scoring, position = self.scoring, self._position
        upper = [box for box in range(len(scoring.upper)) if not position.upper_used >> box & 1]
        lower = [box for box in range(len(scoring.lower)) if not position.lower_used >> box & 1]
        return upper, lower

    def _after(self, upper: list[int], lower: list[int]) -> Values:
        """The expected value and the mean square of the states after each box: (2, boxes, columns).

        The columns are those of `Scoring.columns`.
        """
        scoring, position, states = self.scoring, self._position, self._table.states
        array = self._table.array
        at_upper, at_lower = self._table.place(position)
        ahead = np.zeros((2, len(self.boxes), scoring.lattice.count + 1))
        if upper:
            used = position.upper_used
            row, after = at_upper - states.uppers[used].start, states.uppers_next[used]
            places = np.array([after[box][row] for box in upper])
            ahead[:, : len(upper)] = array[:, places, at_lower]
        if lower:
            ahead[:, len(upper) :, :2] = array[:, at_upper, states.lowers_next[at_lower, lower]]
        ahead[1] += ahead[0] * ahead[0]
        return ahead

    def _fill_jokers(self, upper: list[int], lower: list[int]) -> None:
        """Writes the scores of jokers into `points` (D10, D15)."""
        scoring, repeating = self.scoring, self.scoring.repeating
        if repeating is None:
            return
        open_numbers = [scoring.numbers[box] for box in upper]
        jokers = np.flatnonzero(repeating.rolled & ~np.isin(repeating.face, open_numbers))
        for box, scores in repeating.fills.items():
            if box in lower:
                self.points[len(upper) + lower.index(box), jokers] = scores[jokers]

    def _written(self, figures: Values) -> None:
        """Fills in the value and the mean square of each roll in its best box: (rolls, 2)."""
        rolls = np.arange(len(figures))
        rows = self.values.argmax(axis=0)
        columns, points = self._columns[rows, rolls], self.points[rows, rolls]
        mean, square = self._ahead.reshape(2, -1).take(columns, axis=1)
        figures[:, 0] = mean + points
        figures[:, 1] = square + points * (mean + figures[:, 0])


def average(dice: Lattice, figures: Values) -> None:
    """The same as `Lattice.average`, with fewer calls, which is faster for a few columns."""
    for size in reversed(range(dice.count)):
        mean = figures[dice.sizes[size]]
        np.add.reduce(figures.take(dice.more[size], axis=0), axis=0, out=mean)
        mean *= 1 / dice.faces


def best_keeps(dice: Lattice, values: Values) -> NDArray[np.intp]:
    """The place of the keep with the highest of `values` within each roll; all dice if equal."""
    best = tagged(values)
    for size in range(1, dice.count + 1):
        own = best[dice.sizes[size]]
        np.maximum(own, best.take(dice.fewer[size]).max(axis=0), out=own)
    return rows_of(best[dice.first_roll :], len(values))


@lru_cache(maxsize=512)
def keeps_within(
    dice: Lattice, roll: tuple[int, ...]
) -> tuple[NDArray[np.intp], tuple[tuple[int, ...], ...]]:
    """The keeps of fewer dice within a sorted `roll`: their places in `dice.keeps`, and their dice.

    The dice are given by their places in `roll`; of equal dice, a keep has the first ones. Keeps of
    more dice come first, and among as many, those with lower places.
    """
    starts = [(roll.index(face), roll.count(face)) for face in sorted(set(roll))]
    ways = product(
        *([range(start, start + n) for n in range(count + 1)] for start, count in starts)
    )
    keeps = [tuple(chain.from_iterable(way)) for way in ways]
    keeps = sorted(keeps, key=lambda keep: (-len(keep), keep))[1:]
    places = [dice.places[tuple([roll[place] for place in keep])] for keep in keeps]
    return np.array(places, np.intp), tuple(keeps)
