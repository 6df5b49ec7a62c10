"""Whole arrays of plain rolls at once: each roll's number among all rolls, by look-up."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, permutations

import numpy as np
from numpy.typing import NDArray

from service.rules.dice import Dice

_BLOCK = 1 << 15
"""Rolls at a time, so that what is made in between stays in the processor's cache."""


class RollKernel:
    """The rolls of all of `dice` whatever their order, from 1 on; 0 stands for what is no roll.

    A roll is found by its dice as bits side by side, so that no die needs arithmetic of its own.
    """

    def __init__(self, dice: Dice) -> None:
        faces = range(1, dice.faces + 1)
        self.rolls = tuple(combinations_with_replacement(faces, dice.count))
        self._bits = dice.faces.bit_length()
        self._numbers = np.zeros(1 << self._bits * dice.count, np.uint16)
        self._index_type = np.min_scalar_type(len(self._numbers) - 1)
        for number, roll in enumerate(self.rolls, start=1):
            for order in set(permutations(roll)):
                self._numbers[self._index(order)] = number

    def _index(self, roll: tuple[int, ...]) -> int:
        index = 0
        for die in roll:
            index = index << self._bits | die
        return index

    def numbers(self, rolls: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """The number of each of `rolls`, of shape (rolls, dice); 0 where a die can't be."""
        numbers = np.empty(len(rolls), np.uint16)
        for start in range(0, len(rolls), _BLOCK):
            block = rolls[start : start + _BLOCK]
            if block.max() >> self._bits:  # bits of such a die would be taken for the next one's
                block = np.where((block >> self._bits).any(axis=1, keepdims=True), 0, block)
            index, *others = block.T.astype(self._index_type, order="C")
            for dice in others:
                index <<= self._bits
                index |= dice
            np.take(self._numbers, index, out=numbers[start : start + _BLOCK], mode="clip")
        return numbers


@cache
def roll_kernel(dice: Dice) -> RollKernel:
    """The kernel for `dice`, made once for all that are alike."""
    return RollKernel(dice)
