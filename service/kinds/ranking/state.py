"""The state of beat it or bust, and what everyone sees of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from service.engine.game import GameTable, State
from service.kinds.ranking.hand_table import Hand
from service.kinds.ranking.variant import Ranking
from service.rules.reasons import Because, Reason

OPENING, JOIN, ROLLING, BETTING, OVER = "ante", "join", "rolling", "betting", "over"
"""The phases: of a round, of each turn in it, and the end of the game."""

TO_DECIDE = "to_decide"
"""A player who hasn't had their turn in this round yet."""

IN = "in"
"""A player who has paid and is rolling, or holds the best hand so far."""

SAT_OUT, FOLDED, BUST, BEATEN, NO_CHIPS = "sat_out", "folded", "bust", "beaten", "no_chips"
"""How a player went out of this round, or without chips out of the game."""

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

    @property
    def over(self) -> bool:
        """Whether one player has all chips, or the last round is over."""
        return self.phase == OVER


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


@dataclass(frozen=True, slots=True)
class RankingView:
    """The parts of the JSON of a game of `variant` at `table`."""

    variant: Ranking
    table: GameTable

    def players(self, state: RankingState) -> list[dict[str, Any]]:
        """Every player with their stack and standing, and the reason if they are out."""
        return [
            {
                "id": player,
                "stack": stack,
                "standing": standing,
                **(
                    {"because": self.variant.because(*WHY_OUT[standing])}
                    if standing in WHY_OUT
                    else NO_REASON
                ),
            }
            for player, stack, standing in zip(
                self.table.players, state.stacks, state.standings, strict=True
            )
        ]

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
