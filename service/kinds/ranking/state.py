"""The state of beat it or bust, and what everyone sees of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from service.engine.game import GameTable
from service.engine.state import State
from service.kinds.ranking.hand_table import Hand
from service.kinds.ranking.variant import Ranking
from service.rules.reasons import Because, Reason
from service.rules.variant import LEFT

OPENING, ANTES, ROLLING, BETTING, RAISES, OVER = (
    "ante", "antes", "rolling", "betting", "raises", "over",
)  # fmt: skip
"""The phases: the ante is named and answered, then each turn, and the end of the game."""

TO_DECIDE = "to_decide"
"""A player who has yet to answer the ante or a raise."""

IN = "in"
"""A player who has paid, and has yet to roll, rolls, or holds the best hand so far."""

SAT_OUT, FOLDED, BUST, BEATEN, NO_CHIPS = "sat_out", "folded", "bust", "beaten", "no_chips"
HAS_LEFT = "left"
"""How a player went out of this round, or without chips or by leaving out of the game."""

WHY_OUT = {
    SAT_OUT: ("sit_out", Reason.SAT_OUT()),
    FOLDED: ("fold", Reason.FOLDED()),
    BUST: ("bust", Reason.BUST()),
    BEATEN: ("beaten", Reason.BEATEN()),
    NO_CHIPS: ("no_chips", Reason.NO_CHIPS()),
}
"""Why a player with a standing is out: the step of the game, and the sentence."""

NO_REASON = {"because": None, "reason": None}
"""The fields of a reason where there is none."""


@dataclass(frozen=True, slots=True)
class RankingState(State):
    """The state of a game, with seats from 0 for players.

    `price` is the ante or the raise that is being answered, and otherwise 0. `best` is the best
    hand so far, which the seat `holder` rolled; None while nobody has stopped. `dice` are those of
    the seat `turn` after `rolls` rolls that count. The pot is all chips that are in no stack.
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


def with_standings(state: RankingState, changed: Mapping[int, str]) -> RankingState:
    """The state with other standings for the seats in `changed`."""
    standings = tuple(
        [changed.get(seat, standing) for seat, standing in enumerate(state.standings)]
    )
    return replace(state, standings=standings)


def seats(state: RankingState, standing: str, after: int) -> list[int]:
    """The seats with a `standing`, in the order in which they sit from the one `after` a seat."""
    count = len(state.standings)
    around = [seat % count for seat in range(after + 1, after + 1 + count)]
    return [seat for seat in around if state.standings[seat] == standing]


@dataclass(frozen=True, slots=True)
class RankingView:
    """The parts of the JSON of a game of `variant` at `table`."""

    variant: Ranking
    table: GameTable

    def players(self, state: RankingState) -> list[dict[str, Any]]:
        """Every player with their stack and standing, and the reason if they are out."""
        return [
            {"id": player, "stack": stack, "standing": standing, **self._why_out(player, standing)}
            for player, stack, standing in zip(
                self.table.players, state.stacks, state.standings, strict=True
            )
        ]

    def _why_out(self, player: str, standing: str) -> Mapping[str, Any]:
        """Why a player with a standing is out, if they are."""
        if standing == HAS_LEFT:
            return {"because": self.variant.because(LEFT, Reason.LEFT(player=player))}
        if standing not in WHY_OUT:
            return NO_REASON
        return {"because": self.variant.because(*WHY_OUT[standing])}

    def best(self, state: RankingState) -> dict[str, Any] | None:
        """The hand to beat; None if there is none yet."""
        if state.holder is None:
            return None
        return {"player": self.table.players[state.holder], **self.hand(state.best)}

    def turn(self, state: RankingState) -> dict[str, Any]:
        """The dice of the player who rolls, and whether they beat the best hand so far (P4)."""
        turn: dict[str, Any] = {
            "player": self.table.players[state.turn],
            "dice": [],
            "rolls_left": self.variant.rolls - state.rolls,
            "rank": None,
            "strength": None,
            "beats": None,
        }
        if not state.dice:
            return {**turn, **NO_REASON}
        turn.update(self.hand(state.dice))
        if state.holder is None:
            turn["because"] = self.variant.because("first", Reason.FIRST())
        else:
            turn["beats"], turn["because"] = self.beats(state.dice, state.best)
        return turn

    def hand(self, dice: tuple[int, ...]) -> dict[str, Any]:
        """A roll with its rank and strength."""
        hand = self._hand(dice)
        return {
            "dice": list(self.variant.dice.named(dice)),
            "rank": hand.rank.id,
            "strength": hand.strength,
        }

    def beats(self, dice: tuple[int, ...], best: tuple[int, ...]) -> tuple[bool, Because]:
        """Whether `dice` beat `best`, and why. An equal hand doesn't (P4, P10)."""
        hand, to_beat = self._hand(dice), self._hand(best)
        if hand.strength > to_beat.strength:
            return True, self.variant.beats(hand, to_beat)
        if hand.strength == to_beat.strength:
            return False, self.variant.because("equal", Reason.EQUAL_HAND())
        if hand.rank is to_beat.rank:
            return False, self.variant.beats(to_beat, hand)
        sentence = Reason.LOWER_RANK(worse=hand.rank.id, better=to_beat.rank.id)
        return False, self.variant.because("bust", sentence)

    def _hand(self, dice: tuple[int, ...]) -> Hand:
        return self.variant.evaluate(dice, self.table.rules)
