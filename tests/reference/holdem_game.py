"""A game of `texas-holdem-dice` by its clauses H9-H18, H25, H26 and H29-H31, spelled out.

Follows the actions of a game and keeps nothing but names, dice in notation and sums of chips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from tests.reference.holdem import best_of

YAHTZEE_FLUSH = 11
STAGES = {"open": 0, "flop": 3, "turn": 4, "river": 5}

Pots = list[tuple[int, list[str], dict[str, int]]]


class HoldemGame:
    """The table as it is after the actions so far; `pots` are those of the last hand."""

    def __init__(self, players: Sequence[str], rules: Mapping[str, Any]) -> None:
        self.names = list(players)
        self.rules = rules
        self.chips = dict.fromkeys(players, rules["starting_chips"])
        self.winners: list[str] = []
        self.pots: Pots = []
        self.deal(players[0])

    def clockwise(self, name: str) -> list[str]:
        """Everyone from the left of `name` on, `name` last."""
        at = self.names.index(name) + 1
        return self.names[at:] + self.names[:at]

    def deal(self, dealer: str) -> None:
        """A new hand: antes of all who have chips (H9)."""
        self.dealer = dealer
        self.sitting = [name for name in self.clockwise(dealer) if self.chips[name]]
        self.paid = dict.fromkeys(self.names, 0)
        self.folded: set[str] = set()
        self.pockets: dict[str, list[str]] = {}
        self.community: list[str] = []
        self.stage = "open"
        self.again = False
        for name in self.sitting:
            self.pay(name, min(self.rules["ante"], self.chips[name]))
        self.new_round()

    def new_round(self) -> None:
        """Nobody has bet or spoken in this round."""
        self.at_round = dict(self.paid)
        self.spoken: set[str] = set()
        self.raises = 0
        self.last_to_act = self.dealer
        self.round_over = False

    def pay(self, name: str, amount: int) -> None:
        """Chips from a player into the middle."""
        self.chips[name] -= amount
        self.paid[name] += amount
        assert self.chips[name] >= 0

    def put(self, name: str) -> int:
        """What a player has put in in this round."""
        return self.paid[name] - self.at_round[name]

    def live(self) -> list[str]:
        """Those who can still win the hand."""
        return [name for name in self.sitting if name not in self.folded]

    def able(self) -> list[str]:
        """Those who can still bet."""
        return [name for name in self.live() if self.chips[name]]

    def turn(self) -> str | None:
        """The player to act in the betting; None if the round is over (H12, H26)."""
        highest = max(self.put(name) for name in self.names)
        waiting = [
            name
            for name in self.clockwise(self.last_to_act)
            if name in self.able() and (name not in self.spoken or self.put(name) < highest)
        ]
        if len(self.able()) < 2 and all(self.put(name) == highest for name in self.able()):
            return None
        return waiting[0] if waiting else None

    def legal(self) -> list[tuple[Any, ...]]:
        """All legal moves: action, player, least and most amount."""
        if self.winners:
            return []
        rolling = [name for name in self.sitting if name not in self.pockets]
        if rolling:
            return [("roll_pocket", name) for name in rolling]
        if self.again:
            return [("roll_flop_again", self.dealer)]
        if len(self.community) < STAGES[self.stage]:
            return [(f"roll_{self.stage}", self.dealer)]
        name = self.turn()
        assert name is not None
        limit = self.rules["small_limit" if self.stage in ("open", "flop") else "big_limit"]
        call = max(self.put(other) for other in self.names) - self.put(name)
        stack = self.chips[name]
        alone = self.able() == [name]  # everyone else still in is all in (H30)
        if not any(self.put(other) for other in self.names):
            bet = [] if alone else [("bet", name, 10, min(limit, stack))]
            return [("check", name), *bet, ("fold", name)]
        if stack < call:
            return [("all_in", name), ("fold", name)]
        if stack > call and self.raises < self.rules["max_raises"] and not alone:
            raised = ("raise", name, 10, min(limit, stack - call))
            return [("call", name), raised, ("fold", name)]
        return [("call", name), ("fold", name)]

    def act(self, action: str, name: str, amount: int, dice: Sequence[str]) -> None:
        """One more action, and all that follows from it."""
        if action == "roll_pocket":
            self.pockets[name] = list(dice)
        elif action == "roll_flop_again":
            self.community, self.again = list(dice), False
            self.new_round()
        elif action.startswith("roll"):
            self.community += dice
        else:
            self.bet(action, name, amount)
        self.go_on()

    def bet(self, action: str, name: str, amount: int) -> None:
        """An action in the betting (H10)."""
        call = max(self.put(other) for other in self.names) - self.put(name)
        paid = {"call": call, "all_in": self.chips[name], "bet": amount, "raise": call + amount}
        self.pay(name, paid.get(action, 0))
        self.spoken.add(name)
        self.last_to_act = name
        self.raises += action == "raise"
        if action in ("bet", "raise"):
            self.spoken = {name}
        if action == "fold":
            self.folded.add(name)

    def go_on(self) -> None:
        """Whatever the rules do until someone has to act again."""
        while not self.winners and len(self.pockets) == len(self.sitting):
            if len(self.live()) == 1:
                self.pots = []
                self.chips[self.live()[0]] += sum(self.paid.values())
                self.hand_over()
                return
            if self.again or len(self.community) < STAGES[self.stage] or self.turn():
                return
            checked = all(self.put(name) == 0 for name in self.names) and len(self.able()) > 1
            if self.stage == "flop" and checked and self.rules["reroll_checked_flop"]:
                self.again = True
                return
            if self.stage == "river":
                self.show_down()
                return
            self.stage = list(STAGES)[list(STAGES).index(self.stage) + 1]
            self.new_round()

    def show_down(self) -> None:
        """The pots, one unit of chips at a time (H14, H25), and what they bring (H17, H29)."""
        ties = {name: self.rules[name] for name in ("kickers", "suits_break_ties")}
        keys = {
            name: best_of(self.pockets[name] + self.community, **ties)[1] for name in self.live()
        }
        flush = [name for name in keys if keys[name][0] == YAHTZEE_FLUSH]
        if not self.rules["yahtzee_flush_ends_game"]:
            flush = []
        layers: list[list[str]] = []
        for level in range(10, max(self.paid.values()) + 10, 10):
            can_win = [name for name in self.live() if self.paid[name] >= level]
            in_it = sum(self.paid[name] >= level for name in self.names)
            layers += [can_win or layers[-1]] * in_it
        self.pots = []
        for can_win, units in groupby(layers):
            contenders = [name for name in can_win if name in flush] or flush or can_win
            best = max(keys[name] for name in contenders)
            winners = [name for name in contenders if keys[name] == best]
            count = len(list(units))
            payouts = {
                name: 10 * len(range(place, count, len(winners)))
                for place, name in enumerate(winners)
            }
            self.pots.append((10 * count, can_win, payouts))
            for name in winners:
                self.chips[name] += payouts[name]
        if flush:
            self.winners = flush
            self.paid = dict.fromkeys(self.names, 0)
        else:
            self.hand_over()

    def hand_over(self) -> None:
        """The next dealer, or the end of the game (H16)."""
        left = [name for name in self.clockwise(self.dealer) if self.chips[name]]
        if len(left) == 1:
            self.winners = left
            self.paid = dict.fromkeys(self.names, 0)
        else:
            self.deal(left[0])
