"""Solving a score card backward: the expected points still to come, and their second moment.

The states of a card are solved with fewer open boxes first, in blocks that fit in the cache. In a
block, each array has a row for each keep or each candidate box, and a column for each state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from service.advice.scorecard.argmax import mask_of
from service.advice.scorecard.candidates import Candidates
from service.advice.scorecard.states import States
from service.advice.scorecard.uppers import Places

BLOCK = 256
"""The most states in a block: with five dice, its arrays have a megabyte each."""

MAX_VALUES = 250_000
"""The most values in such an array: with more dice, a block has fewer states."""

Values = NDArray[np.float64]


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
        self._every_upper = (1 << len(states.scoring.upper)) - 1
        self._every_lower = (1 << len(states.scoring.lower)) - 1
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

        def still_open(place: int) -> int:
            return (self._every_lower & ~states.lowers[place][0]).bit_count()

        by_open = sorted(range(states.lower_count), key=still_open)
        layers = [np.array([*layer], np.intp) for _, layer in groupby(by_open, key=still_open)]
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
        if used == self._every_upper and states.lowers[lower[0]][0] == self._every_lower:
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
        """Does the same as `service.advice.scorecard.argmax.tag`, into a buffer.

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
