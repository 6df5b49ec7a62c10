"""Beat it or bust as JSON: the players, the hand to beat, and whether a roll beats it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from service.engine.game import GameTable
from service.kinds.ranking.hand_table import Hand
from service.kinds.ranking.state import WHY_OUT, RankingState
from service.kinds.ranking.variant import Ranking


@dataclass(frozen=True, slots=True)
class RankingView:
    """The parts of the JSON of a game of `variant` at `table`.

    `because` adds the clause to a sentence.
    """

    variant: Ranking[Any]
    table: GameTable
    because: Callable[[str, str], str]

    def players(self, state: RankingState) -> list[dict[str, Any]]:
        """Every player with their stack and standing, and the reason if they are out."""
        return [
            {
                "id": player,
                "stack": stack,
                "standing": standing,
                "reason": self.because(*WHY_OUT[standing]) if standing in WHY_OUT else None,
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
            "reason": None,
        }
        if not state.dice:
            return turn
        turn.update(self.hand(state.dice))
        if state.holder is None:
            turn["reason"] = self.because("first", "The first player has nobody to beat")
        else:
            turn["beats"], turn["reason"] = self.beats(state.dice, state.best)
        return turn

    def hand(self, dice: tuple[int, ...]) -> dict[str, Any]:
        """A roll with its rank and strength."""
        hand = self._hand(dice)
        return {
            "dice": list(self.variant.dice.named(dice)),
            "rank": hand.rank.id,
            "strength": hand.strength,
        }

    def beats(self, dice: tuple[int, ...], best: tuple[int, ...]) -> tuple[bool, str]:
        """Whether `dice` beat `best`, and why. An equal hand doesn't (P4, P10)."""
        hand, to_beat = self._hand(dice), self._hand(best)
        if hand.strength > to_beat.strength:
            return True, self.variant.beats(hand, to_beat)
        if hand.strength == to_beat.strength:
            return False, self.because("equal", "An equal hand is not a better one")
        if hand.rank is to_beat.rank:
            return False, self.variant.beats(to_beat, hand)
        name = hand.rank.name
        sentence = f"{name[0].upper()}{name[1:]} doesn't beat {to_beat.rank.name}"
        return False, self.because("bust", sentence)

    def _hand(self, dice: tuple[int, ...]) -> Hand:
        return self.variant.evaluate(dice, self.table.rules)
