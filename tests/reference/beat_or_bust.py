"""A session of `poker-dice` by its clauses P1-P14 and P16, computed slowly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.poker_dice import rank_and_key


class Bookkeeper:
    """Follows the actions of a game, and returns what must be true after each of them.

    Everything is stored by player name; every chip put in is recorded with its payer.
    """

    def __init__(
        self, players: Sequence[str], chips: int, rounds: int | None, *, pairs_rank: bool
    ) -> None:
        self.players = list(players)
        self.stacks = dict.fromkeys(players, chips)
        self.rounds = rounds
        self.pairs_rank = pairs_rank
        self.number = 1
        self.over = False
        self.winners: list[str] = []
        self.news: list[dict[str, Any]] = []
        self.begin(self.players[0])

    def begin(self, starter: str) -> None:
        """A round: nobody has paid, and everyone with chips is to come after the starter."""
        at = self.players.index(starter)
        around = self.players[at:] + self.players[:at]
        self.starter = self.to_act = starter
        self.waiting = [player for player in around[1:] if self.stacks[player]]
        self.paid = dict.fromkeys(self.players, 0)
        self.standing = {
            player: "to_decide" if stack else "no_chips" for player, stack in self.stacks.items()
        }
        self.phase = "ante"
        self.ante = self.price = 0
        self.best: tuple[str, list[int]] | None = None
        self.dice: list[int] = []
        self.rolled = 0

    def legal(self) -> list[dict[str, Any]]:
        """The moves that must be listed, without what is kept and the dice."""
        stack = self.stacks[self.to_act]
        amount = {"amount": {"type": "integer", "minimum": 1, "maximum": stack}}
        if self.over:
            return []
        if self.phase == "ante":
            moves: list[dict[str, Any]] = [{"action": "ante", **amount}]
        elif self.phase == "join":
            away = "sit_out" if self.price == self.ante else "fold"
            moves = [{"action": "meet"}, {"action": away}]
        elif self.phase == "rolling":
            moves = [{"action": "roll"}, *([{"action": "stop"}] if self.rolled else [])]
        else:
            moves = [{"action": "check"}, *([{"action": "raise", **amount}] if stack else [])]
        return [{**move, "player": self.to_act} for move in moves]

    def follow(self, name: str, values: Mapping[str, Any], dice: Sequence[int] | None) -> None:
        """What an action of the player whose turn it is leads to."""
        self.news = []
        if name == "ante":
            self.ante = values["amount"]
            self.price_rises(values["amount"], "sat_out", "sits_out")
            self.phase = "rolling"
            if not self.waiting:
                self.collect(self.to_act)
        elif name == "raise":
            self.price_rises(values["amount"], "folded", "folds")
            self.next_turn()
        elif name == "meet":
            self.pay(self.to_act, self.price)
            self.phase = "rolling"
        elif name == "check":
            self.next_turn()
        elif name in ("sit_out", "fold"):
            self.standing[self.to_act] = {"sit_out": "sat_out", "fold": "folded"}[name]
            self.next_turn()
        elif name == "roll":
            assert dice is not None
            for place in values.get("keep", ()):
                assert dice[place] == self.dice[place]
            self.dice = list(dice)
            self.rolled += 1
            if self.rolled == 3:
                self.stop()
        else:
            assert name == "stop"
            self.stop()

    def pay(self, player: str, amount: int) -> None:
        """Chips go from a stack into the pot."""
        self.stacks[player] -= amount
        self.paid[player] += amount
        self.standing[player] = "in"

    def price_rises(self, amount: int, standing: str, what: str) -> None:
        """The player whose turn it is pays; players still to come with fewer chips are out."""
        self.pay(self.to_act, amount)
        self.price += amount
        for player in list(self.waiting):
            if self.stacks[player] < self.price:
                self.waiting.remove(player)
                self.standing[player] = standing
                self.news.append({"what": what, "player": player})

    def key(self, dice: Sequence[int]) -> tuple[int, ...]:
        """What hands are compared by."""
        return rank_and_key(dice, pairs_rank=self.pairs_rank)[1]

    def stop(self) -> None:
        """A hand is compared with the best so far."""
        if self.best is not None and self.key(self.dice) <= self.key(self.best[1]):
            self.standing[self.to_act] = "bust"
            self.news.append({"what": "busts", "player": self.to_act})
            self.next_turn()
            return
        if self.best is not None:
            self.standing[self.best[0]] = "beaten"
            self.news.append({"what": "put_out", "player": self.best[0]})
        self.best = (self.to_act, self.dice)
        self.dice, self.rolled = [], 0
        self.phase = "betting"
        if not self.waiting:
            self.collect(self.to_act)

    def next_turn(self) -> None:
        """The next who waits decides; if nobody does, the holder of the best hand collects."""
        self.dice, self.rolled = [], 0
        if self.waiting:
            self.to_act = self.waiting.pop(0)
            self.phase = "join"
        else:
            assert self.best is not None
            self.collect(self.best[0])

    def collect(self, player: str) -> None:
        """The pot goes to a player, then the next round begins or the game is over."""
        assert [name for name, standing in self.standing.items() if standing == "in"] == [player]
        pot = sum(self.paid.values())
        self.stacks[player] += pot
        self.news.append({"what": "collects", "player": player, "amount": pot})
        for name, stack in self.stacks.items():
            if not stack and self.standing[name] != "no_chips":
                self.news.append({"what": "out_of_chips", "player": name})
        began = self.starter
        self.begin(player)
        if len([stack for stack in self.stacks.values() if stack]) == 1 or (
            self.number == self.rounds
        ):
            self.over = True
            self.phase = "over"
            self.starter = began  # no further round begins
            most = max(self.stacks.values())
            self.winners = [name for name in self.players if self.stacks[name] == most]
            self.news.append({"what": "game_over", "winners": self.winners})
        else:
            self.number += 1
            news = {"what": "round_begins", "player": player, "round": self.number}
            self.news.append(news)

    def table(self) -> dict[str, Any]:
        """What everyone must see, except reasons."""
        turn = None
        if self.phase == "rolling":
            turn = {"player": self.to_act, "dice": self.dice, "rolls_left": 3 - self.rolled}
            turn["rank"] = self.rank(self.dice) if self.dice else None
            compared = self.best is not None and bool(self.dice)
            turn["beats"] = None
            if compared and self.best is not None:
                turn["beats"] = self.key(self.dice) > self.key(self.best[1])
        best = None
        if self.best is not None:
            holder, dice = self.best
            best = {"player": holder, "dice": dice, "rank": self.rank(dice)}
        return {
            "over": self.over,
            "winners": self.winners,
            "news": self.news,
            "phase": self.phase,
            "round": self.number,
            "rounds": self.rounds,
            "starter": self.starter,
            "to_act": [] if self.over else [self.to_act],
            "ante": self.ante or None,
            "price": self.price or None,
            "pot": sum(self.paid.values()),
            "players": [
                {"id": name, "stack": self.stacks[name], "standing": self.standing[name]}
                for name in self.players
            ],
            "best": best,
            "turn": turn,
        }

    def rank(self, dice: Sequence[int]) -> str:
        """The rank of a hand."""
        return rank_and_key(dice, pairs_rank=self.pairs_rank)[0]
