"""Finds the number of each roll of plain dice in an array, by look-ups."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from service.rules.dice import Dice

_TABLE = 18
"""The most bits of a roll for a table of all orders: six dice of up to seven faces."""

_WORD = 63
"""The bits that counts of dice may take."""

_BLOCK = 1 << 15
"""Rolls to look up at a time: intermediate arrays stay in the processor's cache."""


class RollKernel:
    """Numbers every roll of `dice` from 1, whatever its order; 0 stands for an impossible roll.

    The index of a roll is its dice as bits side by side, so that no die needs its own arithmetic.
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


class CountKernel:
    """Does the same for more dice than fit in a table of all orders.

    One look-up for each die, added up, counts how many dice show each number or a lower one, as
    bits side by side. A roll's number is the rank of these counts among those of all rolls. This
    rank is a sum of binomial coefficients: one look-up for each number except the highest.
    """

    def __init__(self, dice: Dice) -> None:
        self._faces, self._bits = dice.faces, dice.count.bit_length()
        up_to = [
            sum(1 << self._bits * (number - 1) for number in range(die, dice.faces))
            for die in range(1, dice.faces + 1)
        ]
        self._up_to = np.zeros(256, np.uint64)
        self._up_to[1 : dice.faces + 1] = up_to
        self._places = np.array(
            [
                [comb(count + number - 1, number) for count in range(dice.count + 1)]
                for number in range(1, dice.faces)
            ],
            np.uint16,
        )
        faces = range(1, dice.faces + 1)
        rolls = list(combinations_with_replacement(faces, dice.count))
        self.rolls = tuple(rolls)
        order = np.argsort(self.numbers(np.array(rolls, np.uint8)))
        self.rolls = tuple(rolls[place] for place in order)

    def numbers(self, rolls: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """The number of each of `rolls`, of shape (rolls, dice); 0 where a die can't be."""
        numbers = np.empty(len(rolls), np.uint16)
        for start in range(0, len(rolls), _BLOCK):
            block = rolls[start : start + _BLOCK]
            counts = np.zeros(len(block), np.uint64)
            for die in block.T:
                counts += self._up_to[die]
            number = np.ones(len(block), np.uint16)
            mask = np.uint64((1 << self._bits) - 1)
            for face, places in enumerate(self._places):
                number += places[(counts >> np.uint64(self._bits * face)) & mask]
            number[((block == 0) | (block > self._faces)).any(axis=1)] = 0
            numbers[start : start + _BLOCK] = number
        return numbers


@cache
def roll_kernel(dice: Dice) -> RollKernel | CountKernel:
    """The kernel for `dice`; equal dice share one."""
    in_table = dice.faces.bit_length() * dice.count <= _TABLE
    in_word = dice.count.bit_length() * (dice.faces - 1) <= _WORD
    return CountKernel(dice) if in_word and not in_table else RollKernel(dice)
