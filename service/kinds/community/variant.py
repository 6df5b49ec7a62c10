"""Variants where each player has hidden pocket dice and all share the community dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Generic, TypeVar

from service.kinds.community.betting import Pot, Stake, share_out, uncalled
from service.kinds.community.stakes import KNOWN_RULES
from service.kinds.ranking.hand_table import BestOf, Hand, HandTable, Numbers
from service.kinds.ranking.variant import AnyRanking
from service.rules.breaches import Breach
from service.rules.field_types import Clause, Must, at_least, require
from service.rules.house_rules import HouseRules, KnownRule
from service.rules.places import Place
from service.rules.reasons import Reason
from service.rules.variant import Variant
from service.rules.violations import Violation, refuse

MAX_SEEN, MAX_FACES = 7, 6
"""The most dice that a hand is chosen from, and the most faces: tables have 2**18 entries."""


@dataclass(frozen=True)
class Seat:
    """A player at the table: the pocket dice (codes), the chips put in, and whether folded.

    The pocket of a player who folded may be unknown: then it is None (H32). So may that of the last
    player left (H15).
    """

    id: str
    pocket: tuple[int, ...] | None = None
    paid: int | None = None
    folded: bool = False


@dataclass(frozen=True)
class TableHand:
    """A hand of suited dice: its rank, and the codes of its dice in counting order."""

    hand: Hand
    best: tuple[int, ...]


@dataclass(frozen=True)
class Holding:
    """What dice hold if they are too few for a hand (H23)."""

    pair: bool
    suited: bool


@dataclass(frozen=True)
class Shown:
    """A player at the showdown with the best hand."""

    id: str
    held: TableHand


@dataclass(frozen=True)
class Unshown:
    """The last player left, who takes the pots without showing a hand (H15)."""

    id: str
    held: ClassVar[None] = None


PlayerT_co = TypeVar("PlayerT_co", bound=Shown | Unshown, covariant=True)


@dataclass(frozen=True)
class Ending(Generic[PlayerT_co]):
    """The end of a hand of the game.

    `pots` is None unless the chips were given. `returned` are those of them that nobody called.
    `wins_game` says that the winners win the whole game. They don't if all others have folded,
    because nobody shows a hand then (H15, H31).
    """

    places: Sequence[Place[PlayerT_co]]
    wins_game: bool
    pots: list[Pot] | None
    returned: dict[str, int] | None

    @property
    def winners(self) -> list[str]:
        """The players in the first place."""
        return [player.id for player in self.places[0].entries]


Showdown = Ending[Shown]


@dataclass(frozen=True, kw_only=True, eq=False)
class CommunityRanking(AnyRanking):
    """A variant where a hand is the best choice of dice out of pocket and community.

    Each player has `pocket` dice; `stages` are the possible numbers of community dice. `supply` is
    the clause that limits the dice of one suit, `too_few` the one for too few dice to rank,
    `unknown_pocket` the one for a missing pocket. `chip` is the unit of stakes.
    """

    kind: ClassVar[str] = "community"
    step_words: ClassVar[frozenset[str]] = Variant.step_words.union(
        (
            *("flop_again", "no_more_betting", "without_showing", "out_of_chips", "last_left"),
            *("hand_wins_game", "hand_wins_game_shared", "last_hand"),
        )
    )

    known_rules: ClassVar[tuple[KnownRule, ...]] = KNOWN_RULES

    pocket: Annotated[int, at_least(1)]
    stages: Annotated[
        tuple[Annotated[int, at_least(0)], ...],
        Must(
            "one or more numbers in rising order",
            lambda stages, _: stages and [*stages] == sorted({*stages}),
        ),
    ]
    supply: Clause
    too_few: Clause
    unknown_pocket: Clause
    chip: Annotated[int, at_least(1)]

    def check_hands(self) -> None:
        """Raises `Mistake` for wrong house rules, dice, community or players.

        Nobody can have more dice than the tables of the best hands are made for.
        """
        for known in self.known_rules:
            self.check_known_rule("house_rules", known, self.chip)
        dice, seen, most = self.dice, self.pocket + max(self.stages), self.players[1]
        require(
            dice.suits and dice.count % len(dice.suits) == 0,
            "dice: must have suits in a game with shared dice, and as many dice of each",
        )
        require(
            dice.faces <= MAX_FACES,
            f"dice: there must be at most {MAX_FACES} faces in a game with shared dice",
        )
        require(
            self.hand_size <= seen <= MAX_SEEN,
            f"stages: a player must see from {self.hand_size} to {MAX_SEEN} dice, not {seen}",
        )
        require(
            most is not None and self.pocket * most + max(self.stages) <= dice.count,
            f"players: the most must be so many that {dice.count} dice are enough, community "
            f"included, not {most}",
        )
        super().check_hands()

    def check_ranks(self) -> None:
        """Raises `Mistake` for wrong ranks: each must count, and compare all numbers by default."""
        super().check_ranks()
        for rank in self.ranks:
            require(
                rank.compares is Numbers.ALL and rank.counts,
                f"ranks: {rank.id} must count, and must compare all numbers, because dice are "
                "shared",
            )
        for rule in sorted(self.comparing):
            require(
                getattr(self.default_rules, rule),
                f"house_rules: {rule} must be on by default, so that each strength is of one hand",
            )

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand can be chosen from: those of each stage that has enough."""
        return [seen for stage in self.stages if (seen := self.pocket + stage) >= self.hand_size]

    def evaluate(
        self, pocket: Sequence[int], community: Sequence[int], rules: HouseRules
    ) -> TableHand | Holding:
        """The best hand out of `pocket` and `community` (H3, H20-H22), or what they hold (H23).

        Both are codes, as `Dice.read_codes` gives them. Raises `InvalidInput` if the dice can't
        be on one table (H24).
        """
        codes = [*pocket, *community]
        best_of = self.best_of(rules)
        tallies = best_of.tallies(codes)
        counts = best_of.counts(tallies)
        if max(counts) > self.dice.per_suit:
            self.check_hand(pocket, community)
        if len(codes) < self.hand_size:
            numbers = {self.dice.number_of[code] for code in codes}
            return Holding(pair=len(numbers) < len(codes), suited=max(counts) == len(codes))
        return TableHand(*best_of.hand(codes, tallies))

    def rank(
        self, community: Sequence[int], players: Sequence[Seat], rules: HouseRules
    ) -> Showdown:
        """The showdown: places of those not folded, and the pots if every stake is given.

        `players` sit in order from the dealer's left. Raises `InvalidInput` when the dice can't lie
        on one table (H24), everybody folded, only some stakes are given, or a player who has not
        folded has no pocket (H32).
        """
        self.check_table(community, players)
        best_of = self.best_of(rules)
        shown: list[Shown] = []
        for player in players:
            if not player.folded:
                codes = [*(player.pocket or ()), *community]
                held = TableHand(*best_of.hand(codes, best_of.tallies(codes)))
                shown.append(Shown(player.id, held))
        places = self.in_places(shown, lambda player: player.held.hand)
        hands = {player.id: player.held.hand for player in shown}
        stakes = [
            Stake(
                player.id,
                player.paid or 0,
                hands[player.id].strength if player.id in hands else None,
                player.id in hands and self.wins_game(hands[player.id], rules),
            )
            for player in players
            if player.paid is not None
        ]
        won = len(shown) > 1 and self.wins_game(places[0].entries[0].held.hand, rules)
        return Ending(places, won, *self._shares(stakes))

    def take(self, community: Sequence[int] | None, players: Sequence[Seat]) -> Ending[Unshown]:
        """The end of a hand where all but one of `players` have folded: that one takes all (H15).

        The `community` and all pockets may be unknown. Raises `InvalidInput` as `rank` does, and
        for unknown dice if several players are left.
        """
        self.check_table(community, players, showing=False)
        last = next(player.id for player in players if not player.folded)
        because = self.because("without_showing", Reason.WITHOUT_SHOWING(player=last))
        stakes = [
            Stake(player.id, player.paid, None if player.folded else 0)
            for player in players
            if player.paid is not None
        ]
        places = [Place(1, (Unshown(last),), because)]
        return Ending(places, False, *self._shares(stakes))

    def _shares(
        self, stakes: Sequence[Stake]
    ) -> tuple[list[Pot], dict[str, int]] | tuple[None, None]:
        """The pots, and the chips that return to who put them in; None without any stakes."""
        return (share_out(stakes, self.chip), uncalled(stakes)) if stakes else (None, None)

    def check_hand(
        self, pocket: Sequence[int], community: Sequence[int], known: Sequence[Sequence[int]] = ()
    ) -> None:
        """Raises `InvalidInput` if the dice, with the `known` pockets of others, can't be on one
        table (H24).
        """
        others = [(("known", index), other) for index, other in enumerate(known)]
        refuse(self._beyond_supply([(("pocket",), pocket), (("community",), community), *others]))

    def check(self, codes: Sequence[int]) -> None:
        """Raises `InvalidInput` if the dice `codes` can't be on one table (H24)."""
        most = len(self.dice.notation) - 1
        refuse(
            Violation((index,), Breach.NOT_A_DIE_CODE(minimum=0, maximum=most))
            for index, code in enumerate(codes)
            if not 0 <= code <= most
        )
        refuse(self._beyond_supply([((), codes)]))

    def best_of(self, rules: HouseRules) -> BestOf:
        """The table of best hands under `rules`; there is one for each table of hands."""
        table = self.table(rules)
        try:
            return self._best[table]
        except KeyError:
            most = self.pocket + max(self.stages)
            best_of = BestOf(table, self.dice, size=self.hand_size, most=most)
            return self._best.setdefault(table, best_of)

    @cached_property
    def _best(self) -> dict[HandTable, BestOf]:
        """The tables of best hands so far."""
        return {}

    def check_table(
        self,
        community: Sequence[int] | None,
        players: Sequence[Seat],
        *,
        showing: bool = True,
        hidden: bool = False,
    ) -> None:
        """Raises `InvalidInput` for what `rank` refuses; unless `showing`, for what `take` does.

        Any pocket may be unknown if they are `hidden`.
        """
        violations: list[Violation] = []
        left = sum(not player.folded for player in players)
        showing = showing or left > 1
        if community is None and showing:
            violations.append(Violation(("community",), Breach.MISSING()))
        if any(player.paid is not None for player in players):
            violations += [
                Violation(("players", index, "paid"), Breach.PAID_BY_SOME())
                for index, player in enumerate(players)
                if player.paid is None
            ]
        if not left:
            violations.append(Violation(("players",), Breach.ALL_FOLDED()))
        pockets = []
        for index, player in enumerate(players):
            path = ("players", index, "pocket")
            if player.pocket is not None:
                pockets.append((path, player.pocket))
            elif not player.folded and showing and not hidden:
                violations.append(
                    Violation(path, Breach.POCKET_MISSING(clause=self.unknown_pocket))
                )
        lying = community or ()
        violations += self._beyond_supply([(("community",), lying), *pockets])
        needed = len(lying) + self.pocket * len(players)
        if needed > self.dice.count:
            detail = Breach.TOO_FEW_DICE(count=needed, maximum=self.dice.count, clause=self.supply)
            violations.append(Violation(("players",), detail))
        refuse(violations)

    def _beyond_supply(
        self, groups: Sequence[tuple[tuple[str | int, ...], Sequence[int]]]
    ) -> list[Violation]:
        """A violation for each die beyond those of its suit; `groups` of dice have paths."""
        seen: Counter[int] = Counter()
        beyond: list[Violation] = []
        for path, codes in groups:
            for index, code in enumerate(codes):
                suit = self.dice.suit_of[code]
                seen[suit] += 1
                if seen[suit] > self.dice.per_suit:
                    detail = Breach.TOO_MANY_OF_SUIT(
                        suit=self.dice.suits[suit].name,
                        count=seen[suit],
                        maximum=self.dice.per_suit,
                        clause=self.supply,
                    )
                    beyond.append(Violation((*path, index), detail))
        return beyond
