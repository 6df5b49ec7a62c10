"""The state of beat it or bust: the phase of the round, who is in it, and all chips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from service.engine.game import News

ANTE, JOIN, ROLLING, BETTING, OVER = "ante", "join", "rolling", "betting", "over"
"""The phases: of a round, of each turn in it, and the end of the game."""

TO_DECIDE = "to_decide"
"""A player who hasn't had their turn in this round yet."""

IN = "in"
"""A player who has paid and is rolling, or holds the best hand so far."""

SAT_OUT, FOLDED, BUST, BEATEN, NO_CHIPS = "sat_out", "folded", "bust", "beaten", "no_chips"
"""How a player went out of this round, or without chips out of the game."""

WHY_OUT = {
    SAT_OUT: ("sit_out", "Didn't put in the ante"),
    FOLDED: ("fold", "Didn't meet the raise"),
    BUST: ("bust", "Didn't roll a better hand than the best so far"),
    BEATEN: ("beaten", "A later player rolled a better hand"),
    NO_CHIPS: ("no_chips", "Has no chips left"),
}
"""Why a player with a standing is out: the step of the game, and the sentence."""


@dataclass(frozen=True, slots=True)
class RankingState:
    """The state of a game, with seats from 0 for players.

    `price` is what coming in costs: the `ante` and all raises so far. `best` is the best hand so
    far, which the seat `holder` rolled; None while nobody has stopped. `dice` are those of the seat
    `turn` after `rolls` rolls that count. The pot is all chips that are in no stack.
    """

    phase: str
    round: int
    starter: int
    turn: int
    stacks: tuple[int, ...]
    standings: tuple[str, ...]
    ante: int = 0
    price: int = 0
    best: tuple[int, ...] = ()
    holder: int | None = None
    dice: tuple[int, ...] = ()
    rolls: int = 0
    winners: tuple[str, ...] = ()
    news: tuple[News, ...] = ()

    @property
    def over(self) -> bool:
        """Whether one player has all chips, or the last round is over."""
        return self.phase == OVER

    @property
    def deadline(self) -> int | None:
        """No clock runs."""
        return None


def with_standings(state: RankingState, changed: Mapping[int, str]) -> RankingState:
    """The state with other standings for the seats in `changed`."""
    standings = tuple(
        [changed.get(seat, standing) for seat, standing in enumerate(state.standings)]
    )
    return replace(state, standings=standings)


def unable(state: RankingState) -> list[int]:
    """The seats still to decide whose stack is below the price, in table order."""
    count = len(state.stacks)
    return [
        seat % count
        for seat in range(state.turn + 1, state.turn + count)
        if state.standings[seat % count] == TO_DECIDE and state.stacks[seat % count] < state.price
    ]
