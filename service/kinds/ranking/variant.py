"""Variants that rank rolls of plain dice, and the comparison that all rankings share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from service.kinds.ranking.hand_table import Compared, Hand, HandTable, Rank, TieBreak
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, RulesT, options
from service.rules.places import Place, in_places
from service.rules.variant import Variant
from service.rules.violations import ON_HOUSE_RULES, InvalidInput, Violation


@dataclass(frozen=True, kw_only=True, eq=False)
class AnyRanking(Variant[RulesT]):
    """A variant whose hands have a rank; `ranks` and `tie_breaks` are from the first to the last.

    A hand is `hand_size` dice. The tie-breaks compare the numbers first and then, with suited dice,
    the most dice of one suit. `tied` says in a sentence what equal hands do.
    """

    dice: Dice
    hand_size: int
    ranks: tuple[Rank, ...]
    tie_breaks: tuple[TieBreak, ...]
    tied: str
    _tables: dict[tuple[bool, ...], HandTable] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Refuses a description that doesn't say by which clause equal ranks are compared."""
        compared = {step.compares for step in self.tie_breaks}
        for needed in Compared if self.dice.suits else [Compared.NUMBERS]:
            if needed not in compared:
                raise ValueError(f"{self.id} needs a tie-break that compares {needed.value}")

    def ranks_in_force(self, rules: HouseRules) -> tuple[Rank, ...]:
        """The ranks that exist under `rules`, highest first."""
        ranks = list(self.ranks)
        for rank in self.ranks:
            if rank.above and getattr(rules, rank.above[0]):
                ranks.remove(rank)
                ranks.insert([other.id for other in ranks].index(rank.above[1]), rank)
        return tuple(rank for rank in ranks if not rank.only_with or getattr(rules, rank.only_with))

    def table(self, rules: RulesT) -> HandTable:
        """Every hand under `rules`; made once for each choice of ranks in force."""
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
    def switches(self) -> tuple[str, ...]:
        """The house rules that decide which ranks there are, and in which order."""
        added = {rank.only_with for rank in self.ranks if rank.only_with}
        moving = {rank.above[0] for rank in self.ranks if rank.above}
        return tuple(sorted(added | moving))

    def wins_game(self, hand: Hand, rules: RulesT) -> bool:
        """Whether holding `hand` wins the whole game at once."""
        rule = hand.rank.wins_game_with
        return bool(rule and getattr(rules, rule))

    def beats(self, stronger: Hand, weaker: Hand) -> str:
        """One sentence on what makes `stronger` the stronger hand, citing the clause."""
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
        """One sentence on the last place, which `hands` share; `alone` if there is no other."""
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
    """A player with the hand that the roll is."""

    id: str
    hand: Hand


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking(AnyRanking[RulesT]):
    """A variant where a player's hand is a roll of all the dice."""

    kind: ClassVar[str] = "ranking"

    def __post_init__(self) -> None:
        """Refuses a description whose hands aren't rolls of all the dice."""
        super().__post_init__()
        if self.hand_size != self.dice.count:
            raise ValueError(f"a hand of {self.id} must be all {self.dice.count} dice")

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand has."""
        return (self.hand_size,)

    def evaluate(self, dice: Sequence[int], rules: RulesT) -> Hand:
        """The hand that a roll of plain dice, as whole numbers, is.

        Raises `InvalidInput` for dice that can't be.
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
