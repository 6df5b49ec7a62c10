"""Every pocket of a game, and with every community its strength and how many rolls beat it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from service.advice.community.communities import counts_of, factorials
from service.batch.kernels import SuitedKernel
from service.rules.dice import Dice

_BLOCK = 1 << 14
"""Hands to work on at a time: intermediate arrays stay in the processor's cache."""


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
