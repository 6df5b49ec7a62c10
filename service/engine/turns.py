"""Games in turns: throws may decide who begins, and the turns of players who left are skipped.

All players throw, and the highest throw begins; players who tie throw again. A variant cites the
clause for this as that of its step `begin`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from service.engine.actions import News
from service.engine.chance import Rolled, numbers
from service.engine.game import Game, VariantT
from service.engine.state import State
from service.rules.reasons import Because, Reason
from service.rules.sentences import Sentence

BEGIN = "begin"
"""The step whose clause says who begins."""

Throw = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Starting:
    """Every throw so far, for each seat. A throw is worth the sum of its dice; an empty one, which
    a player gave up, loses to all others. Throws of the seats in `gone`, who left, don't count.
    """

    throws: tuple[tuple[Throw, ...], ...]
    gone: tuple[int, ...] = ()

    @classmethod
    def among(cls, players: int) -> Starting:
        """Returns the start, before anyone has thrown."""
        return cls(((),) * players)

    @property
    def first(self) -> int | None:
        """The seat of the player who begins, None until that is known.

        A single player begins without a throw, and so does the first seat if all have left.
        """
        _, rivals = self._rivals()
        return rivals[0] if len(rivals) == 1 else None

    @property
    def to_throw(self) -> tuple[int, ...]:
        """The seats of the players who still have to throw, in any order."""
        rounds, rivals = self._rivals()
        if len(rivals) == 1:
            return ()
        return tuple([seat for seat in rivals if len(self.throws[seat]) == rounds])

    def thrown(self, seat: int, dice: Rolled) -> Starting:
        """Returns the throws with another one, by the player at `seat`."""
        throws = (*self.throws[seat], numbers(dice))
        return replace(self, throws=(*self.throws[:seat], throws, *self.throws[seat + 1 :]))

    def given_up(self) -> Starting:
        """Returns the throws with an empty one of each who still has to throw (G1)."""
        starting = self
        for seat in self.to_throw:
            starting = starting.thrown(seat, ())
        return starting

    def without(self, seat: int) -> Starting:
        """Returns the throws of those who are still there after the player at `seat` left (G2)."""
        return replace(self, gone=(*self.gone, seat))

    def news(
        self, players: Sequence[str], because: Callable[[str, Sentence], Because]
    ) -> tuple[News, ...]:
        """The news of who begins or who throws again; empty until the round of throws is complete.

        `because(step, sentence)` gives a reason the clause of the step `begin`.
        """
        rounds, rivals = self._rivals()
        if not rounds or len(self.to_throw) not in (0, len(rivals)):
            return ()
        names = [players[seat] for seat in rivals]
        highest = sum(self.throws[rivals[0]][rounds - 1])
        if len(rivals) == 1:
            sentence = Reason.HIGHEST_THROW(player=names[0], thrown=highest)
            if not self.throws[rivals[0]][rounds - 1]:
                sentence = Reason.NOBODY_THREW(player=names[0])
            why = because(BEGIN, sentence)
            return ({"what": "begins", "player": names[0], "because": why},)
        why = because(BEGIN, Reason.EQUAL_THROWS(players=names, thrown=highest))
        return ({"what": "throw_again", "players": names, "because": why},)

    def as_json(self, players: Sequence[str]) -> dict[str, list[list[int]]]:
        """Every throw so far, by player, as JSON."""
        thrown = zip(players, self.throws, strict=True)
        return {player: [list(throw) for throw in throws] for player, throws in thrown}

    def _rivals(self) -> tuple[int, Sequence[int]]:
        """How many rounds of throws are complete, and the seats that can still begin."""
        rivals = [seat for seat in range(len(self.throws)) if seat not in self.gone] or [0]
        rounds = 0
        while len(rivals) > 1 and all(len(self.throws[seat]) > rounds for seat in rivals):
            thrown = [seat for seat in rivals if self.throws[seat][rounds]] or rivals[:1]
            worth = {seat: sum(self.throws[seat][rounds]) for seat in thrown}
            highest = max(worth.values())
            rivals = [seat for seat in thrown if worth[seat] == highest]
            rounds += 1
        return rounds, rivals


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

    def playing(self, state: TurnStateT) -> Iterable[int]:
        """The seat whose turn it is."""
        return (self.seat_at_turn(state),)

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
