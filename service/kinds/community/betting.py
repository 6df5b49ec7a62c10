"""One round of betting: what each player has put in, and who still has to act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.engine.actions import ActionKind
from service.engine.game import Move
from service.engine.parameters import Whole
from service.kinds.community.actions import ALL_IN, BET, CALL, CHECK, FOLD, RAISE
from service.kinds.community.variant import (
    ANTE,
    BIG_LIMIT,
    MAX_RAISES,
    SMALL_LIMIT,
    STARTING_CHIPS,
)
from service.rules.house_rules import HouseRules


@dataclass(frozen=True, slots=True)
class Stakes:
    """The house rules about chips; all amounts are multiples of `chip` (H27)."""

    chip: int
    ante: int
    small_limit: int
    big_limit: int
    max_raises: int
    starting_chips: int

    @classmethod
    def of(cls, rules: HouseRules, chip: int) -> Stakes:
        """The stakes under `rules`, with defaults for house rules that the variant doesn't have."""
        return cls(
            chip,
            ANTE.of(rules, chip),
            SMALL_LIMIT.of(rules, chip),
            BIG_LIMIT.of(rules, chip),
            MAX_RAISES.of(rules),
            STARTING_CHIPS.of(rules, chip),
        )


@dataclass(frozen=True, slots=True)
class Betting:
    """The state of a round of betting.

    `put` is what each seat has put in during this round. `to_act` are the seats that still have to
    act, in order.
    """

    put: tuple[int, ...]
    to_act: tuple[int, ...]
    raises: int = 0

    @classmethod
    def opened(cls, players: int, to_act: Sequence[int]) -> Betting:
        """A round at a table of `players` where nobody has bet yet."""
        return cls((0,) * players, tuple(to_act))

    @property
    def bet(self) -> bool:
        """Whether anyone has bet in this round."""
        return any(self.put)

    @property
    def to_call(self) -> int:
        """What the next player to act must add to stay in (H10); 0 once everyone has acted."""
        return max(self.put) - self.put[self.to_act[0]] if self.to_act else 0

    def moves(
        self, player: str, stack: int, limit: int, stakes: Stakes, *, answerable: bool
    ) -> list[Move]:
        """The moves of the next player to act, who has a `stack` of chips (H10, H11, H14).

        There is no bet and no raise unless they are `answerable`: if everyone else still in the
        hand is all in, nobody could answer them (H30).
        """
        beyond = stack - self.to_call
        if beyond < 0:
            return [Move(ALL_IN, player), Move(FOLD, player)]
        stay, add = (CALL, RAISE) if self.bet else (CHECK, BET)
        moves = [Move(stay, player)]
        allowed = add is BET or self.raises < stakes.max_raises
        if answerable and allowed and beyond >= stakes.chip:
            amount = {"amount": Whole(stakes.chip, min(limit, beyond), stakes.chip)}
            moves.append(Move(add, player, amount))
        moves.append(Move(FOLD, player))
        return moves

    def apply(
        self, action: ActionKind, values: Mapping[str, Any], stack: int, others: Sequence[int]
    ) -> Betting:
        """The round after a legal `action` of the next player, who had a `stack` of chips.

        After a bet or a raise the `others` must act again, in order (H12).
        """
        seat = self.to_act[0]
        paid = self._paid(action, values, stack)
        put = (*self.put[:seat], self.put[seat] + paid, *self.put[seat + 1 :])
        if action in (BET, RAISE):
            return Betting(put, tuple(others), self.raises + (action is RAISE))
        return Betting(put, self.to_act[1:], self.raises)

    def _paid(self, action: ActionKind, values: Mapping[str, Any], stack: int) -> int:
        """The chips that `action` puts in."""
        if action is CALL:
            return self.to_call
        if action is ALL_IN:
            return stack
        if action is RAISE:
            return self.to_call + int(values["amount"])
        return int(values["amount"]) if action is BET else 0
