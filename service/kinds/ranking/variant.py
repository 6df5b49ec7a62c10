"""Variants that rank rolls of plain dice, and the comparison that all rankings share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from operator import attrgetter
from typing import Annotated, ClassVar, TypeVar

from service.kinds.ranking.hand_table import NEVER, Compared, Hand, HandTable, Rank, TieBreak
from service.rules.breaches import Breach
from service.rules.dice import MAX_DICE, Dice
from service.rules.field_types import DIFFERENT_IDS, Mistake, OneLine, between, require
from service.rules.house_rules import HouseRules, KnownRule
from service.rules.places import Place, in_places
from service.rules.reasons import Because, Reason
from service.rules.variant import MAX_OUTCOMES, Variant, matches_of, trying
from service.rules.violations import ON_HOUSE_RULES, Violation, refuse

PlayerT = TypeVar("PlayerT")

STARTING_CHIPS = KnownRule("starting_chips", default=100, minimum=1, chips=True)
"""The chips of each player at the start of beat it or bust (P14)."""

ROUNDS = KnownRule("rounds", default=None, minimum=1)
"""The rounds of a game (P18); None: until one player has all chips."""

OWN_STACK = "own_stack"
STAKES = KnownRule("stakes", default="smallest_stack", choices=("smallest_stack", OWN_STACK))
"""Whose chips limit antes and raises (P17): the poorest of those who must pay, or one's own."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AnyRanking(Variant):
    """A variant whose hands have a rank; `ranks` and `tie_breaks` are from the first to the last.

    A hand is `hand_size` dice. The tie-breaks compare the numbers first and then, with suited dice,
    the most dice of one suit. `tied` says in a sentence what equal hands do.
    """

    dice: Dice
    hand_size: Annotated[int, between(1, MAX_DICE)]
    ranks: Annotated[tuple[Rank, ...], DIFFERENT_IDS]
    tie_breaks: Annotated[tuple[TieBreak, ...], DIFFERENT_IDS]
    tied: OneLine

    def check_kind(self) -> None:
        """Raises `Mistake` for wrong hands and ranks, then for what follows from them."""
        self.check_hands()
        self.check_ranks()
        hands = [*combinations_with_replacement(range(1, self.dice.faces + 1), self.hand_size)]
        for rank in self.ranks:
            with trying(f"ranks: {rank.id}"):
                made = matches_of(rank.pattern, hands)
                for position in range(max(len(rank.numbers(match)) for _, match in made)):
                    self.check_words(rank.word(position))
        for rank in self.ranks:
            on = {rank.only_with: True} if rank.only_with else {}
            try:
                table = self.table(self.house_rules(**on))
            except LookupError as error:
                raise Mistake(f"ranks: {error}") from error
            require(
                any(hand.rank.id == rank.id for hand in table), f"ranks: no hand reaches {rank.id}"
            )

    def check_hands(self) -> None:
        """Raises `Mistake` for a wrong number of dice in a hand, or if numbers aren't compared."""
        hands = comb(self.hand_size + self.dice.faces - 1, self.hand_size)
        too_many = f"hand_size: {hands} different hands are more than the allowed {MAX_OUTCOMES}"
        require(hands <= MAX_OUTCOMES, too_many)
        for step in self.tie_breaks:
            require(
                step.compares is Compared.SUITS or not step.only_with,
                f"tie_breaks: {step.id} has only_with, but numbers always count",
            )
        self.check_scorings("ranks", hands, len(self.ranks), self.switches)
        compared = {step.compares for step in self.tie_breaks}
        for needed in Compared if self.dice.suits else [Compared.NUMBERS]:
            require(needed in compared, f"tie_breaks: none compares {needed.value}")

    def check_ranks(self) -> None:
        """Raises `Mistake` for ranks that contradict each other."""
        counting = [rank.counts for rank in self.ranks]
        require(
            counting == sorted(counting, reverse=True) and any(counting),
            "ranks: must begin with those that count, and end with those that don't",
        )
        require(
            any(rank.counts and not rank.only_with for rank in self.ranks),
            "ranks: one that counts must exist under all house rules, or no turn would end",
        )
        for position, rank in enumerate(self.ranks):
            above = rank.above and rank.above[1]
            require(
                not above or above in [other.id for other in self.ranks[:position]],
                f"ranks: {rank.id}.above must name a higher rank, not {above!r:.80}",
            )

    def ranks_in_force(self, rules: HouseRules) -> tuple[Rank, ...]:
        """The ranks that exist under `rules`, highest first, as their hands compare then."""
        ranks = list(self.ranks)
        for rank in self.ranks:
            if rank.above and getattr(rules, rank.above[0]):
                ranks.remove(rank)
                ranks.insert([other.id for other in ranks].index(rank.above[1]), rank)
        return tuple(
            rank.under(rules)
            for rank in ranks
            if not rank.only_with or getattr(rules, rank.only_with)
        )

    def table(self, rules: HouseRules) -> HandTable:
        """Every hand under `rules`; built once for all rules with the same hands."""
        key = self._switch_values(rules)
        try:
            return self._tables[key]
        except KeyError:
            table = HandTable(
                self.ranks_in_force(rules),
                size=self.hand_size,
                faces=self.dice.faces,
                suits=len(self.dice.suits),
                suits_break_ties=any(
                    not step.only_with or getattr(rules, step.only_with)
                    for step in self.tie_breaks
                    if step.compares is Compared.SUITS
                ),
            )
            return self._tables.setdefault(key, table)

    @cached_property
    def _tables(self) -> dict[object, HandTable]:
        """The tables so far, by values of `switches`."""
        return {}

    @cached_property
    def _switch_values(self) -> Callable[[HouseRules], object]:
        """Returns the values of `switches`; every `evaluate` asks for them."""
        return attrgetter(*self.switches) if self.switches else lambda _: None

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """The house rules that add or move ranks, or change what their hands compare."""
        added = {rank.only_with for rank in self.ranks}
        moving = {rank.above[0] for rank in self.ranks if rank.above}
        return tuple(sorted(filter(None, added | moving | self.comparing)))

    @cached_property
    def comparing(self) -> frozenset[str]:
        """The house rules without which hands of a rank compare less."""
        others = {rank.others_with for rank in self.ranks}
        return frozenset(filter(None, others | {step.only_with for step in self.tie_breaks}))

    def wins_game(self, hand: Hand, rules: HouseRules) -> bool:
        """Whether holding `hand` at the showdown wins the whole game."""
        rule = hand.rank.wins_game_with
        return rule is not None and getattr(rules, rule) != NEVER

    def beats(self, stronger: Hand, weaker: Hand) -> Because:
        """The reason why `stronger` is the stronger hand, with the clause."""
        rank = stronger.rank
        if rank is not weaker.rank:
            clause = rank.clause
            ids = [each.id for each in self.ranks] if rank.above else []
            if rank.above and ids.index(rank.id) > ids.index(weaker.rank.id):
                clause = self.rule_clauses[rank.above[0]]  # a house rule moved it
            return Reason.RANK.because(better=rank.id, worse=weaker.rank.id, clause=clause)
        clauses = {step.compares: step.clause for step in reversed(self.tie_breaks)}
        for position, (high, low) in enumerate(zip(stronger.numbers, weaker.numbers, strict=True)):
            if high != low:
                faces = self.dice.written_faces
                return Reason.NUMBER.because(
                    rank=rank.id,
                    which=rank.word(position).replace(" ", "_"),
                    over=str(faces[high - 1]),
                    under=str(faces[low - 1]),
                    clause=clauses[Compared.NUMBERS],
                )
        return Reason.SUITS.because(
            rank=rank.id,
            count=stronger.most_of_one_suit,
            next=weaker.most_of_one_suit,
            clause=clauses[Compared.SUITS],
        )

    def in_places(
        self, players: Sequence[PlayerT], hand: Callable[[PlayerT], Hand]
    ) -> list[Place[PlayerT]]:
        """The places of `players`, the strongest hand first; equal hands share a place."""
        return in_places(
            players,
            strength=lambda player: hand(player).strength,
            beats=lambda stronger, weaker: self.beats(hand(stronger), hand(weaker)),
            lowest=lambda player: Reason.LOWEST_HAND.because(rank=hand(player).rank.id),
            tied=lambda player: Reason.EQUAL_HANDS.because(
                rank=hand(player).rank.id, tied=self.tied
            ),
            alone=lambda player: Reason.ONLY_HAND.because(rank=hand(player).rank.id),
        )


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
class Ranking(AnyRanking):
    """A variant where a player's hand is a roll of all the dice."""

    kind: ClassVar[str] = "ranking"
    step_words: ClassVar[frozenset[str]] = Variant.step_words.union(
        (
            *("first", "bust", "equal", "beaten", "sit_out", "cant_meet_ante", "fold"),
            *("cant_meet_raise", "last_rolls_highest", "highest", "all_others_out"),
            *("next_round", "no_chips", "all_chips", "last_round"),
        )
    )

    known_rules: ClassVar[tuple[KnownRule, ...]] = (STARTING_CHIPS, ROUNDS, STAKES)

    def check_hands(self) -> None:
        """Raises `Mistake` for wrong house rules, or hands other than all dice, without suits."""
        for known in self.known_rules:
            self.check_known_rule("house_rules", known)
        require(self.hand_size == self.dice.count, f"hand_size: must be all {self.dice.count} dice")
        require(not self.dice.suits, "dice: must have no suits in a ranking of rolls")
        super().check_hands()

    def check_ranks(self) -> None:
        """Raises `Mistake` for wrong ranks, and for fields that only suited or shared dice use."""
        super().check_ranks()
        for rank in self.ranks:
            require(
                rank.winning and not rank.one_suit and not rank.wins_game_with,
                f"ranks: {rank.id} has one_suit, winning or wins_game_with, which a ranking of "
                "rolls ignores",
            )

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand has."""
        return (self.hand_size,)

    def evaluate(self, dice: Sequence[int], rules: HouseRules) -> Hand:
        """The hand of a roll of plain dice, which are whole numbers.

        Raises `InvalidInput` for impossible dice.
        """
        try:
            return self.table(rules).hand(dice)
        except (KeyError, TypeError):
            return self.table(rules).hand(self.dice.read_numbers(list(dice), self.hand_size))

    def rank(self, players: Sequence[Contender], rules: HouseRules) -> list[Place[RankedPlayer]]:
        """The places of `players`, the strongest hand first; equal hands share a place.

        Raises `InvalidInput` for rolls that don't count.
        """
        self.check_rolls(players, rules)
        ranked = [RankedPlayer(player.id, self.evaluate(player.dice, rules)) for player in players]
        return self.in_places(ranked, lambda player: player.hand)

    def check_rolls(self, players: Sequence[Contender], rules: HouseRules) -> None:
        """Raises `InvalidInput` for rolls that don't count."""
        ranks = [self.evaluate(player.dice, rules).rank for player in players]
        refuse(
            Violation(
                ("players", index, "dice"),
                Breach.DOES_NOT_COUNT(rank=rank.id, clause=rank.clause),
                ON_HOUSE_RULES,
            )
            for index, rank in enumerate(ranks)
            if not rank.counts
        )
