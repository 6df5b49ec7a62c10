"""Games in turns: throws may decide who begins, and the turns of players who left are skipped."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TypeVar

from service.engine.chance import Rolled
from service.engine.game import Game, VariantT
from service.engine.starting import Starting
from service.engine.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState(State):
    """The fields of a state of a game in turns.

    `starting` has the throws to decide who begins, until that is known; `begins` is the seat of the
    player who does.
    """

    starting: Starting | None = None
    begins: int = 0


TurnStateT = TypeVar("TurnStateT", bound=TurnState)


class TurnGame(Game[VariantT, TurnStateT]):
    """A game in which each player in turn plays on their own."""

    @abstractmethod
    def seat_at_turn(self, state: TurnStateT) -> int:
        """The seat whose turn it is, once it is known who begins."""

    @abstractmethod
    def turn_given_up(self, state: TurnStateT) -> TurnStateT:
        """The state after the player to act gave up the turn, whatever was rolled (G1). The news is
        added to that of `state`.
        """

    @abstractmethod
    def turn_skipped(self, state: TurnStateT) -> TurnStateT:
        """The state after a turn of who left (G2). The news is added to that of `state`."""

    def give_up(self, state: TurnStateT) -> TurnStateT:
        """No throw of all who still have to throw, or the turn is given up (D14, G1)."""
        if state.starting:
            return self._started(state, state.starting.given_up())
        return self.passed(self.turn_given_up(state))

    def without(self, state: TurnStateT, seat: int) -> TurnStateT:
        """Who left doesn't throw, and their turns are skipped when they come (G2)."""
        if not state.starting:
            return self.passed(state)
        starting = state.starting.without(seat)
        if starting.to_throw == state.starting.to_throw:
            return replace(state, starting=starting)
        return self._started(state, starting)

    def thrown(self, state: TurnStateT, player: str, dice: Rolled) -> TurnStateT:
        """The state after a throw to begin; the last throw starts the first turn (D17, R2, Y2)."""
        if state.starting is None:
            raise ValueError("nobody throws to decide who begins")
        return self._started(state, state.starting.thrown(self.table.players.index(player), dice))

    def to_act(self, state: TurnStateT) -> list[str]:
        """Who can act: those who still have to throw, or the player at turn; nobody at the end."""
        if state.over:
            return []
        seats = state.starting.to_throw if state.starting else [self.seat_at_turn(state)]
        return [self.table.players[seat] for seat in seats]

    def passed(self, state: TurnStateT) -> TurnStateT:
        """The state once it is the turn of a player who is there (G2), or at the end."""
        while not state.over and self.seat_at_turn(state) in state.left:
            state = self.turn_skipped(state)
        return state

    def _started(self, state: TurnStateT, starting: Starting) -> TurnStateT:
        """The state after throws; the last one starts the first turn."""
        news = (*state.news, *starting.news(self.table.players, self.variant.because))
        if starting.first is None:
            return replace(state, starting=starting, news=news)
        return self.passed(replace(state, starting=None, begins=starting.first, news=news))
