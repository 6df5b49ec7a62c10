"""What is stored of a game with pocket and community dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.engine.game import News
from service.kinds.community.betting import Betting


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
class CommunityState:
    """The state of a game, with seats for players and codes for dice.

    `hand` counts the hands of the game from 1. `chips` are what a player has left, `paid` what they
    put in during this hand. A player without a pocket still has to roll it. A player with neither
    chips nor `paid` is out of the game. `betting` is None while dice are to be rolled; `again` is
    true if the flop is to be rolled again.
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
    last: LastHand | None = None
    winners: tuple[str, ...] = ()
    news: tuple[News, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)

    @property
    def deadline(self) -> int | None:
        """None: no clock runs."""
        return None

    def dealt_in(self, seat: int) -> bool:
        """Whether the player is in the game (H16)."""
        return bool(self.chips[seat] or self.paid[seat])

    def live(self, seat: int) -> bool:
        """Whether the player can win this hand."""
        return seat not in self.folded and self.dealt_in(seat)

    def able(self, seat: int) -> bool:
        """Whether the player can still bet in this hand (H14)."""
        return seat not in self.folded and self.chips[seat] > 0


def restore(stored: Mapping[str, Any]) -> CommunityState:
    """The state from its stored JSON."""
    betting, last = stored["betting"], stored["last"]
    return CommunityState(
        hand=stored["hand"],
        dealer=stored["dealer"],
        chips=tuple(stored["chips"]),
        paid=tuple(stored["paid"]),
        pockets=tuple(map(tuple, stored["pockets"])),
        folded=tuple(stored["folded"]),
        community=tuple(stored["community"]),
        stage=stored["stage"],
        betting=betting
        and Betting(tuple(betting["put"]), tuple(betting["to_act"]), betting["raises"]),
        again=stored["again"],
        last=last
        and LastHand(
            dealer=last["dealer"],
            community=tuple(last["community"]),
            pockets=tuple(map(tuple, last["pockets"])),
            paid=tuple(last["paid"]),
            unshown=last["unshown"],
        ),
        winners=tuple(stored["winners"]),
        news=tuple(stored["news"]),
    )
