"""A session of `poker-dice` by its clauses P1-P18, G1 and G2, computed slowly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.poker_dice import rank_and_key


class Bookkeeper:
    """Follows the actions of a game, and returns what must be true after each of them.

    Everything is stored by player name; every chip put in is recorded with its payer. `asked` have
    to answer the ante or a raise, `waiting` have paid and have yet to roll, both in turn.
    """

    def __init__(
        self,
        players: Sequence[str],
        chips: int,
        rounds: int | None,
        *,
        pairs_rank: bool,
        own_stack: bool,
    ) -> None:
        self.players = list(players)
        self.stacks = dict.fromkeys(players, chips)
        self.rounds = rounds
        self.pairs_rank = pairs_rank
        self.own_stack = own_stack
        self.number = 1
        self.over = False
        self.gone: list[str] = []
        self.winners: list[str] = []
        self.news: list[dict[str, Any]] = []
        self.begin(self.players[0])

    def begin(self, starter: str) -> None:
        """A round: nobody has paid, and everyone with chips is to come after the starter."""
        at = self.players.index(starter)
        around = self.players[at:] + self.players[:at]
        self.starter = self.to_act = starter
        self.asked = [player for player in around[1:] if player in self.playing()]
        self.waiting: list[str] = []
        self.paid = dict.fromkeys(self.players, 0)
        self.standing = {
            player: "left" if player in self.gone else "to_decide" if stack else "no_chips"
            for player, stack in self.stacks.items()
        }
        self.phase = "ante"
        self.ante = self.price = 0
        self.best: tuple[str, list[int]] | None = None
        self.dice: list[int] = []
        self.rolled = 0

    def playing(self) -> list[str]:
        """The players with chips who are there."""
        return [name for name in self.players if self.stacks[name] and name not in self.gone]

    def most(self, others: Sequence[str]) -> int:
        """The most that the player whose turn it is can put in, if `others` have to meet it."""
        own = self.stacks[self.to_act]
        return own if self.own_stack else min(own, *[self.stacks[player] for player in others])

    def legal(self) -> list[dict[str, Any]]:
        """The moves that must be listed, without what is kept and the dice."""
        if self.over:
            return []
        names: dict[str, int | None]
        if self.phase == "ante":
            names = {"ante": self.most(self.asked)}
        elif self.phase in ("antes", "raises"):
            names = {"meet": None, "sit_out" if self.phase == "antes" else "fold": None}
        elif self.phase == "rolling":
            names = {"roll": None, "stop": None} if self.rolled else {"roll": None}
        else:
            most = self.most(self.waiting)
            names = {"check": None, "raise": most} if most else {"check": None}
        bounds = {"type": "integer", "minimum": 1}
        return [
            {
                "action": name,
                **({"amount": {**bounds, "maximum": most}} if most else {}),
                "player": self.to_act,
            }
            for name, most in names.items()
        ]

    def follow(self, name: str, values: Mapping[str, Any], dice: Sequence[int] | None) -> None:
        """What an action of the player whose turn it is leads to."""
        self.news = []
        player = self.to_act
        if name == "ante":
            self.ante = values["amount"]
            self.asks("antes", self.ante, "sat_out", "sits_out")
            self.waiting = [player]
            self.goes_on()
        elif name == "raise":
            self.asked, self.waiting = self.waiting, []
            self.asks("raises", values["amount"], "folded", "folds")
            self.goes_on()
        elif name == "meet":
            self.pay(player, self.price)
            self.waiting.append(self.asked.pop(0))
            self.goes_on()
        elif name in ("sit_out", "fold"):
            self.standing[self.asked.pop(0)] = {"sit_out": "sat_out", "fold": "folded"}[name]
            self.goes_on()
        elif name == "check":
            self.goes_on()
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

    def time_up(self) -> None:
        """The service decides for the player whose turn it is."""
        late = {"what": "time_up", "player": self.to_act}
        if self.phase == "rolling" and not self.rolled:
            self.standing[self.to_act] = "folded"
            self.news = [{"what": "folds", "player": self.to_act}]
            self.goes_on()
        elif self.phase == "rolling":
            self.follow("stop", {}, None)
        elif self.phase == "ante":
            self.follow("ante", {"amount": 1}, None)
        else:
            names = {"antes": "sit_out", "raises": "fold", "betting": "check"}
            self.follow(names[self.phase], {}, None)
        self.news.insert(0, late)

    def leave(self, player: str) -> None:
        """A player goes for good, without the hand; what they put in stays in the pot."""
        self.news = [{"what": "left", "player": player}]
        self.gone.append(player)
        self.standing[player] = "left"
        if self.best is not None and self.best[0] == player:
            self.best = None
        self.asked = [name for name in self.asked if name != player]
        self.waiting = [name for name in self.waiting if name != player]
        acts = player == self.to_act
        if self.phase == "ante":
            if len(self.playing()) == 1:
                self.end()
            elif acts:
                self.begin(self.asked[0])
        elif acts or (len(self.left()) == 1 and self.phase != "rolling"):
            self.goes_on()
        elif not self.left():
            self.collect(self.to_act)  # who is rolling

    def left(self) -> list[str]:
        """Who is left in the round, but the player who is rolling."""
        return [*([self.best[0]] if self.best else []), *self.asked, *self.waiting]

    def pay(self, player: str, amount: int) -> None:
        """Chips go from a stack into the pot."""
        self.stacks[player] -= amount
        self.paid[player] += amount
        self.standing[player] = "in"

    def asks(self, phase: str, price: int, standing: str, what: str) -> None:
        """The player whose turn it is pays; of those who are asked, who can't pay are out."""
        self.phase, self.price = phase, price
        self.pay(self.to_act, price)
        for player in list(self.asked):
            self.standing[player] = "to_decide"
            if self.stacks[player] < price:
                self.asked.remove(player)
                self.standing[player] = standing
                self.news.append({"what": what, "player": player})

    def goes_on(self) -> None:
        """The next who is asked answers; then the next rolls. The only one left collects."""
        if len(self.left()) == 1:
            self.collect(self.left()[0])
        elif self.asked:
            self.to_act = self.asked[0]
        else:
            self.to_act = self.waiting.pop(0)
            self.phase, self.price, self.dice, self.rolled = "rolling", 0, [], 0

    def key(self, dice: Sequence[int]) -> tuple[int, ...]:
        """What hands are compared by."""
        return rank_and_key(dice, pairs_rank=self.pairs_rank)[1]

    def stop(self) -> None:
        """A hand is compared with the best so far."""
        if self.best is not None and self.key(self.dice) <= self.key(self.best[1]):
            self.standing[self.to_act] = "bust"
            self.news.append({"what": "busts", "player": self.to_act})
            self.goes_on()
            return
        if self.best is not None:
            self.standing[self.best[0]] = "beaten"
            self.news.append({"what": "put_out", "player": self.best[0]})
        self.best = (self.to_act, self.dice)
        self.dice, self.rolled = [], 0
        self.phase = "betting"
        if not self.waiting:
            self.collect(self.to_act)

    def collect(self, player: str) -> None:
        """The pot goes to a player, then the next round begins or the game is over."""
        there = [name for name, each in self.standing.items() if each in ("in", "to_decide")]
        assert there == [player]
        pot = sum(self.paid.values())
        self.stacks[player] += pot
        self.paid = dict.fromkeys(self.players, 0)
        self.news.append({"what": "collects", "player": player, "amount": pot})
        for name, stack in self.stacks.items():
            if not stack and self.standing[name] not in ("no_chips", "left"):
                self.news.append({"what": "out_of_chips", "player": name})
        began = self.starter
        self.begin(player)
        if len(self.playing()) == 1 or self.number == self.rounds:
            self.starter = began  # no further round begins
            self.end()
        else:
            self.number += 1
            news = {"what": "round_begins", "player": player, "round": self.number}
            self.news.append(news)

    def end(self) -> None:
        """The most chips win, of those who are there."""
        self.over = True
        self.phase = "over"
        most = max(self.stacks[name] for name in self.playing())
        self.winners = [name for name in self.playing() if self.stacks[name] == most]
        self.news.append({"what": "game_over", "winners": self.winners})

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
