"""Finds the best hand among more suited dice than a hand has, by look-ups instead of a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

from service.kinds.ranking.hand_table import Hand, HandTable
from service.rules.dice import Dice

_FIELD = 8
"""Bits of a packed hand for each number, in unary, so at most this many dice of one number."""


class BestOf:
    """The best hand of `size` out of up to `most` suited dice.

    Dice are *packed* into an integer with a field for each number. The field has as many ones as
    there are dice of that number, so the common dice of two sets take one AND.
    """

    def __init__(self, table: HandTable, dice: Dice, *, size: int, most: int) -> None:
        if most > _FIELD:
            raise ValueError(f"{most} dice are more than the {_FIELD} of one number that fit")
        self._table, self.size, self.most = table, size, most
        self._suit_of, self._number_of = dice.suit_of, dice.number_of
        self._no_dice = (0,) * len(dice.suits)
        self._tally = tuple(1 << 4 * (number - 1) for number in dice.number_of)
        self._packed: dict[int, int] = {0: 0}
        self._best: dict[int, tuple[tuple[int, ...], int]] = {}
        self._faces = range(1, dice.faces + 1)
        self._grouped: dict[tuple[int, ...], tuple[tuple[int, int], ...]] = {}
        for count in range(1, most + 1):
            for numbers in combinations_with_replacement(self._faces, count):
                tally = _tally(numbers)
                self._packed[tally] = _pack(numbers)
                if count >= size:
                    best = max(combinations(numbers, size), key=table.plain_strength)
                    self._best[tally] = best, _pack(best)

    def packed(self, numbers: Sequence[int]) -> int:
        """Packs `numbers`."""
        return self._packed[_tally(numbers)]

    def best(self, numbers: Sequence[int]) -> tuple[tuple[int, ...], int]:
        """The best of `numbers` regardless of suits, plain and packed."""
        return self._best[_tally(numbers)]

    def tallies(self, codes: Sequence[int]) -> list[int]:
        """For each suit, how many of its dice show each number, four bits a number."""
        tallies = list(self._no_dice)
        for code in codes:
            tallies[self._suit_of[code]] += self._tally[code]
        return tallies

    def counts(self, tallies: Sequence[int]) -> list[int]:
        """How many dice there are of each suit."""
        return [self._packed[tally].bit_count() for tally in tallies]

    def hand(self, codes: Sequence[int], tallies: Sequence[int]) -> tuple[Hand, tuple[int, ...]]:
        """The best hand among `codes`, which have these `tallies`, and its dice.

        It is the stronger of two (H3, H21): the best numbers regardless of suits, with as many dice
        as possible of one suit; or the best dice of a suit that has enough for a hand. The dice are
        in the order in which they count, those of the same number by suit.
        """
        numbers, wanted = self._best[sum(tallies)]
        most, suit = 0, 0
        full = []
        for candidate, tally in enumerate(tallies):
            own = self._packed[tally]
            if own.bit_count() >= self.size:
                full.append(candidate)
            shared = (own & wanted).bit_count()
            if shared > most:
                most, suit = shared, candidate
        hand = self._table.sorted_hand(numbers, most)
        for candidate in full:
            shown = sorted(self._number_of[c] for c in codes if self._suit_of[c] == candidate)
            for choice in combinations(shown, self.size):
                of_one_suit = self._table.sorted_hand(choice, self.size)
                if of_one_suit.strength > hand.strength:
                    hand, suit = of_one_suit, candidate
        return hand, self._picked(hand, suit, codes)

    def _picked(self, hand: Hand, suit: int, codes: Sequence[int]) -> tuple[int, ...]:
        """Dice of `codes` that make `hand`, with as many as possible of `suit`."""
        showing: list[list[int]] = [[] for _ in self._faces]
        for code in sorted(codes):
            showing[self._number_of[code] - 1].append(code)
        picked: list[int] = []
        for number, needed in self._groups(hand.best):
            group = showing[number - 1]
            if len(group) > needed:
                group = sorted(sorted(group, key=lambda c: self._suit_of[c] != suit)[:needed])
            picked += group
        return tuple(picked)

    def _groups(self, numbers: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """Each of `numbers` once, in order, with its count."""
        try:
            return self._grouped[numbers]
        except KeyError:
            counted = tuple((number, numbers.count(number)) for number in dict.fromkeys(numbers))
            return self._grouped.setdefault(numbers, counted)


def _tally(numbers: Sequence[int]) -> int:
    """The count of each number in `numbers`, four bits a number."""
    return sum(1 << 4 * (number - 1) for number in numbers)


def _pack(numbers: Sequence[int]) -> int:
    """Packs `numbers`."""
    packed = 0
    for number in set(numbers):
        packed |= (1 << numbers.count(number)) - 1 << _FIELD * (number - 1)
    return packed
