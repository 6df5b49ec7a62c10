"""The lattice of kept dice: every keep of 0 to all dice, and the steps of a turn over all keeps.

A *keep* is a multiset of faces; a *roll* is a keep of all dice. It makes no difference whether dice
are rolled together or one after the other. So the value of a keep is the mean over the faces of the
value of that keep with one more die. Likewise, the best part of a roll is the roll itself, or the
best part of the roll without one of its dice. For five dice, that takes a few thousand additions
and comparisons; a table of all keeps and rolls would take 116,424 products. That table is faster
only for the few keeps within one roll (`Lattice.outcomes`).

Values are arrays with a row for each keep, in the order of `Lattice.keeps`, and a column for each
state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.intp]


MAX_OUTCOMES = 1 << 19
"""The most chances that `Lattice.outcomes` has, of 8 bytes each."""


class Lattice:
    """All keeps of up to `count` dice with `faces` faces.

    `keeps` are sorted tuples of faces, by their number of dice; among as many, those with more
    different faces are first, then they are in lexicographic order. `rolls` are the last of them,
    the keeps of all dice, and `first_roll` is the place of the first of these. `chances` has the
    chance of each roll of all dice.

    `sizes` has the range of the places of the keeps of each number of dice. `more[size]` has for
    each face the places of these keeps with that face added. `fewer[size]` has the places of these
    keeps without their first face, without their second, and so on; where a keep has fewer faces,
    without its first. `faces_shown[size]` counts the keeps that have a first face, a second, and so
    on: these are always the first ones.
    """

    def __init__(self, count: int, faces: int) -> None:
        self.count = count
        self.faces = faces
        keeps: list[tuple[int, ...]] = []
        self.sizes: list[slice] = []
        for size in range(count + 1):
            alike = combinations_with_replacement(range(1, faces + 1), size)
            start = len(keeps)
            keeps += sorted(alike, key=lambda keep: -len(set(keep)))
            self.sizes.append(slice(start, len(keeps)))
        self.keeps = tuple(keeps)
        self.places = {keep: place for place, keep in enumerate(keeps)}
        self.first_roll: int = self.sizes[count].start
        self.rolls = self.keeps[self.first_roll :]
        ways = [factorial(count) / prod(factorial(n) for n in _counts(roll)) for roll in self.rolls]
        self.chances: Values = np.array(ways) / float(faces) ** count
        self.more: list[Places] = [self._one_more(size) for size in range(count)]
        self.fewer: list[Places] = [self._one_fewer(size) for size in range(count + 1)]
        self.faces_shown = [self._shown(size) for size in range(count + 1)]

    @cached_property
    def outcomes(self) -> Values | None:
        """The chance of each roll after each keep, (keeps, rolls); None if that takes too much."""
        if len(self.keeps) * len(self.rolls) > MAX_OUTCOMES:
            return None
        chances = np.zeros((len(self.keeps), len(self.rolls)))
        chances[self.first_roll :] = np.eye(len(self.rolls))
        self.average(chances, np.empty((len(self.rolls), len(self.rolls))))
        return chances

    @cached_property
    def within(self) -> list[Places]:
        """`fewer`, with the places of the keeps themselves before it."""
        return [
            np.vstack([np.arange(keeps.start, keeps.stop), *fewer])
            for keeps, fewer in zip(self.sizes, self.fewer, strict=True)
        ]

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
            mean = values[self.sizes[size]]
            one = spare[: len(mean)]
            first, *others = self.more[size]
            np.take(values, first, axis=0, out=mean, mode="clip")
            for more in others:
                np.take(values, more, axis=0, out=one, mode="clip")
                np.add(mean, one, out=mean)
            np.multiply(mean, 1 / self.faces, out=mean)

    def best(self, values: Values, spare: Values) -> None:
        """Replaces the value of every keep by the highest of those within it.

        `values` has the shape (keeps, states), `spare` has room for (rolls, states).
        """
        for keeps, fewer in self.parts():
            best, one = values[keeps], spare[: len(fewer)]
            np.take(values, fewer, axis=0, out=one, mode="clip")
            np.maximum(best, one, out=best)

    def parts(self) -> Iterator[tuple[slice, Places]]:
        """Some keeps of equal size, and the places of the same keeps without one die.

        Together they are all ways to take a die away, smaller keeps first.
        """
        for size in range(1, self.count + 1):
            start: int = self.sizes[size].start
            for fewer, shown in zip(self.fewer[size], self.faces_shown[size], strict=True):
                yield slice(start, start + shown), fewer[:shown]

    def _one_more(self, size: int) -> Places:
        """`more[size]`."""
        keeps = self.keeps[self.sizes[size]]
        faces = range(1, self.faces + 1)
        return np.array(
            [[self.places[tuple(sorted((*keep, face)))] for keep in keeps] for face in faces],
            np.intp,
        )

    def _one_fewer(self, size: int) -> Places:
        """`fewer[size]`."""
        keeps = self.keeps[self.sizes[size]]
        nths = range(min(size, self.faces))
        return np.array(
            [[self.places[_without(keep, nth)] for keep in keeps] for nth in nths], np.intp
        )

    def _shown(self, size: int) -> list[int]:
        """`faces_shown[size]`."""
        shown = [len(set(keep)) for keep in self.keeps[self.sizes[size]]]
        return [sum(faces > nth for faces in shown) for nth in range(min(size, self.faces))]


@lru_cache(maxsize=4)
def lattice(count: int, faces: int) -> Lattice:
    """The lattice of `count` dice with `faces` faces; the last few are remembered."""
    return Lattice(count, faces)


def _counts(dice: Sequence[int]) -> list[int]:
    """How many dice show each of the faces that `dice` show."""
    return [dice.count(face) for face in set(dice)]


def _without(keep: tuple[int, ...], nth: int) -> tuple[int, ...]:
    """The sorted `keep` without one die of its nth face, counted from 0; if none, of its first."""
    faces = sorted(set(keep))
    place = keep.index(faces[nth] if nth < len(faces) else faces[0])
    return keep[:place] + keep[place + 1 :]
