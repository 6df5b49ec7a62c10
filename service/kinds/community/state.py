"""The state of a game with pocket and community dice, and what a player sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from service.engine.actions import News
from service.engine.game import GameTable
from service.engine.state import State
from service.kinds.community.betting import Betting, Stake, uncalled
from service.kinds.community.variant import CommunityRanking, Holding, Seat, Showdown
from service.rules.reasons import Reason, of_showdown


@dataclass(frozen=True, slots=True)
class LastHand:
    """How the last hand of the game ended; all of it is public.

    `pockets` are those that were shown, by seat. `unshown` is the seat that won without showing.
    """

    dealer: int
    community: tuple[int, ...]
    pockets: tuple[tuple[int, ...], ...]
    paid: tuple[int, ...]
    unshown: int | None


@dataclass(frozen=True, slots=True)
class CommunityState(State):
    """The state of a game, with seats for players and codes for dice.

    `hand` counts the hands of the game from 1. `chips` are what a player has left, `paid` what they
    put in during this hand. A player without a pocket still has to roll it. A player with neither
    chips nor `paid` is out of the game; one who leaves folds. `betting` is None while dice are to
    be rolled; `again` is true if the flop is to be rolled again, and `rerolls` is how often it was.
    `away` is true once the dealer didn't roll in time. `rounds` has, for each round of betting that
    is over, how many bets and raises there were, and the seat of who made the last (None: a blind).
    """

    hand: int
    dealer: int
    chips: tuple[int, ...]
    paid: tuple[int, ...]
    pockets: tuple[tuple[int, ...], ...]
    folded: tuple[int, ...] = ()
    community: tuple[int, ...] = ()
    stage: int = 0
    betting: Betting | None = None
    again: bool = False
    rerolls: int = 0
    away: bool = False
    rounds: tuple[tuple[int, int | None], ...] = ()
    last: LastHand | None = None

    @property
    def dealt(self) -> Sequence[int]:
        """The chips of each seat at the beginning of the hand; 0 if it wasn't dealt in."""
        dealt = map(add, self.chips, self.paid)
        return [chips if self.dealt_in(seat) else 0 for seat, chips in enumerate(dealt)]

    def dealt_in(self, seat: int) -> bool:
        """Whether the player is in this hand, folded or not: who left is in none after it (H16,
        G2).
        """
        there = seat not in self.left or seat in self.folded
        return there and bool(self.chips[seat] or self.paid[seat])

    def live(self, seat: int) -> bool:
        """Whether the player can win this hand."""
        return seat not in self.folded and self.dealt_in(seat)

    def able(self, seat: int) -> bool:
        """Whether the player can still bet in this hand (H14)."""
        return self.chips[seat] > 0 and self.live(seat)


@dataclass(frozen=True, slots=True)
class CommunityView:
    """The parts of the JSON of a game of `variant` at `table`."""

    variant: CommunityRanking
    table: GameTable

    def players(self, state: CommunityState) -> list[dict[str, Any]]:
        """Every player: chips, what they put in, and whether they folded, are all in, left or are
        out.
        """
        put = state.betting.put if state.betting else (0,) * len(self.table.players)
        return [
            {
                "id": player,
                "chips": state.chips[seat],
                "paid": state.paid[seat],
                "paid_in_round": put[seat],
                "folded": seat in state.folded,
                "all_in": state.live(seat) and not state.chips[seat],
                "left": seat in state.left,
                "out": seat in state.left or not state.dealt_in(seat),
            }
            for seat, player in enumerate(self.table.players)
        ]

    def holding(self, pocket: Sequence[int], community: Sequence[int]) -> dict[str, Any] | None:
        """The hand that a pocket makes now (H3, H23); None without a pocket."""
        if not pocket:
            return None
        held = self.variant.evaluate(pocket, community, self.table.rules)
        if isinstance(held, Holding):
            holds = {"pair": held.pair, "suited": held.suited}
            return {"rank": None, "clause": self.variant.too_few, "best": [], "holds": holds}
        rank = held.hand.rank
        best = self.written(held.best)
        return {"rank": rank.id, "clause": rank.clause, "best": best, "holds": None}

    def written(self, codes: Sequence[int]) -> list[str]:
        """Dice in notation (H28)."""
        return self.variant.dice.written(codes)

    def last_hand(self, last: LastHand | None) -> News | None:
        """The news of how the last hand ended; None during the first hand."""
        if last is None:
            return None
        if last.unshown is not None:
            return self.won_without_showing(last, last.unshown)
        return self.showdown(last, self.ranked(last))

    def ranked(self, last: LastHand) -> Showdown:
        """The showdown of a hand of the game: places, pots and payouts (H14, H20-H25)."""
        count = len(self.table.players)
        seats = [
            Seat(self.table.players[seat], pocket, last.paid[seat], folded=not pocket)
            for step in range(1, count + 1)
            if (pocket := last.pockets[seat := (last.dealer + step) % count]) or last.paid[seat]
        ]
        return self.variant.rank(last.community, seats, self.table.rules)

    def won_without_showing(self, last: LastHand, seat: int) -> News:
        """The news that all but one have folded (H15)."""
        players = self.table.players
        player = players[seat]
        stakes = [
            Stake(name, last.paid[at], 1 if at == seat else None) for at, name in enumerate(players)
        ]
        return self.variant.news(
            "won_without_showing",
            "without_showing",
            Reason.WITHOUT_SHOWING(player=player),
            player=player,
            community=self.written(last.community),
            payouts={player: sum(last.paid)},
            returned=uncalled(stakes),
        )

    def showdown(self, last: LastHand, showdown: Showdown) -> News:
        """The news of the showdown: hands, places and pots (H4-H8, H14, H25)."""
        pots = showdown.pots or []
        payouts: dict[str, int] = {}
        for pot in pots:
            for player, payout in pot.payouts.items():
                payouts[player] = payouts.get(player, 0) + payout
        pockets = dict(zip(self.table.players, last.pockets, strict=True))
        places = [
            {
                "place": place.place,
                "players": [shown.id for shown in place.entries],
                "rank": (rank := place.entries[0].held.hand.rank).id,
                "clause": rank.clause,
                "hands": [
                    {
                        "id": shown.id,
                        "pocket": self.written(pockets[shown.id]),
                        "best": self.written(shown.held.best),
                    }
                    for shown in place.entries
                ],
                "because": place.because,
            }
            for place in showdown.places
        ]
        return {
            "what": "showdown",
            "because": of_showdown(showdown.winners, showdown.places[0].because),
            "community": self.written(last.community),
            "places": places,
            "pots": [
                {"amount": pot.amount, "eligible": list(pot.eligible), "payouts": pot.payouts}
                for pot in pots
            ],
            "payouts": payouts,
            "returned": showdown.returned,
        }
