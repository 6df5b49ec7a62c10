"""Who begins: all players throw, and the highest throw begins; players who tie throw again.

A variant cites the clause for this as that of its step `begin`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from service.engine.actions import News
from service.engine.chance import Rolled, numbers
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
        if len(rivals) == 1 and not self.throws[rivals[0]][rounds - 1]:
            why = because(BEGIN, Reason.NOBODY_THREW(player=names[0]))
            return ({"what": "begins", "player": names[0], "because": why},)
        if len(rivals) == 1:
            why = because(BEGIN, Reason.HIGHEST_THROW(player=names[0], thrown=highest))
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
