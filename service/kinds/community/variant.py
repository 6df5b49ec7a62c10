"""Variants where each player has hidden pocket dice and all share the community dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from service.kinds.community.hand_finder import BestOf
from service.kinds.community.pots import Pot, Stake, share_out
from service.kinds.ranking.hand_table import Hand, HandTable
from service.kinds.ranking.variant import AnyRanking
from service.rules.house_rules import RulesT
from service.rules.places import Place, in_places
from service.rules.violations import InvalidInput, Violation


@dataclass(frozen=True)
class Seat:
    """A player at the table: the pocket dice (codes), the chips put in, and whether folded.

    The pocket of a player who folded may be unknown: then it is None (H32).
    """

    id: str
    pocket: tuple[int, ...] | None = None
    paid: int | None = None
    folded: bool = False


@dataclass(frozen=True)
class TableHand:
    """A hand of suited dice: what it ranks as, and the codes of its dice as they count."""

    hand: Hand
    best: tuple[int, ...]


@dataclass(frozen=True)
class Holding:
    """What too few dice for a hand hold so far (H23)."""

    pair: bool
    suited: bool


@dataclass(frozen=True)
class Shown:
    """A player at the showdown with the best hand."""

    id: str
    held: TableHand


@dataclass(frozen=True)
class Showdown:
    """How a hand of the game ends.

    `pots` is None unless the chips put in were given. `wins_game`: the winners win the whole
    game with it; not if the others have folded, as nobody then shows a hand (H15, H31).
    """

    places: list[Place[Shown]]
    pots: list[Pot] | None
    wins_game: bool

    @property
    def winners(self) -> list[str]:
        """The players in the first place."""
        return [player.id for player in self.places[0].entries]


@dataclass(frozen=True, kw_only=True, eq=False)
class CommunityRanking(AnyRanking[RulesT]):
    """A variant where a hand is the best choice of dice out of pocket and community.

    `pocket` dice a player; `stages` are the numbers of community dice there can be. `supply` is
    the clause that bounds the dice of one suit, `too_few` the one for too few dice to rank,
    `unknown_pocket` the one for a pocket that is left out, `chip` the unit of stakes.
    """

    kind: ClassVar[str] = "community"

    pocket: int
    stages: tuple[int, ...]
    supply: str
    too_few: str
    unknown_pocket: str
    chip: int
    _best: dict[HandTable, BestOf] = field(default_factory=dict, init=False)

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice there can be to make a hand of."""
        return range(self.hand_size, self.pocket + max(self.stages) + 1)

    def evaluate(
        self, pocket: Sequence[int], community: Sequence[int], rules: RulesT
    ) -> TableHand | Holding:
        """The best hand out of `pocket` and `community` (H3, H20-H22), or what they hold (H23).

        Both are codes, as `Dice.read_codes` gives them. Raises `InvalidInput` when the dice can't
        lie on one table (H24).
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

    def rank(self, community: Sequence[int], players: Sequence[Seat], rules: RulesT) -> Showdown:
        """The showdown: places of those not folded, and the pots if every stake is given.

        `players` sit in order from the dealer's left. Raises `InvalidInput` when the dice can't lie
        on one table (H24), everybody folded, only some stakes are given, or a player who has not
        folded has no pocket (H32).
        """
        self.check_table(community, players)
        best_of = self.best_of(rules)
        shown = []
        for player in players:
            if not player.folded:
                codes = [*(player.pocket or ()), *community]
                held = TableHand(*best_of.hand(codes, best_of.tallies(codes)))
                shown.append(Shown(player.id, held))
        places = in_places(
            shown,
            strength=lambda player: player.held.hand.strength,
            beats=lambda stronger, weaker: self.beats(stronger.held.hand, weaker.held.hand),
            last=lambda players, alone: self.last([p.held.hand for p in players], alone),
        )
        return Showdown(
            places=places,
            pots=self._pots(players, shown, rules),
            wins_game=len(shown) > 1 and self.wins_game(places[0].entries[0].held.hand, rules),
        )

    def check_hand(self, pocket: Sequence[int], community: Sequence[int]) -> None:
        """Raises `InvalidInput` when the dice can't lie on one table (H24)."""
        beyond = self._beyond_supply([(("pocket",), pocket), (("community",), community)])
        if beyond:
            raise InvalidInput(*beyond)

    def check(self, codes: Sequence[int]) -> None:
        """Raises `InvalidInput` for dice by `codes` that can't lie on one table (H24)."""
        violations = self._unknown(codes) or self._beyond_supply([((), codes)])
        if violations:
            raise InvalidInput(*violations)

    def best_of(self, rules: RulesT) -> BestOf:
        """The table of best hands under `rules`; made once for each table of hands."""
        table = self.table(rules)
        try:
            return self._best[table]
        except KeyError:
            most = self.pocket + max(self.stages)
            made = BestOf(table, self.dice, size=self.hand_size, most=most)
            return self._best.setdefault(table, made)

    def _unknown(self, codes: Sequence[int]) -> list[Violation]:
        """A violation for every one of `codes` that no die of the set has."""
        most = len(self.dice.notation) - 1
        return [
            Violation((index,), f"must be the code of a die, from 0 to {most}")
            for index, code in enumerate(codes)
            if not 0 <= code <= most
        ]

    def _pots(
        self, players: Sequence[Seat], shown: Sequence[Shown], rules: RulesT
    ) -> list[Pot] | None:
        if players[0].paid is None:
            return None
        hands = {player.id: player.held.hand for player in shown}
        return share_out(
            [
                Stake(
                    player.id,
                    player.paid or 0,
                    hands[player.id].strength if player.id in hands else None,
                    player.id in hands and self.wins_game(hands[player.id], rules),
                )
                for player in players
            ],
            self.chip,
        )

    def check_table(self, community: Sequence[int], players: Sequence[Seat]) -> None:
        """Raises `InvalidInput` for what `rank` refuses."""
        violations: list[Violation] = []
        if any(player.paid is not None for player in players):
            violations += [
                Violation(
                    ("players", index, "paid"),
                    "is missing: give what was paid for every player, or for none",
                )
                for index, player in enumerate(players)
                if player.paid is None
            ]
        if all(player.folded for player in players):
            violations.append(
                Violation(("players",), "must hold at least one player who has not folded")
            )
        pockets = []
        for index, player in enumerate(players):
            path = ("players", index, "pocket")
            if player.pocket is not None:
                pockets.append((path, player.pocket))
            elif not player.folded:
                detail = f"is missing; only who has folded may leave it out ({self.unknown_pocket})"
                violations.append(Violation(path, detail))
        violations += self._beyond_supply([(("community",), community), *pockets])
        needed = len(community) + self.pocket * len(players)
        if needed > self.dice.count:
            detail = f"need {needed} dice with the community; there are {self.dice.count}"
            violations.append(Violation(("players",), f"{detail} ({self.supply})"))
        if violations:
            raise InvalidInput(*violations)

    def _beyond_supply(
        self, groups: Sequence[tuple[tuple[str | int, ...], Sequence[int]]]
    ) -> list[Violation]:
        """A violation for every die of a suit that the set hasn't got, in groups each with its
        path.
        """
        seen: Counter[int] = Counter()
        beyond: list[Violation] = []
        for path, codes in groups:
            for index, code in enumerate(codes):
                suit = self.dice.suit_of[code]
                seen[suit] += 1
                if seen[suit] > self.dice.per_suit:
                    detail = (
                        f"is {self.dice.suits[suit].name} die number {seen[suit]} on this "
                        f"table; there are {self.dice.per_suit} ({self.supply})"
                    )
                    beyond.append(Violation((*path, index), detail))
        return beyond
