"""A game of `texas-holdem-dice` by its clauses H9-H18, H25, H26, H29-H31 and H33-H37, spelled out.

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
        each = rules["starting_chips"]
        if rules["total_chips"] is not None:
            each = rules["total_chips"] // 10 // len(players) * 10
        self.chips = dict.fromkeys(players, each)
        self.total = each * len(players)
        self.winners: list[str] = []
        self.pots: Pots = []
        self.hand = 0
        self.deal(players[0])

    def clockwise(self, name: str) -> list[str]:
        """Everyone from the left of `name` on, `name` last."""
        at = self.names.index(name) + 1
        return self.names[at:] + self.names[:at]

    def deal(self, dealer: str) -> None:
        """A new hand: antes of all who have chips (H9), and the blinds (H36)."""
        self.dealer = dealer
        self.hand += 1
        self.sitting = [name for name in self.clockwise(dealer) if self.chips[name]]
        self.paid = dict.fromkeys(self.names, 0)
        self.folded: set[str] = set()
        self.pockets: dict[str, list[str]] = {}
        self.community: list[str] = []
        self.stage = "open"
        self.again = False
        self.rerolls = 0
        for name in self.sitting:
            self.pay(name, min(self.doubled("ante"), self.chips[name]))
        self.new_round()
        small, big = self.blinds()
        for name, blind in ((small, "small_blind"), (big, "big_blind")):
            self.pay(name, min(self.doubled(blind), self.chips[name]))
        if self.rules["big_blind"]:
            self.last_to_act = big

    def doubled(self, what: str) -> int:
        """The ante or a blind in this hand (H37)."""
        amount: int = self.rules[what]
        for hand in range(2, self.hand + 1):
            if self.rules["blinds_up"] and (hand - 1) % self.rules["blinds_up"] == 0:
                amount *= 2
        return amount

    def blinds(self) -> tuple[str, str]:
        """Who has the small and the big blind: the dealer the small one with two players (H36)."""
        first, second, *more = self.sitting
        return (first, second) if more else (second, first)

    def new_round(self) -> None:
        """Nobody has bet or spoken in this round."""
        self.at_round = dict(self.paid)
        self.answered: dict[str, int] = {}  # the bet when each player last acted
        self.raises = 0
        self.last_raise = max(10, self.doubled("big_blind"))
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
            if name in self.able() and (name not in self.answered or self.put(name) < highest)
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
        if stack < call:
            return [("all_in", name), ("fold", name)]
        stay = [("call" if call else "check", name)]
        bet = max(self.put(other) for other in self.names)
        answers = [
            other
            for other in self.able()
            if other != name and self.put(other) + self.chips[other] > bet
        ]
        rest = stack - call
        if not answers or not rest:  # nobody could answer (H30)
            return [*stay, ("fold", name)]
        word = "raise" if bet else "bet"
        more: list[tuple[Any, ...]]
        if self.rules["betting"] == "limit":
            most = min(limit, rest)
            least = most if self.rules["bet_size"] == "fixed" else 10
            more = [(word, name, least, most)]
            if bet and self.raises >= self.rules["max_raises"]:
                more = []
        else:
            pot = max(sum(self.paid.values()) + call, self.last_raise)
            most = rest if self.rules["betting"] == "no_limit" else min(pot, rest)
            more = [(word, name, self.last_raise, most)]
            if rest < self.last_raise:
                more = [("all_in", name)]
            if name in self.answered and bet - self.answered[name] < self.last_raise:
                more = []
        return [*stay, *more, ("fold", name)]

    def act(self, action: str, name: str, amount: int, dice: Sequence[str]) -> None:
        """One more action, and all that follows from it."""
        if action == "roll_pocket":
            self.pockets[name] = list(dice)
        elif action == "roll_flop_again":
            self.community, self.again = list(dice), False
            self.rerolls += 1
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
        self.answered[name] = max(self.put(other) for other in self.names)
        self.last_to_act = name
        self.raises += action == "raise"
        if action in ("bet", "raise"):
            self.last_raise = amount
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
            if self.rules["yahtzee_flush"] == "at_once" and self.flushes():
                self.show_down()
                return
            if self.again or len(self.community) < STAGES[self.stage] or self.turn():
                return
            checked = all(self.put(name) == 0 for name in self.names) and len(self.able()) > 1
            rerolls = self.rules["flop_rerolls"]
            more = rerolls is None or self.rerolls < rerolls
            if self.stage == "flop" and checked and more:
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
        flush = self.flushes() if self.rules["yahtzee_flush"] != "off" else []
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

    def flushes(self) -> list[str]:
        """Those still in who hold a yahtzee flush (H33)."""
        dice = {name: self.pockets[name] + self.community for name in self.live()}
        enough = [name for name in dice if len(dice[name]) >= 5]
        return [name for name in enough if best_of(dice[name])[1][0] == YAHTZEE_FLUSH]

    def hand_over(self) -> None:
        """The next dealer, or the end of the game (H16)."""
        left = [name for name in self.clockwise(self.dealer) if self.chips[name]]
        if len(left) == 1 or self.hand == self.rules["hands"]:
            most = max(self.chips.values())
            self.winners = [name for name in self.names if self.chips[name] == most]
            self.paid = dict.fromkeys(self.names, 0)
        else:
            self.deal(left[0])
