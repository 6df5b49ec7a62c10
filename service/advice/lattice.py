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
from itertools import chain, combinations_with_replacement, product
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
            every = combinations_with_replacement(range(1, faces + 1), size)
            start = len(keeps)
            keeps += sorted(every, key=lambda keep: -len(set(keep)))
            self.sizes.append(slice(start, len(keeps)))
        self.keeps = tuple(keeps)
        self.places = {keep: place for place, keep in enumerate(keeps)}
        self.first_roll: int = self.sizes[count].start
        self.rolls = self.keeps[self.first_roll :]
        ways = [
            factorial(count) / prod(factorial(roll.count(face)) for face in set(roll))
            for roll in self.rolls
        ]
        self.chances: Values = np.array(ways) / float(faces) ** count
        self.more: list[Places] = []
        self.fewer: list[Places] = []
        self.faces_shown: list[list[int]] = []
        for size, alike in enumerate(self.sizes):
            some, nths = self.keeps[alike], range(min(size, faces))
            if size < count:
                more = [
                    [self.places[tuple(sorted((*keep, face)))] for keep in some]
                    for face in range(1, faces + 1)
                ]
                self.more.append(np.array(more, np.intp))
            fewer = [[self.places[_without(keep, nth)] for keep in some] for nth in nths]
            self.fewer.append(np.array(fewer, np.intp))
            shown = [len(set(keep)) for keep in some]
            self.faces_shown.append([sum(each > nth for each in shown) for nth in nths])

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

    def rolled(self, kept: Values) -> Values:
        """The chance of each roll after keeps with the chances `kept`, which it changes.

        They have the shape (keeps, states); whole rolls stay as they are.
        """
        for size, more in enumerate(self.more):
            for places in more:
                kept[places] += kept[self.sizes[size]] / self.faces
        return kept[self.first_roll :]

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


def keeps_of(dice: Sequence[int]) -> list[tuple[int, ...]]:
    """The places of everything that can be kept of `dice` for a roll; the first of equal dice.

    Keeps of more dice come first, and among as many, those with lower places.
    """
    places: dict[int, list[int]] = {}
    for place, face in enumerate(dice):
        places.setdefault(face, []).append(place)
    ways = product(*([own[:kept] for kept in range(len(own) + 1)] for own in places.values()))
    keeps = [tuple(sorted(chain.from_iterable(way))) for way in ways]
    return sorted(keeps, key=lambda keep: (-len(keep), keep))[1:]


@lru_cache(maxsize=4)
def lattice(count: int, faces: int) -> Lattice:
    """The lattice of `count` dice with `faces` faces; the last few are remembered."""
    return Lattice(count, faces)


def _without(keep: tuple[int, ...], nth: int) -> tuple[int, ...]:
    """The sorted `keep` without one die of its nth face, counted from 0; if none, of its first."""
    faces = sorted(set(keep))
    place = keep.index(faces[nth] if nth < len(faces) else faces[0])
    return keep[:place] + keep[place + 1 :]


def tag(values: Values) -> Values:
    """A copy of `values`, which aren't negative, with the number of its row in the lowest bits of
    each: the maximum of some tagged values says which row is the best.

    Positive floats are in the order of their bits, so tagged values are in the order of the values,
    and equal ones in that of the rows. A tag changes a value by 10^-13 of itself at most. Tagged
    values are only used to choose: what is chosen is taken from the exact values.
    """
    copy = values.copy()
    bits = copy.view(np.int64)
    bits &= ~mask_of(len(values))
    bits |= np.arange(len(values)).reshape(-1, *(1,) * (values.ndim - 1))
    return copy


def rows_of(values: Values, rows: int) -> Places:
    """The row that each of the tagged `values` comes from, of an array that has `rows` rows."""
    return values.view(np.int64) & mask_of(rows)


def mask_of(rows: int) -> int:
    """The bits that the numbers of `rows` take."""
    return (1 << (rows - 1).bit_length()) - 1
