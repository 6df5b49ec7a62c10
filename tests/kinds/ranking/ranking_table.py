"""A game of `poker-dice`, played action by action with typed dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.api.sessions.answers import move_json
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.ranking.game import RankingGame
from service.variants.poker_dice import VARIANT, PokerDiceRules
from tests.reasons import said

FIVE = (6, 6, 6, 6, 6)
FOUR = (2, 2, 2, 2, 1)
HOUSE = (5, 5, 3, 3, 3)
STRAIGHT = (1, 2, 3, 4, 5)
SMALL_STRAIGHT = (1, 2, 3, 4, 6)
THREE = (4, 4, 4, 1, 2)
NOTHING = (6, 6, 5, 5, 4)


def begins(player: str, number: int) -> dict[str, Any]:
    """The news of a next round."""
    reason = "The winner of the pot begins the next round (P7)."
    return {"what": "round_begins", "round": number, "player": player, "reason": reason}


class RankingTable:
    """A game of `poker-dice` and its current state; `at` is the time of the next action, in ms."""

    def __init__(self, *players: str, **rules: Any) -> None:
        self.game = RankingGame(
            VARIANT, GameTable(players, PokerDiceRules(**rules), typed_dice=True)
        )
        self.at = 0
        self.state = self.game.start(self.at)

    def act(
        self, player: str, action: str, dice: Sequence[int] | None = None, **values: Any
    ) -> list[dict[str, Any]]:
        """Takes an action; returns what followed from it."""
        self.state, _ = self.game.play(self.state, Action(action, player, self.at, values, dice))
        return [said(entry) for entry in self.state.news]

    def antes(self, amount: int, *sitting_out: str) -> list[dict[str, Any]]:
        """The starter names the ante, and all meet it but those who sit out (P16); what followed
        from the last of these actions.
        """
        news = self.act(self.view()["starter"], "ante", amount=amount)
        while self.state.phase == "antes":
            (player,) = self.view()["to_act"]
            news = self.act(player, "sit_out" if player in sitting_out else "meet")
        return news

    def roll(self, player: str, dice: Sequence[int]) -> list[dict[str, Any]]:
        """Rolls once and stops; returns what followed."""
        self.act(player, "roll", dice)
        return self.act(player, "stop")

    def view(self) -> dict[str, Any]:
        """What everyone sees."""
        view: dict[str, Any] = said(self.game.view(self.state, None))
        return view

    def legal(self) -> list[dict[str, Any]]:
        """The legal moves, as clients see them."""
        return [move_json(move, typed_dice=True) for move in self.game.moves(self.state)]

    def table(self) -> tuple[object, ...]:
        """Phase, who is to act, pot, price and the stacks."""
        view = self.view()
        stacks = [player["stack"] for player in view["players"]]
        to_act = next(iter(view["to_act"]), None)
        return view["phase"], to_act, view["pot"], view["price"], stacks

    def standings(self) -> list[str]:
        """Who is in and how the others are out."""
        return [player["standing"] for player in self.view()["players"]]
