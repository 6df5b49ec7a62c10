"""Whole games of `dice-poker` and `yahtzee-deluxe`, spelled out from the clauses.

Slow on purpose: everything is worked out anew from the list of all turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.reference.score_cards import UPPER, dice_poker, yahtzee_deluxe

POKER_BOXES = (
    *UPPER,
    "three_of_a_kind",
    "four_of_a_kind",
    "full_house",
    "small_straight",
    "large_straight",
    "five_of_a_kind",
    "chance",
)
YAHTZEE_BOXES = (
    *UPPER,
    "three_pairs",
    "two_triplets",
    "full_house",
    "straight",
    "yahtzee",
    "small_straight",
    "small_yahtzee",
    "chance",
)


@dataclass
class Written:
    """A turn that ended: who filled which box, with what, and whether it was a further five."""

    player: str
    box: str
    score: int
    further_five: bool


@dataclass
class ScoreCardGame:
    """A game under `rules`, its house rules by name; `poker` or else Yahtzee Deluxe."""

    players: Sequence[str]
    poker: bool
    rules: dict[str, Any]
    at: int
    turns: list[Written] = field(default_factory=list)
    throws: list[dict[str, int]] = field(default_factory=list)
    rolls: list[list[int]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @property
    def boxes(self) -> Sequence[str]:
        """The boxes in card order (D3, D4, Y10)."""
        return POKER_BOXES if self.poker else YAHTZEE_BOXES

    def throwing(self) -> list[str]:
        """Who still has to throw (D17, Y2)."""
        if (self.poker and not self.rules["throw_to_begin"]) or len(self.players) == 1:
            return []
        rivals = list(self.players)
        for throws in self.throws:
            missing = [player for player in rivals if player not in throws]
            if missing:
                return missing
            rivals = [player for player in rivals if throws[player] == max(throws.values())]
        return rivals if len(rivals) > 1 else []

    def order(self) -> list[str]:
        """The players in the order of their turns, from the one who begins (D17, Y2, Y13)."""
        order = list(self.players)
        if self.throws:
            highest = max(self.throws[-1].values())
            while self.throws[-1].get(order[0]) != highest:
                order.append(order.pop(0))
        if self.rules.get("direction") == "counter_clockwise":
            order = [order[0], *reversed(order[1:])]
        return order

    def card(self, player: str) -> dict[str, int]:
        """The used boxes of `player`."""
        return {turn.box: turn.score for turn in self.turns if turn.player == player}

    def open(self, player: str) -> list[str]:
        """The boxes of `player` that aren't used, in card order."""
        return [box for box in self.boxes if box not in self.card(player)]

    def total(self, player: str) -> int:
        """All points of `player` (D3, D10, Y4)."""
        card = self.card(player)
        upper = sum(score for box, score in card.items() if box in UPPER)
        bonus = (35 if upper >= 63 else 0) if self.poker else (50 if upper >= 84 else 0)
        fives = sum(turn.further_five for turn in self.turns if turn.player == player)
        return sum(card.values()) + bonus + fives * int(self.rules.get("extra_five_bonus", 0))

    def over(self) -> bool:
        """Whether all cards are full."""
        return all(not self.open(player) for player in self.players)

    def winners(self) -> list[str]:
        """The players with the highest total, as listed (D6, Y7, Y11), of those who stayed (G2)."""
        stayed = self.there() or self.players
        best = max(self.total(player) for player in stayed)
        return [player for player in stayed if self.total(player) == best]

    def there(self) -> list[str]:
        """The players who haven't left (G2)."""
        return [player for player in self.players if player not in self.left]

    def to_act(self) -> str:
        """Whose turn it is."""
        return self.order()[len(self.turns) % len(self.players)]

    def legal(self) -> list[tuple[str, str, int | None, list[str] | None]]:
        """Every move: action, player, how many dice may be kept, boxes (D1, D2, D12, D17, Y1)."""
        if self.over():
            return []
        if self.throwing():
            return [("throw", player, None, None) for player in self.throwing()]
        player = self.to_act()
        if not self.rolls:
            return [("roll", player, None, None)]
        boxes = self.open(player)
        writes: list[tuple[str, str, int | None, list[str] | None]] = [
            ("score", player, None, boxes),
            ("cross_out", player, None, boxes),
        ]
        scoring = [box for box, score in self.worth(player, self.rolls[-1]).items() if score > 0]
        if self.rules.get("zero_only_if_nothing_fits") and scoring:
            writes = [("score", player, None, scoring)]
        kept = 4 if self.poker else 5
        return writes if len(self.rolls) == 3 else [("roll", player, kept, None), *writes]

    def worth(self, player: str, dice: Sequence[int]) -> dict[str, int]:
        """What `dice` score in each open box of `player`, jokers too (D10, D11)."""
        if not self.poker:
            scores = yahtzee_deluxe(dice)
        else:
            alike = bool(self.rules["five_alike_is_full_house"])
            scores = dice_poker(dice, five_alike_is_full_house=alike)
            used = self.card(player)
            own = UPPER[dice[0] - 1]
            five = len(set(dice)) == 1
            if self.rules["joker"] and five and "five_of_a_kind" in used and own in used:
                scores |= {"full_house": 25, "small_straight": 30, "large_straight": 40}
        return {box: scores[box] for box in self.open(player)}

    def act(self, action: str, player: str, box: str | None, dice: list[int], at: int) -> None:
        """Performs `action`, with the dice as they lie after it or the box to fill."""
        if action == "throw":
            if not self.throws or player in self.throws[-1] or not self._amid():
                self.throws.append({})
            self.throws[-1][player] = sum(dice)
            self.at = at
        elif action == "roll":
            self.rolls.append(dice)
        else:
            assert box is not None
            self._write(player, box, self.worth(player, self.rolls[-1])[box], action, at)
            self._pass(at)

    def leave(self, player: str, at: int) -> None:
        """`player` leaves once it is known who begins: each turn of theirs gets a zero (G2)."""
        self.left.append(player)
        self._pass(at)

    def _pass(self, at: int) -> None:
        """Zeros in the first open boxes of those who left, up to the turn of who is there (G2)."""
        while not self.over() and self.to_act() in self.left:
            self.rolls = []
            self._write(self.to_act(), self.open(self.to_act())[0], 0, "leave", at)

    def time_up(self) -> None:
        """The clock runs out at its deadline (D14)."""
        player = self.to_act()
        deadline = self.deadline()
        assert deadline is not None
        if not self.rolls:
            self._write(player, self.open(player)[0], 0, "time_up", deadline)
            self._pass(deadline)
            return
        best, points = "", -1
        for box, score in self.worth(player, self.rolls[-1]).items():
            if score > points:
                best, points = box, score
        self._write(player, best, points, "time_up", deadline)
        self._pass(deadline)

    def deadline(self) -> int | None:
        """When the turn is up: so many seconds after the one before ended (D14)."""
        seconds = self.rules.get("turn_seconds")
        return None if seconds is None or self.over() else self.at + seconds * 1000

    def _amid(self) -> bool:
        """Whether some but not all of those in the last round of throws have thrown."""
        if len(self.throws) == 1:
            return len(self.throws[0]) < len(self.players)
        before = self.throws[-2]
        rivals = [player for player in before if before[player] == max(before.values())]
        return len(self.throws[-1]) < len(rivals)

    def _write(self, player: str, box: str, score: int, action: str, at: int) -> None:
        five = self.poker and bool(self.rolls) and len(set(self.rolls[-1])) == 1
        further = (
            five
            and self.card(player).get("five_of_a_kind") == 50
            and self.rules["extra_five_bonus"] > 0
        )
        points = 0 if action == "cross_out" else score
        self.turns.append(Written(player, box, points, further))
        self.rolls = []
        self.at = at
