"""Every pocket of a game, numbered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from service.advice.community.suits import counts_of, factorials
from service.batch.suited_kernel import SuitedKernel
from service.rules.dice import Dice


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
