"""Solving a score card backward: the expected points still to come, and their second moment.

The states of a card are solved with fewer open boxes first, in blocks that fit in the cache. In a
block, each array has a row for each keep or each candidate box, and a column for each state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from service.advice.lattice import Places, Values, mask_of
from service.advice.scorecard.scoring import open_boxes
from service.advice.scorecard.states import States

BLOCK = 256
"""The most states in a block: with five dice, its arrays have a megabyte each."""

MAX_VALUES = 250_000
"""The most values in such an array: with more dice, a block has fewer states."""

USED = -1e12
"""The value of a used box: with any score, it is less than that of an open one."""


class Candidates:
    """What rolls can be written as, in all states with the same used upper boxes, as given to
    `open`.

    A candidate is a box with a score. In a block it has a row, with a column for each state: the
    score and the value of the state after it. Many rolls share a candidate, and all share the
    first, which is the best box to cross out. A score is never worth less than a zero in the same
    box, because a higher upper sum, and a score in the repeated box, never earn less. So no roll
    needs the zeros of the boxes that it fills. With `Scoring.zeros_last`, the zero is left to rolls
    that fill no open box.

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
            usual = states.scoring.scores[box, roll]
            if states.scoring.zeros_last and not usual:
                usual = USED  # without a joker it is a zero, which row 0 stands for
            scores = np.tile(np.where(self._repeats[lower], joker, usual), len(upper))
            _score(points[row], squares[row], *written[box], scores)

    def best(self, tagged: Values, best: Values, spare: Values) -> None:
        """Writes the highest of `tagged` for each roll to `best`, in rows as `order` says."""
        zeros_last = self._states.scoring.zeros_last
        best[:] = USED if zeros_last else tagged[0]
        for rows in self._columns:
            one = spare[: len(rows)]
            np.take(tagged, rows, axis=0, out=one, mode="clip")
            np.maximum(best[: len(rows)], one, out=best[: len(rows)])
        if zeros_last:
            np.copyto(best, tagged[0], where=best < 0)

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


def solve_states(states: States, report: Callable[[float], object] = lambda _: None) -> Values:
    """The expected points still to come and their variance under the best play, for each state.

    The array has the shape (2, upper places, lower places). The points still to come include all
    bonuses. Of plays that are equally good, the one that keeps more dice counts for the variance.
    `report` is called with the fraction that is solved, from time to time.
    """
    solving = Solving(states)
    for solved in solving.run():
        report(solved / states.count)
    expected, moment = solving.table
    np.subtract(moment, expected * expected, out=moment)
    np.maximum(moment, 0.0, out=moment)
    return solving.table


class Solving:
    """The table of a game while it is solved, and the arrays of a block.

    `table` has the expected points and the second moment, in the shape of `solve_states`.
    """

    def __init__(self, states: States) -> None:
        self.states = states
        self.candidates = Candidates(states)
        self.table: Values = np.zeros((2, states.upper_count, states.lower_count))
        self._lattice = states.scoring.lattice
        keeps, rolls = len(self._lattice.keeps), len(self._lattice.rolls)
        rows = max(keeps, self.candidates.count)
        self._tags = np.arange(rows, dtype=np.int64)[:, None]
        self._mask = mask_of(rows)
        self._block = block = max(1, min(BLOCK, MAX_VALUES // rows))
        self._buffers = [np.empty(size * block) for size in (keeps, keeps, rows, rolls, rows, rows)]
        self._places = np.empty(rolls * block, np.intp)
        self._spare = np.empty(rolls * block)
        self._columns = np.arange(block)

    def run(self) -> Iterator[int]:
        """Solves all states, and yields the number of those solved after each layer."""
        states = self.states
        left = states.opened[0]  # of the lower boxes: the first upper place is that of no open box
        layers = [np.flatnonzero(left == count) for count in range(left.max() + 1)]
        solved = 0
        for used, uppers in states.uppers.items():
            self.candidates.open(used)
            for lowers in layers:
                for block in _blocks(uppers, lowers, self._block):
                    self._solve(used, block)
                solved += len(uppers) * len(lowers)
            yield solved

    def _solve(self, used: int, block: tuple[Places, Places]) -> None:
        """Solves all pairs of the upper and the lower places of `block`."""
        upper, lower = block
        states, lattice = self.states, self._lattice
        at = (upper[:, None], lower)
        if not states.opened[upper[0], lower[0]]:
            bonus = np.array(states.final_bonus, float)[upper - states.uppers[used].start, None]
            self.table[0][at], self.table[1][at] = bonus, bonus * bonus
            return
        size = len(upper) * len(lower)
        mean, moment, tagged, spare, points, squares = (
            buffer[: len(buffer) // self._block * size].reshape(-1, size)
            for buffer in self._buffers
        )
        rolls = slice(lattice.first_roll, len(lattice.keeps))
        self.candidates.fill(self.table, used, block, points, squares)
        self._tag(points, tagged)
        best = mean[rolls]
        self.candidates.best(tagged, best, spare)
        chosen = (mean[rolls], moment[rolls])
        self._choose(best, (points, squares), chosen, self.candidates.order)
        self.candidates.add_bonus(block, *chosen)
        for _ in range(states.scoring.rolls - 1):
            lattice.average(mean, spare)
            lattice.average(moment, spare)
            self._tag(mean, tagged)
            lattice.best(tagged[: len(mean)], spare)
            self._choose(tagged[rolls], (mean, moment), chosen)
        for array, values in zip(self.table, chosen, strict=True):
            array[at] = np.einsum("i,ij", lattice.chances, values).reshape(len(upper), -1)

    def _tag(self, values: Values, tagged: Values) -> None:
        """Does the same as `lattice.tag`, into a buffer.

        Values of boxes that are used are negative, and so never the maximum.
        """
        bits = tagged[: len(values)].view(np.int64)
        np.bitwise_and(values.view(np.int64), ~self._mask, out=bits)
        np.bitwise_or(bits, self._tags[: len(values)], out=bits)

    def _choose(
        self,
        best: Values,
        source: tuple[Values, Values],
        chosen: tuple[Values, Values],
        order: Places | None = None,
    ) -> None:
        """Copies what `best` is tagged with from both arrays of `source` to those of `chosen`.

        `order` are the places of the rows of `best` in `chosen`; None if they are in order.
        """
        rolls, size = best.shape
        places = self._places[: rolls * size].reshape(rolls, size)
        spare = self._spare[: rolls * size].reshape(rolls, size)
        np.bitwise_and(best.view(np.int64), self._mask, out=places)
        np.multiply(places, size, out=places)
        np.add(places, self._columns[:size], out=places)
        for values, to in zip(source, chosen, strict=True):
            np.take(values, places, out=spare, mode="clip")
            if order is None:
                np.copyto(to, spare)
            else:
                np.take(spare, order, axis=0, out=to, mode="clip")


def _blocks(uppers: range, lowers: Places, most: int) -> Iterator[tuple[Places, Places]]:
    """All pairs of `uppers` and `lowers`, in blocks of at most `most`."""
    high = min(len(uppers), most)
    wide = most // high
    for start in range(0, len(uppers), high):
        upper = np.array(uppers[start : start + high], np.intp)
        for at in range(0, len(lowers), wide):
            yield upper, lowers[at : at + wide]
