"""The lattice of kept dice: every keep of 0 to all dice, and the steps of a turn over all keeps.

A *keep* is a multiset of faces; a *roll* is a keep of all dice. It makes no difference whether dice
are rolled together or one after the other. So the value of a keep is the mean over the faces of the
value of that keep with one more die. Likewise, the best part of a roll is the roll itself, or the
best part of the roll without one of its dice. For five dice, that takes a few thousand additions
and comparisons; a table of all keeps and rolls would take 116,424 products.

Values are arrays with a row for each keep, in the order of `Lattice.keeps`, and a column for each
state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.intp]


class Lattice:
    """All keeps of up to `count` dice with `faces` faces.

    `keeps` are sorted tuples of faces, by their number of dice; among as many, those with more
    different faces are first, then they are in lexicographic order. `rolls` are the last of them,
    the keeps of all dice, and `first_roll` is the place of the first of these. `chances` has the
    chance of each roll of all dice.
    """

    def __init__(self, count: int, faces: int) -> None:
        self.count = count
        self.faces = faces
        self._starts = [0]
        keeps: list[tuple[int, ...]] = []
        for size in range(count + 1):
            alike = combinations_with_replacement(range(1, faces + 1), size)
            keeps += sorted(alike, key=lambda keep: -len(set(keep)))
            self._starts.append(len(keeps))
        self.keeps = tuple(keeps)
        self.places = {keep: place for place, keep in enumerate(keeps)}
        self.first_roll = self._starts[count]
        self.rolls = self.keeps[self.first_roll :]
        ways = [factorial(count) / prod(factorial(n) for n in _counts(roll)) for roll in self.rolls]
        self.chances: Values = np.array(ways) / float(faces) ** count
        self._more = [np.array([*self._one_more(size)], dtype=np.intp) for size in range(count)]
        self._fewer = [[*self._one_fewer(size)] for size in range(count + 1)]

    @staticmethod
    def size(count: int, faces: int) -> int:
        """The number of keeps of a lattice, without making it."""
        return comb(count + faces, count)

    def average(self, values: Values, spare: Values) -> None:
        """Fills in the value of every smaller keep: the mean over what its other dice show.

        `values` has the shape (keeps, states), with the values of rolls known. `spare` has room for
        (rolls, states).
        """
        for size in reversed(range(self.count)):
            start, end = self._starts[size : size + 2]
            mean, one = values[start:end], spare[: end - start]
            first, *others = self._more[size]
            np.take(values, first, axis=0, out=mean, mode="clip")
            for more in others:
                np.take(values, more, axis=0, out=one, mode="clip")
                np.add(mean, one, out=mean)
            np.multiply(mean, 1 / self.faces, out=mean)

    def best(self, values: Values, spare: Values) -> None:
        """Replaces the value of every keep by the highest of those within it.

        `values` has the shape (keeps, states), `spare` has room for (rolls, states).
        """
        for size in range(1, self.count + 1):
            start, end = self._starts[size : size + 2]
            best = values[start:end]
            for fewer in self._fewer[size]:
                one = spare[: len(fewer)]
                np.take(values, fewer, axis=0, out=one, mode="clip")
                np.maximum(best[: len(fewer)], one, out=best[: len(fewer)])

    def parts(self) -> Iterator[tuple[slice, Places]]:
        """Some keeps of equal size, and the places of the same keeps without one die.

        Together they are all ways to take a die away, smaller keeps first.
        """
        for start, ways in zip(self._starts, self._fewer, strict=False):
            for fewer in ways:
                yield slice(start, start + len(fewer)), fewer

    def _one_more(self, size: int) -> Iterator[list[int]]:
        """For each face, the places of all keeps of `size` dice with this face added."""
        keeps = self.keeps[self._starts[size] : self._starts[size + 1]]
        for face in range(1, self.faces + 1):
            yield [self.places[tuple(sorted((*keep, face)))] for keep in keeps]

    def _one_fewer(self, size: int) -> Iterator[Places]:
        """The places of all keeps of `size` dice without their first face, second face, and so on.

        Those with fewer different faces are last, so that each array is for the first keeps.
        """
        keeps = self.keeps[self._starts[size] : self._starts[size + 1]]
        for nth in range(min(size, self.faces)):
            without = [_without(keep, nth) for keep in keeps if len(set(keep)) > nth]
            yield np.array([self.places[keep] for keep in without], dtype=np.intp)


@lru_cache(maxsize=4)
def lattice(count: int, faces: int) -> Lattice:
    """The lattice of `count` dice with `faces` faces; the last few are remembered."""
    return Lattice(count, faces)


def _counts(dice: Sequence[int]) -> list[int]:
    """How many dice show each of the faces that `dice` show."""
    return [dice.count(face) for face in set(dice)]


def _without(keep: tuple[int, ...], nth: int) -> tuple[int, ...]:
    """The sorted `keep` without one die of its nth face, counted from 0."""
    place = keep.index(sorted(set(keep))[nth])
    return keep[:place] + keep[place + 1 :]
