"""Variants that rank rolls of plain dice, and the comparison that all rankings share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations_with_replacement
from math import comb
from typing import Annotated, ClassVar

from service.kinds.ranking.hand_table import Compared, Hand, HandTable, Rank, TieBreak
from service.rules.dice import MAX_DICE, Dice
from service.rules.field_types import DIFFERENT_IDS, OneLine, between
from service.rules.house_rules import HouseRules, KnownRule, RulesT, options
from service.rules.places import Place, in_places
from service.rules.variant import MAX_OUTCOMES, Mistake, Variant, matches_of, tried
from service.rules.violations import ON_HOUSE_RULES, InvalidInput, Violation

STARTING_CHIPS = KnownRule("starting_chips", default=100, minimum=1, chips=True)
"""The chips of each player at the start of beat it or bust (P14)."""

ROUNDS = KnownRule("rounds", default=None, minimum=1)
"""The rounds of a game (P7); None: until one player has all chips."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AnyRanking(Variant[RulesT]):
    """A variant whose hands have a rank; `ranks` and `tie_breaks` are from the first to the last.

    A hand is `hand_size` dice. The tie-breaks compare the numbers first and then, with suited dice,
    the most dice of one suit. `tied` says in a sentence what equal hands do.
    """

    dice: Dice
    hand_size: Annotated[int, between(1, MAX_DICE)]
    ranks: Annotated[tuple[Rank, ...], DIFFERENT_IDS]
    tie_breaks: Annotated[tuple[TieBreak, ...], DIFFERENT_IDS]
    tied: OneLine

    def kind_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in hands, tie-breaks and ranks, then in the tables made from them."""
        yield from (
            [*self.hand_mistakes(), *self.rank_mistakes()]
            or [*self._pattern_mistakes()]
            or self._table_mistakes()
        )

    def hand_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in the number of dice in a hand, and in how hands are compared."""
        hands = comb(self.hand_size + self.dice.faces - 1, self.hand_size)
        if hands > MAX_OUTCOMES:
            yield "hand_size", f"{hands} different hands are more than the allowed {MAX_OUTCOMES}"
        else:
            yield from self.scoring_mistakes("ranks", hands, len(self.ranks), self.switches)
        compared = {step.compares for step in self.tie_breaks}
        for needed in Compared if self.dice.suits else [Compared.NUMBERS]:
            if needed not in compared:
                yield "tie_breaks", f"none compares {needed.value}"

    def rank_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in single ranks."""
        counting = [rank.counts for rank in self.ranks]
        if counting != sorted(counting, reverse=True) or not any(counting):
            yield "ranks", "must begin with those that count, and end with those that don't"
        elif not any(rank.counts and not rank.only_with for rank in self.ranks):
            yield "ranks", "one that counts must exist under all house rules, or no turn would end"
        for position, rank in enumerate(self.ranks):
            higher = [other.id for other in self.ranks[:position]]
            if rank.above and rank.above[1] not in higher:
                yield "ranks", f"{rank.id}.above must name a higher rank, not {rank.above[1]!r:.80}"

    def _pattern_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in what patterns give for each hand."""
        hands = [*combinations_with_replacement(range(1, self.dice.faces + 1), self.hand_size)]
        for rank in self.ranks:
            yield from tried("ranks", rank.id, partial(self._check_pattern, rank, hands))

    def _check_pattern(self, rank: Rank, hands: Sequence[tuple[int, ...]]) -> None:
        """Raises `WrongDescription` unless the pattern of `rank` works, and has all the words."""
        made = matches_of(rank.pattern, hands)
        for position in range(max(len(rank.numbers(match)) for _, match in made)):
            self.check_words(rank.word(position))

    def _table_mistakes(self) -> Iterator[Mistake]:
        """Ranks that no hand reaches, and hands without a rank."""
        for rank in self.ranks:
            rules = self.house_rules(**({rank.only_with: True} if rank.only_with else {}))
            try:
                table = self.table(rules)
            except LookupError as error:
                yield "ranks", str(error)
                return
            if not any(hand.rank is rank for hand in table):
                yield "ranks", f"no hand reaches {rank.id}"

    def ranks_in_force(self, rules: HouseRules) -> tuple[Rank, ...]:
        """The ranks that exist under `rules`, highest first."""
        ranks = list(self.ranks)
        for rank in self.ranks:
            if rank.above and getattr(rules, rank.above[0]):
                ranks.remove(rank)
                ranks.insert([other.id for other in ranks].index(rank.above[1]), rank)
        return tuple(rank for rank in ranks if not rank.only_with or getattr(rules, rank.only_with))

    def table(self, rules: RulesT) -> HandTable:
        """Every hand under `rules`; built once for each set of ranks in force."""
        key = tuple([getattr(rules, rule) for rule in self.switches])
        try:
            return self._tables[key]
        except KeyError:
            table = HandTable(
                self.ranks_in_force(rules),
                size=self.hand_size,
                faces=self.dice.faces,
                suits=len(self.dice.suits),
            )
            return self._tables.setdefault(key, table)

    @cached_property
    def _tables(self) -> dict[tuple[bool, ...], HandTable]:
        """The tables so far, by values of `switches`."""
        return {}

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """The house rules that add or move ranks."""
        added = {rank.only_with for rank in self.ranks if rank.only_with}
        moving = {rank.above[0] for rank in self.ranks if rank.above}
        return tuple(sorted(added | moving))

    def wins_game(self, hand: Hand, rules: RulesT) -> bool:
        """Whether holding `hand` wins the whole game at once."""
        rule = hand.rank.wins_game_with
        return bool(rule and getattr(rules, rule))

    def beats(self, stronger: Hand, weaker: Hand) -> str:
        """A sentence on why `stronger` is the stronger hand, with the clause."""
        rank = stronger.rank
        if rank is not weaker.rank:
            clause = self._clause_of(rank, weaker.rank)
            return f"{_sentence(rank.name)} beats {weaker.rank.name} ({clause})."
        for position, (high, low) in enumerate(zip(stronger.numbers, weaker.numbers, strict=True)):
            if high != low:
                what = rank.word(position)
                over, under = self.dice.named((high, low))
                clause = self._clause(Compared.NUMBERS)
                reason = f"the {what} decides, {over} over {under}"
                return f"Same rank, {rank.name}: {reason} ({clause})."
        return (
            f"Same rank and numbers, {rank.name}: {stronger.most_of_one_suit} dice of one suit "
            f"beat {weaker.most_of_one_suit} ({self._clause(Compared.SUITS)})."
        )

    def _clause_of(self, higher: Rank, lower: Rank) -> str:
        """The clause by which a rank is above another: that of the house rule if one moved it."""
        if higher.above and self.ranks.index(higher) > self.ranks.index(lower):
            return next(
                option.clause
                for option in options(self.house_rules)
                if option.name == higher.above[0]
            )
        return higher.clause

    def _clause(self, compared: Compared) -> str:
        return next(step.clause for step in self.tie_breaks if step.compares is compared)

    def last(self, hands: Sequence[Hand], alone: bool) -> str:
        """A sentence on the last place, which `hands` share; `alone` if there is no other place."""
        rank = hands[0].rank.name
        if not alone:
            return f"The lowest hand here: {rank}."
        if len(hands) > 1:
            return f"{_sentence(rank)}; {self.tied}"
        return f"{_sentence(rank)}, and nobody else to compare with."


@dataclass(frozen=True)
class Contender:
    """A player with a roll."""

    id: str
    dice: tuple[int, ...]


@dataclass(frozen=True)
class RankedPlayer:
    """A player with a hand."""

    id: str
    hand: Hand


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking(AnyRanking[RulesT]):
    """A variant where a player's hand is a roll of all the dice."""

    kind: ClassVar[str] = "ranking"
    step_words: ClassVar[frozenset[str]] = frozenset(
        (
            *("first", "bust", "equal", "beaten", "sit_out", "cant_meet_ante", "fold"),
            *("cant_meet_raise", "last_rolls_highest", "highest", "all_others_out"),
            *("next_round", "no_chips", "all_chips", "last_round"),
        )
    )

    known_rules: ClassVar[tuple[KnownRule, ...]] = (STARTING_CHIPS, ROUNDS)

    def hand_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in house rules, and in hands, which must be all dice, without suits."""
        for known in self.known_rules:
            yield from self.known_rule_mistakes("house_rules", known)
        if self.hand_size != self.dice.count:
            yield "hand_size", f"must be all {self.dice.count} dice"
        if self.dice.suits:
            yield "dice", "must have no suits in a ranking of rolls"
        yield from super().hand_mistakes()

    def rank_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in ranks, including fields that only suited or shared dice use."""
        yield from super().rank_mistakes()
        for rank in self.ranks:
            if rank.one_suit or not rank.winning or rank.wins_game_with:
                ignored = "one_suit, winning or wins_game_with, which a ranking of rolls ignores"
                yield "ranks", f"{rank.id} has {ignored}"

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand has."""
        return (self.hand_size,)

    def evaluate(self, dice: Sequence[int], rules: RulesT) -> Hand:
        """The hand of a roll of plain dice, which are whole numbers.

        Raises `InvalidInput` for impossible dice.
        """
        try:
            return self.table(rules).hand(dice)
        except (KeyError, TypeError):
            return self.table(rules).hand(self.dice.read_numbers(list(dice), self.hand_size))

    def rank(self, players: Sequence[Contender], rules: RulesT) -> list[Place[RankedPlayer]]:
        """The places of `players`, the strongest hand first; equal hands share a place.

        Raises `InvalidInput` for rolls that don't count.
        """
        self.check_rolls(players, rules)
        return in_places(
            [RankedPlayer(player.id, self.evaluate(player.dice, rules)) for player in players],
            strength=lambda player: player.hand.strength,
            beats=lambda stronger, weaker: self.beats(stronger.hand, weaker.hand),
            last=lambda players, alone: self.last([player.hand for player in players], alone),
        )

    def check_rolls(self, players: Sequence[Contender], rules: RulesT) -> None:
        """Raises `InvalidInput` for rolls that don't count."""
        ranks = [self.evaluate(player.dice, rules).rank for player in players]
        again = [
            Violation(
                ("players", index, "dice"),
                f"must be rolled again: {rank.name} doesn't count ({rank.clause})",
                ON_HOUSE_RULES,
            )
            for index, rank in enumerate(ranks)
            if not rank.counts
        ]
        if again:
            raise InvalidInput(*again)


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]
