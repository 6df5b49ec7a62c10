"""Whole arrays of hands at once, by look-ups: the number of each roll, the best of suited dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, permutations, zip_longest
from math import comb

import numpy as np
from numpy.typing import NDArray

from service.kinds.ranking.hand_table import BestOf, HandTable
from service.rules.dice import Dice

_TABLE = 18
"""The most bits of a roll for a table of all orders: six dice of up to seven faces."""

_COUNTS_BITS = 63
"""The bits that counts of dice may take."""

_ROLLS = 1 << 15
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
        for start in range(0, len(rolls), _ROLLS):
            block = rolls[start : start + _ROLLS]
            if block.max() >> self._bits:  # bits of such a die would be taken for the next one's
                block = np.where((block >> self._bits).any(axis=1, keepdims=True), 0, block)
            index, *others = block.T.astype(self._index_type, order="C")
            for dice in others:
                index <<= self._bits
                index |= dice
            np.take(self._numbers, index, out=numbers[start : start + _ROLLS], mode="clip")
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
        for start in range(0, len(rolls), _ROLLS):
            block = rolls[start : start + _ROLLS]
            counts = np.zeros(len(block), np.uint64)
            for die in block.T:
                counts += self._up_to[die]
            number = np.ones(len(block), np.uint16)
            mask = np.uint64((1 << self._bits) - 1)
            for face, places in enumerate(self._places):
                number += places[(counts >> np.uint64(self._bits * face)) & mask]
            number[((block == 0) | (block > self._faces)).any(axis=1)] = 0
            numbers[start : start + _ROLLS] = number
        return numbers


@cache
def roll_kernel(dice: Dice) -> RollKernel | CountKernel:
    """The kernel for `dice`; equal dice share one."""
    in_table = dice.faces.bit_length() * dice.count <= _TABLE
    in_word = dice.count.bit_length() * (dice.faces - 1) <= _COUNTS_BITS
    return CountKernel(dice) if in_word and not in_table else RollKernel(dice)


_HANDS = 1 << 14
"""Hands to score at a time: intermediate arrays stay in the processor's cache."""

_WORD = 64
"""Bits of the integers that hold the tallies of several suits side by side."""


class SuitedKernel:
    """The best hand of each row of suited dice, as `BestOf` finds it for one (H3, H21).

    A suit's tally is how many of its dice show each number, as bits side by side; the tallies of
    all suits add up to that of the numbers. Both are looked up in tables made from `best_of`.
    """

    def __init__(self, best_of: BestOf, table: HandTable, dice: Dice) -> None:
        self._best_of, self._table, self._dice = best_of, table, dice
        self.size, self.most = best_of.size, best_of.most
        self._bits = best_of.most.bit_length()
        self._width = self._bits * dice.faces
        self._per_word = _WORD // self._width
        tallies = 1 << self._width
        self._shown = np.zeros(tallies, np.uint64)
        self._best = np.zeros(tallies, np.uint16)
        self._of_one_suit = np.zeros(tallies, np.uint16)
        strengths = [[0] * (self.size + 1)]
        wanted: list[list[int]] = [[]]
        rows: dict[tuple[tuple[int, ...], ...], int] = {}
        for count in range(1, best_of.most + 1):
            for numbers in combinations_with_replacement(range(1, dice.faces + 1), count):
                tally = self.tally(numbers)
                self._shown[tally] = best_of.packed(numbers)
                if count < self.size:
                    continue
                choices, packed = zip(*best_of.best(numbers), strict=True)
                if choices not in rows:
                    rows[choices] = len(strengths)
                    strengths.append(
                        [min(table.strength(c, m) for c in choices) for m in range(self.size + 1)]
                    )
                    wanted.append([*packed])
                self._best[tally] = rows[choices]
                self._of_one_suit[tally] = max(
                    table.strength(choice, self.size) for choice in combinations(numbers, self.size)
                )
        self._strengths = np.array(strengths, np.uint16)
        self._wanted = np.array([*zip_longest(*wanted, fillvalue=0)], np.uint64)
        # what each die adds to the tallies in a word: nothing if its suit is in another
        self._words = np.zeros(
            (-(-len(dice.suits) // self._per_word), len(dice.notation)), np.uint64
        )
        for code, (suit, number) in enumerate(zip(dice.suit_of, dice.number_of, strict=True)):
            word, place = divmod(suit, self._per_word)
            self._words[word, code] = self.tally((number,)) << self._width * place

    @property
    def strongest(self) -> int:
        """The strength of the strongest hand."""
        return int(self._strengths.max())

    def tally(self, numbers: Iterable[int]) -> int:
        """The tally of a suit whose dice show `numbers`: the sum of those of each die."""
        return sum(1 << self._bits * (number - 1) for number in numbers)

    def strengths(self, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """The strength of the best hand in each row of codes, of shape (hands, dice).

        0 stands for dice that can't lie on one table: no such code, or more of a suit than there
        are (H24).
        """
        strengths = np.empty(len(hands), np.uint16)
        for start in range(0, len(hands), _HANDS):
            block = hands[start : start + _HANDS]
            strengths[start : start + _HANDS] = self._strengths_of(block)
        return strengths

    def picked(self, hands: NDArray[np.uint8], strengths: NDArray[np.uint16]) -> NDArray[np.uint8]:
        """The dice of the best hand in each row, in the order in which they count.

        `strengths` are those of the rows; a strength must stand for one hand, as it does by default
        rules. The dice are the ones that `BestOf` picks: if there are too many dice of a number,
        those of the suit that the hand has most of come first. The shape is (hands, dice of a
        hand).
        """
        wanted, places, needed = self._by_strength
        shown = [self._shown[tally] & wanted[strengths] for tally in self._tallies(hands)]
        suit = np.bitwise_count(np.stack(shown)).argmax(axis=0)
        place = places[strengths[:, np.newaxis], hands % self._dice.faces]
        other = hands // self._dice.faces != suit[:, np.newaxis]
        dice = np.sort(place << 8 | other << np.uint16(7) | hands, axis=1)
        place = dice >> np.uint16(8)
        before = np.zeros_like(dice)  # dice of the same number that come first
        for die in range(1, dice.shape[1]):
            same = place[:, die] == place[:, die - 1]
            before[:, die] = np.where(same, before[:, die - 1] + 1, 0)
        taken = before < needed[strengths[:, np.newaxis], place]
        counting = np.where(taken, place << 8 | dice & 0x7F, 0xFFFF)
        counting.sort(axis=1)
        return (counting[:, : self.size] & 0x7F).astype(np.uint8)

    @cached_property
    def _by_strength(self) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint16]]:
        """For each strength: the packed hand, where each number comes in it, and how often.

        "Where" is the position of the first die with that number, or a position past the hand if
        the number isn't in it. "How often" is indexed by that position.
        """
        hands = {hand.strength: hand for hand in self._table}
        wanted = np.zeros(len(hands) + 1, np.uint64)
        places = np.full((len(hands) + 1, self._dice.faces), self.size, np.uint16)
        needed = np.zeros((len(hands) + 1, self.size + 1), np.uint16)
        for strength, hand in hands.items():
            wanted[strength] = self._best_of.packed(hand.best)
            for number in hand.best:
                place = hand.best.index(number)
                places[strength, number - 1] = place
                needed[strength, place] = hand.best.count(number)
        return wanted, places, needed

    def _strengths_of(self, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
        codes = len(self._dice.notation)
        impossible: NDArray[np.bool_] = np.zeros(len(hands), bool)
        if hands.max() >= codes:
            np.any(hands >= codes, axis=1, out=impossible)
            hands = np.where(impossible[:, np.newaxis], 0, hands)
        suits = self._tallies(hands)
        strengths = self.strengths_of(suits)
        if hands.shape[1] > self._dice.per_suit:
            for tally in suits:
                impossible |= np.bitwise_count(self._shown[tally]) > self._dice.per_suit
        strengths[impossible] = 0
        return strengths

    def strengths_of(self, suits: Sequence[NDArray[np.intp]]) -> NDArray[np.uint16]:
        """The strength of the best hand in each place of arrays of one shape, a tally each suit.

        There may be more dice of a suit than the set has.
        """
        numbers = suits[0].copy()
        for tally in suits[1:]:
            numbers += tally
        best = self._best[numbers].astype(np.intp)
        choices = [wanted.take(best) for wanted in self._wanted]
        most = np.zeros(numbers.shape, np.uint8)
        of_one_suit = np.zeros(numbers.shape, np.uint16)
        for tally in suits:
            shown = self._shown[tally]
            for wanted in choices:
                np.maximum(most, np.bitwise_count(shown & wanted), out=most)
            np.maximum(of_one_suit, self._of_one_suit[tally], out=of_one_suit)
        best *= self.size + 1
        best += most
        return np.maximum(self._strengths.take(best), of_one_suit)  # take: faster than two indices

    def _tallies(self, hands: NDArray[np.uint8]) -> list[NDArray[np.intp]]:
        """The tally of each suit in each row."""
        tallies: list[NDArray[np.intp]] = []
        mask = np.uint64((1 << self._width) - 1)
        for word in self._words:
            both = word[hands[:, 0]]
            for die in range(1, hands.shape[1]):
                both += word[hands[:, die]]
            for place in range(min(self._per_word, len(self._dice.suits) - len(tallies))):
                tallies.append((both >> np.uint64(self._width * place) & mask).astype(np.intp))
        return tallies
