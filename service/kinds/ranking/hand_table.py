"""Ranks of hands, and the table of every hand with its strength."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Annotated

from service.rules.dice import Dice
from service.rules.field_types import Clause, Must, OneLine, PartId, Switch
from service.rules.house_rules import HouseRules
from service.rules.patterns import GamePattern, Match

AT_ONCE, AT_SHOWDOWN, NEVER = WINNING = ("at_once", "showdown", "off")
"""When a hand wins the whole game: once it is there, at the showdown, or not at all."""

Winning = Annotated[
    str,
    Must(
        f"a house rule that is a choice of some or all of {', '.join(WINNING)}",
        lambda rule, game: {*game.rule_choices.get(rule, [""])} <= {*WINNING},
    ),
]
"""The name of a house rule that says when a hand wins the whole game."""


class Numbers(Enum):
    """Which numbers hands of the same rank compare, left to right."""

    ALL = "of the dice that make the rank, then of the others"
    MAKING = "of the dice that make the rank"
    OTHERS = "of the other dice"
    NONE = "none: all hands of the rank are equal"


@dataclass(frozen=True)
class Rank:
    """A rank of hands: the pattern it needs and what follows from holding it.

    `one_suit`: all its dice must also be of one suit. `winning`: whether it can win at all.
    `counts`: False for a roll that is not a hand, and is rolled again. `compares`: the numbers that
    two hands of the rank compare. `only_with` names the house rule without which the rank doesn't
    exist, `others_with` the one without which only the dice that make it count, and
    `wins_game_with` the one that says when it wins the whole game. `above` names a house rule and
    another rank: under that rule, this rank moves to just above the other.
    """

    id: PartId
    pattern: GamePattern
    needs: OneLine
    clause: Clause
    one_suit: bool = False
    winning: bool = True
    counts: bool = True
    compares: Numbers = Numbers.ALL
    only_with: Switch | None = None
    others_with: Switch | None = None
    wins_game_with: Winning | None = None
    above: tuple[Switch, str] | None = None

    @property
    def name(self) -> str:
        """The rank in words: "four of a kind"."""
        return self.id.replace("_", " ")

    def under(self, rules: HouseRules) -> Rank:
        """The rank as its hands compare under `rules`."""
        if self.others_with and not getattr(rules, self.others_with):
            return replace(self, compares=Numbers.MAKING)
        return self

    def numbers(self, match: Match) -> tuple[int, ...]:
        """The numbers that two hands of the rank compare, left to right."""
        return {
            Numbers.ALL: match.compared + match.rest,
            Numbers.MAKING: match.compared,
            Numbers.OTHERS: match.rest,
            Numbers.NONE: (),
        }[self.compares]

    def word(self, position: int) -> str:
        """Describes the compared number at `position`."""
        if self.compares is Numbers.OTHERS:
            return "next die" if position else "other die"
        return self.pattern.word(position)


class Compared(Enum):
    """What a tie-break compares in two hands of the same rank."""

    NUMBERS = "numbers"
    SUITS = "the most dice of one suit"


@dataclass(frozen=True)
class TieBreak:
    """A step in comparing hands of the same rank, in words, and the clause that defines it.

    `id` is a name for the catalogue. `only_with` names the house rule without which the step is
    left out.
    """

    id: PartId
    text: OneLine
    clause: Clause
    compares: Compared = Compared.NUMBERS
    only_with: Switch | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of one ranking.

    `best` are the numbers of its dice in the order in which they count, `numbers` those that
    hands of the same rank compare, left to right. `most_of_one_suit` is 0 if it doesn't break
    ties. `strength` counts from 1, the weakest hand there is; equal hands have the same.
    """

    rank: Rank
    numbers: tuple[int, ...]
    best: tuple[int, ...]
    most_of_one_suit: int
    strength: int


class HandTable:
    """Every hand of `size` dice under a ranking, each with its strength.

    `ranks` are from the highest down; the last must fit any dice. Two hands differ in their
    numbers or, with `suits` suits (0: plain dice), in the most dice of one suit, by which hands of
    equal numbers compare if `suits_break_ties`.
    """

    def __init__(
        self,
        ranks: Sequence[Rank],
        *,
        size: int,
        faces: int,
        suits: int,
        suits_break_ties: bool = True,
    ) -> None:
        self._fewest_of_one_suit = -(-size // suits) if suits else 0
        most = range(self._fewest_of_one_suit, size + 1) if suits else range(1)
        ranked = {
            (numbers, same): _first_rank(ranks, numbers, one_suit=same == size)
            for numbers in combinations_with_replacement(range(1, faces + 1), size)
            for same in most
        }

        def key(position: int, match: Match, same: int) -> tuple[int, tuple[int, ...], int]:
            """What hands are ordered by: rank, then the numbers, then the most dice of one suit."""
            return -position, ranks[position].numbers(match), same * suits_break_ties

        order = sorted({key(*entry, same) for (_, same), entry in ranked.items()})
        strengths = {key: strength for strength, key in enumerate(order, start=1)}
        self._hands: Mapping[tuple[tuple[int, ...], int], Hand] = {
            (numbers, same): Hand(
                rank=ranks[position],
                numbers=ranks[position].numbers(match),
                best=match.making + match.rest,
                most_of_one_suit=same * suits_break_ties,
                strength=strengths[key(position, match, same)],
            )
            for (numbers, same), (position, match) in ranked.items()
        }

    def hand(self, numbers: Sequence[int], most_of_one_suit: int = 0) -> Hand:
        """The hand with `numbers` in any order. Raises `KeyError` for impossible dice."""
        return self._hands[tuple(sorted(numbers)), most_of_one_suit]

    def sorted_hand(self, numbers: tuple[int, ...], most_of_one_suit: int) -> Hand:
        """The hand with `numbers`, which are sorted from the lowest up."""
        return self._hands[numbers, most_of_one_suit]

    def strength(self, numbers: tuple[int, ...], most_of_one_suit: int) -> int:
        """The strength of sorted `numbers`; 0 if there can't be so few dice of one suit."""
        hand = self._hands.get((numbers, most_of_one_suit))
        return hand.strength if hand else 0

    def plain_strength(self, numbers: tuple[int, ...]) -> int:
        """The strength of sorted `numbers` in as many suits as possible."""
        return self._hands[numbers, self._fewest_of_one_suit].strength

    def __iter__(self) -> Iterator[Hand]:
        return iter(self._hands.values())


def _first_rank(
    ranks: Sequence[Rank], numbers: tuple[int, ...], *, one_suit: bool
) -> tuple[int, Match]:
    """The position of the highest rank that the dice have, and how they make it."""
    for position, rank in enumerate(ranks):
        if one_suit or not rank.one_suit:
            match = rank.pattern.match(numbers)
            if match:
                return position, match
    raise LookupError(f"no rank for {numbers}: the last rank must fit any dice")


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
        self._best: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        self._faces = range(1, dice.faces + 1)
        for count in range(1, most + 1):
            for numbers in combinations_with_replacement(self._faces, count):
                tally = _tally(numbers)
                self._packed[tally] = _pack(numbers)
                if count >= size:
                    self._best[tally] = [(best, _pack(best)) for best in self._strongest(numbers)]

    def _strongest(self, numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The choices out of sorted `numbers` that are strongest regardless of suits.

        There are several if not all dice count; the highest come first.
        """
        choices = sorted({*combinations(numbers, self.size)}, key=lambda c: c[::-1], reverse=True)
        strongest = max(map(self._table.plain_strength, choices))
        return [each for each in choices if self._table.plain_strength(each) == strongest]

    def packed(self, numbers: Sequence[int]) -> int:
        """Packs `numbers`."""
        return self._packed[_tally(numbers)]

    def best(self, numbers: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
        """The best choices of `numbers` regardless of suits, each plain and packed."""
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
        choices = self._best[sum(tallies)]
        numbers, wanted = choices[0]
        most, suit = 0, 0
        full = []
        for candidate, tally in enumerate(tallies):
            own = self._packed[tally]
            if own.bit_count() >= self.size:
                full.append(candidate)
            shared = (own & wanted).bit_count()
            if shared > most:
                most, suit = shared, candidate
        for choice, wanted in choices[1:]:
            for candidate, tally in enumerate(tallies):
                shared = (self._packed[tally] & wanted).bit_count()
                if shared > most:
                    numbers, most, suit = choice, shared, candidate
        hand = self._table.sorted_hand(numbers, most)
        for candidate in full:
            shown = sorted(self._number_of[c] for c in codes if self._suit_of[c] == candidate)
            for choice in combinations(shown, self.size):
                of_one_suit = self._table.sorted_hand(choice, self.size)
                if of_one_suit.strength > hand.strength:
                    hand, suit = of_one_suit, candidate
        showing: list[list[int]] = [[] for _ in self._faces]
        for code in sorted(codes):
            showing[self._number_of[code] - 1].append(code)
        picked: list[int] = []
        for number, needed in _counted(hand.best):
            group = showing[number - 1]
            if len(group) > needed:
                group = sorted(sorted(group, key=lambda c: self._suit_of[c] != suit)[:needed])
            picked += group
        return hand, tuple(picked)


@cache
def _counted(numbers: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Each of `numbers` once, in order, with its count."""
    return tuple((number, numbers.count(number)) for number in dict.fromkeys(numbers))


def _tally(numbers: Sequence[int]) -> int:
    """The count of each number in `numbers`, four bits a number."""
    return sum(1 << 4 * (number - 1) for number in numbers)


def _pack(numbers: Sequence[int]) -> int:
    """Packs `numbers`."""
    packed = 0
    for number in set(numbers):
        packed |= (1 << numbers.count(number)) - 1 << _FIELD * (number - 1)
    return packed
