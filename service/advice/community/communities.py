"""Whole communities: every one that the dice still to come can make, with its chance; and every
pocket, with its strength in each, and how many rolls beat it. Flops up to the names of their suits:
what is worked out for one is looked up for all alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations_with_replacement, groupby, product
from math import comb, factorial, perm, prod

import numpy as np
from numpy.typing import NDArray

from service.batch.kernels import SuitedKernel
from service.rules.dice import Dice

Counts = tuple[int, ...]
"""A number of dice for each suit."""

_BLOCK = 1 << 14
"""Hands to work on at a time: intermediate arrays stay in the processor's cache."""


@cache
def counts_of(dice: int, suits: int) -> tuple[Counts, ...]:
    """Every way to have `dice` dice in `suits` suits, as the number of dice of each suit."""
    chosen = combinations_with_replacement(range(suits), dice)
    return tuple(tuple(map(some.count, range(suits))) for some in chosen)


def factorials(counts: Sequence[int]) -> int:
    """The product of the factorials of `counts`."""
    return prod(factorial(count) for count in counts)


def orders(counts: Sequence[int]) -> int:
    """In how many orders dice can be drawn, if there are `counts` of each suit."""
    return factorial(sum(counts)) // factorials(counts)


def chance_in_order(bag: Sequence[int], drawn: Sequence[int]) -> float:
    """The chance to draw dice with `drawn` of each suit from a `bag`, in one given order."""
    wanted = prod(map(perm, bag, drawn))
    return wanted / perm(sum(bag), sum(drawn))


def falling_counts(dice: int, suits: int, most: int) -> Iterator[Counts]:
    """The ways to have `dice`, at most `most` of a suit, with the most frequent suits first."""
    if suits == 0:
        if dice == 0:
            yield ()
        return
    for first in range(min(dice, most), -1, -1):
        for others in falling_counts(dice - first, suits - 1, first):
            yield (first, *others)


@dataclass(frozen=True, eq=False)
class Communities:
    """Communities in groups: those of a group have the same suits among the dice still to come.

    `tallies` has a row for each suit and a column for each community. `groups` has the number of
    those dice of each suit, and the columns. `chances` is the chance of each community once its
    suits have come in one given order: multiply it by the chance of that.
    """

    tallies: NDArray[np.intp]
    chances: NDArray[np.float64]
    groups: tuple[tuple[Counts, slice], ...]


def complete_communities(
    kernel: SuitedKernel, dice: Dice, lying: Sequence[int], coming: int
) -> Communities:
    """Every community with the dice `lying` (codes) and `coming` more."""
    fixed = [
        kernel.tally(dice.number_of[code] for code in lying if dice.suit_of[code] == suit)
        for suit in range(len(dice.suits))
    ]
    found = _every(kernel, dice, coming, counts_of(coming, len(dice.suits)), names=True)
    return Communities(found.tallies + np.array(fixed)[:, None], found.chances, found.groups)


def up_to_names(kernel: SuitedKernel, dice: Dice, coming: int) -> Communities:
    """The communities of `coming` dice, one for all that differ only in the names of suits.

    The suits with the most dice come first. The sum over all ways to rename the suits counts each
    community once.
    """
    falling = falling_counts(coming, len(dice.suits), dice.per_suit)
    return _every(kernel, dice, coming, falling, names=False)


def count_complete(dice: Dice, coming: int) -> int:
    """The number of communities that `complete_communities` returns."""
    return comb(len(dice.notation) + coming - 1, coming)


def count_up_to_names(dice: Dice, coming: int) -> int:
    """The number of communities that `up_to_names` returns."""
    return sum(
        prod(
            comb(comb(dice.faces + count - 1, count) + suits - 1, suits)
            for count, suits in Counter(counts).items()
        )
        for counts in falling_counts(coming, len(dice.suits), dice.per_suit)
    )


def _every(
    kernel: SuitedKernel, dice: Dice, coming: int, groups: Iterable[Counts], *, names: bool
) -> Communities:
    """Every community of `coming` dice with the suits in `groups`.

    Without `names`, suits with equally many dice are in one order only.
    """
    tallies, chances, slices, end = [], [], [], 0
    rolled = [_Rolled(kernel, dice, count) for count in range(coming + 1)]
    ways = factorial(coming) / dice.faces**coming
    for counts in groups:
        parts = []
        for count, suits in groupby(counts):
            rolls, repeat = range(len(rolled[count].tallies)), len([*suits])
            parts.append(
                product(rolls, repeat=repeat)
                if names
                else combinations_with_replacement(rolls, repeat)
            )
        chosen = np.array([[*chain.from_iterable(choice)] for choice in product(*parts)])
        tallies.append([rolled[n].tallies[chosen[:, suit]] for suit, n in enumerate(counts)])
        chance = np.full(len(chosen), ways)
        for suit, count in enumerate(counts):
            chance *= rolled[count].chances[chosen[:, suit]]
        if not names:
            chance /= _repeated(counts, chosen)
        chances.append(chance)
        slices.append((counts, slice(end, end + len(chosen))))
        end += len(chosen)
    return Communities(np.concatenate(tallies, axis=1), np.concatenate(chances), tuple(slices))


class _Rolled:
    """The rolls of `count` dice of one suit: tallies, and 1 by the factorials of the counts."""

    def __init__(self, kernel: SuitedKernel, dice: Dice, count: int) -> None:
        rolls = [*combinations_with_replacement(range(1, dice.faces + 1), count)]
        self.tallies = np.array([kernel.tally(roll) for roll in rolls], np.intp)
        self.chances = 1 / np.array([factorials([*Counter(roll).values()]) for roll in rolls])


def _repeated(counts: Counts, chosen: NDArray[np.intp]) -> NDArray[np.int64]:
    """How many ways to rename suits leave each row as it is.

    Suits that are alike are side by side, so a run of `n` of them adds the factors 1 to `n`.
    """
    ways = np.ones(len(chosen), np.int64)
    run = np.ones(len(chosen), np.int64)
    for suit in range(1, len(counts)):
        same = counts[suit] == counts[suit - 1]
        run = np.where(same & (chosen[:, suit] == chosen[:, suit - 1]), run + 1, 1)
        ways *= run
    return ways


class Pockets:
    """Every pocket of `size` dice, numbered from 0.

    `suits` has each choice of suits that a pocket can have, as the number of dice of each suit.
    `suits_of` is the position there of each pocket. Dice with these suits, in a given order, can
    roll in `rolls` ways; `ways` of them make the pocket. `tallies` has a row for each suit and a
    column for each pocket.
    """

    def __init__(self, dice: Dice, size: int, kernel: SuitedKernel) -> None:
        self.size, self.rolls = size, dice.faces**size
        self.suits = counts_of(size, len(dice.suits))
        position = {counts: index for index, counts in enumerate(self.suits)}
        pockets = [*combinations_with_replacement(range(len(dice.notation)), size)]
        self._number = {pocket: number for number, pocket in enumerate(pockets)}
        self.suits_of = np.empty(len(pockets), np.intp)
        self.ways = np.empty(len(pockets), np.float64)
        self.tallies = np.zeros((len(dice.suits), len(pockets)), np.intp)
        tally = [kernel.tally((number,)) for number in dice.number_of]
        for number, pocket in enumerate(pockets):
            counts = [0] * len(dice.suits)
            for code in pocket:
                counts[dice.suit_of[code]] += 1
                self.tallies[dice.suit_of[code], number] += tally[code]
            self.suits_of[number] = position[tuple(counts)]
            self.ways[number] = factorials(counts) // factorials([*Counter(pocket).values()])

    def __len__(self) -> int:
        return len(self._number)

    def number(self, codes: Sequence[int]) -> int:
        """The number of the pocket with the dice `codes`, in any order."""
        return self._number[tuple(sorted(codes))]


class Showdowns:
    """The hands of all `pockets` with each community.

    The different strengths with a community are its *levels*, from 1 up. `levels` has the level of
    each pocket with each community, of shape (communities, pockets). All levels of all communities
    are rows of two tables, those of a community from the row `first` on: `strengths`, and `up_to`,
    how many rolls of a pocket with certain suits are of this level or below. The latter has a
    column for each choice of suits. Level 0 is below all pockets.
    """

    def __init__(self, kernel: SuitedKernel, pockets: Pockets, tallies: NDArray[np.intp]) -> None:
        count, choices = tallies.shape[1], len(pockets.suits)
        self.levels = np.empty((count, len(pockets)), np.min_scalar_type(len(pockets)))
        self.first = np.empty(count, np.int32)
        strengths, up_to, end = [], [], 0
        size = max(1, _BLOCK // len(pockets))
        for start in range(0, count, size):
            block = tallies[:, start : start + size, np.newaxis]
            found = kernel.strengths_of([*(block + pockets.tallies[:, np.newaxis])])
            held = np.zeros((len(found), kernel.strongest + 1), bool)
            held[:, 0] = True  # level 0
            cells = found + np.arange(0, held.size, held.shape[1])[:, np.newaxis]
            held.ravel()[cells] = True
            rows = held.ravel().cumsum(dtype=np.intp)[cells] - 1
            level = held.ravel().nonzero()[0] % held.shape[1]
            first = (level == 0).nonzero()[0]
            rolls = np.bincount(
                (rows + pockets.suits_of * len(level)).ravel(),
                np.tile(pockets.ways, len(found)),
                len(level) * choices,
            )
            total = rolls.reshape(choices, -1).cumsum(axis=1)
            total -= pockets.rolls * ((level == 0).cumsum() - 1)  # those of other communities
            strengths.append(level.astype(np.uint16))
            up_to.append(total.T.astype(np.min_scalar_type(pockets.rolls)))
            self.levels[start : start + size] = rows - first[:, np.newaxis]
            self.first[start : start + size] = first + end
            end += len(level)
        self.strengths = np.concatenate(strengths)
        self.up_to = np.concatenate(up_to)


Flop = tuple[int, ...]
"""The codes of its dice, in order."""


def renaming(dice: Dice, flop: Sequence[int]) -> list[int]:
    """The new code of each die, by which flops that differ only in the names of suits are one."""
    suits = range(len(dice.suits))
    shown = [
        sorted(dice.number_of[die] for die in flop if dice.suit_of[die] == suit) for suit in suits
    ]
    order = sorted(suits, key=shown.__getitem__, reverse=True)
    codes = range(len(dice.notation))
    return [dice.faces * order.index(dice.suit_of[code]) + code % dice.faces for code in codes]


def renamed(codes: Sequence[int], flop: Sequence[int]) -> Flop:
    """The `flop` with new `codes` for its dice."""
    return tuple(sorted(codes[die] for die in flop))


@cache
def flop_rows(dice: Dice, size: int) -> dict[Flop, int]:
    """The number of each flop of `size` dice that `renaming` leaves, from 0."""
    flops = combinations_with_replacement(range(len(dice.notation)), size)
    found = {renamed(renaming(dice, flop), flop) for flop in flops}
    return {flop: row for row, flop in enumerate(sorted(found))}
