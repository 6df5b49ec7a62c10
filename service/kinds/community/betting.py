"""The betting of games with community dice: actions, rounds and pots (H9-H16, H25, H36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from service.engine.game import ActionKind, Move, Value
from service.engine.parameters import Whole
from service.kinds.community.stakes import LIMIT, Stakes

CHECK = ActionKind("check", "adds no chips")
BET = ActionKind("bet", "opens the betting", {"amount": Value(Whole, "the number of chips")})
CALL = ActionKind("call", "matches the bet")
RAISE = ActionKind(
    "raise",
    "matches the bet and raises it by `amount`; only if an opponent still has chips",
    {"amount": Value(Whole, "the number of chips")},
)
ALL_IN = ActionKind(
    "all_in", "puts in all remaining chips, if they are too few for a call, a bet or a raise"
)
FOLD = ActionKind("fold", "gives up the hand")

BETTING = (CHECK, BET, CALL, RAISE, ALL_IN, FOLD)

SERVICE = "(automatic if the service rolls)"

ROLL_POCKET = ActionKind(
    "roll_pocket",
    f"rolls the player's pocket {SERVICE}",
    dice="all dice of the pocket; hidden from everyone else",
)


@cache
def roll_stage(stage: str) -> ActionKind:
    """The roll of the community dice that are new in `stage`."""
    return ActionKind(
        f"roll_{stage}", f"rolls the {stage}, as the dealer {SERVICE}", dice="the new dice"
    )


@cache
def roll_again(stage: str) -> ActionKind:
    """The repeated roll of the dice of `stage`."""
    return ActionKind(
        f"roll_{stage}_again",
        f"rolls the {stage} again after everyone checked, as the dealer {SERVICE}",
        dice="the dice in the same order, each with the same suit as before",
    )


@dataclass(frozen=True)
class Stake:
    """The chips that a player put in during a hand of the game.

    `strength` orders the players at the showdown; None means folded. `takes_all` marks a hand that
    wins the game at once.
    """

    id: str
    paid: int
    strength: int | None
    takes_all: bool = False


@dataclass(frozen=True)
class Pot:
    """Chips for which the `eligible` players compete, and the share of each winner."""

    amount: int
    eligible: tuple[str, ...]
    payouts: dict[str, int]


def share_out(stakes: Sequence[Stake], unit: int) -> list[Pot]:
    """The pots, main pot first, with their payouts; `stakes` in seat order from the dealer's left.

    A pot goes to the best hand among the players who paid into all of it (H14, H25). The chips of
    folded players stay in. Chips beyond what any remaining player paid go to the last pot (H31). If
    a pot doesn't split evenly, the odd `unit`s go one each in seat order (H25). A hand that takes
    all also wins the pots that its holder couldn't win otherwise (H17, H31). At least one player
    must not have folded; every `paid` is a multiple of `unit`.
    """
    live = [stake for stake in stakes if stake.strength is not None]
    take_all = [stake for stake in live if stake.takes_all]
    levels = sorted({stake.paid for stake in live})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        top = level if level != levels[-1] else max(stake.paid for stake in stakes)
        amount = sum(min(stake.paid, top) - min(stake.paid, below) for stake in stakes)
        if amount:
            eligible = [stake for stake in live if stake.paid >= level]
            contenders = [stake for stake in eligible if stake.takes_all] or take_all or eligible
            best = max(stake.strength or 0 for stake in contenders)
            winners = [stake for stake in contenders if stake.strength == best]
            share, odd = divmod(amount // unit, len(winners))
            payouts = {each.id: (share + (i < odd)) * unit for i, each in enumerate(winners)}
            pots.append(Pot(amount, tuple(stake.id for stake in eligible), payouts))
        below = level
    return pots


def uncalled(stakes: Sequence[Stake]) -> dict[str, int]:
    """The chips that return to the player who put in the most, as nobody else did; often none.

    They are part of that player's payout. Nobody gets them back who folded, or who loses every pot
    to a hand that takes all: then another player wins them (H31).
    """
    second, first = sorted([stake.paid for stake in stakes])[-2:]
    if first == second:
        return {}
    most = next(stake for stake in stakes if stake.paid == first)
    lost = not most.takes_all and any(stake.takes_all for stake in stakes)
    return {} if most.strength is None or lost else {most.id: first - second}


@dataclass(frozen=True, slots=True)
class Betting:
    """The state of a round of betting.

    `put` is what each seat has put in during this round, blinds included. `to_act` are the seats
    that still have to act, in order. `least` is the last bet or raise, at first the big blind or a
    chip; `acted` are the seats that have acted since (H36).
    """

    put: tuple[int, ...]
    to_act: tuple[int, ...]
    raises: int = 0
    least: int = 0
    acted: tuple[int, ...] = ()

    @property
    def bet(self) -> bool:
        """Whether anyone has bet in this round, or put in a blind."""
        return any(self.put)

    @property
    def to_call(self) -> int:
        """What the next player to act must add to stay in (H10); 0 once everyone has acted."""
        return max(self.put) - self.put[self.to_act[0]] if self.to_act else 0

    def moves(
        self, player: str, stack: int, limit: int, pot: int, stakes: Stakes, *, answerable: bool
    ) -> list[Move]:
        """The moves of the next player to act, who has a `stack` of chips (H10, H11, H14, H36).

        There is no bet and no raise unless they are `answerable`: if everyone else still in the
        hand is all in, or will be by calling, nobody could answer them (H30).
        """
        owed = self.to_call
        beyond = stack - owed
        if beyond < 0:
            return [Move(ALL_IN, player), Move(FOLD, player)]
        moves = [Move(CALL if owed else CHECK, player)]
        if answerable and beyond and self._may_add(stakes):
            least, most = stakes.bounds(limit, pot + owed, beyond, self.least)
            if least <= most:
                amount = {"amount": Whole(least, most, stakes.chip)}
                moves.append(Move(RAISE if self.bet else BET, player, amount))
            else:
                moves.append(Move(ALL_IN, player))
        moves.append(Move(FOLD, player))
        return moves

    def _may_add(self, stakes: Stakes) -> bool:
        """Whether the next player may bet or raise: with a limit until there were too many raises
        (H11), otherwise unless only all-ins of less than a raise came since they acted (H36).
        """
        if stakes.betting == LIMIT:
            return not self.bet or self.raises < stakes.max_raises
        return self.to_act[0] not in self.acted or self.to_call >= self.least

    def without(self, seat: int) -> Betting:
        """The round after the player at `seat` folded."""
        return replace(self, to_act=tuple([each for each in self.to_act if each != seat]))

    def apply(
        self, action: ActionKind, values: Mapping[str, Any], stack: int, others: Sequence[int]
    ) -> Betting:
        """The round after a legal `action` of the next player, but a fold; `stack` are their chips.

        After a bet or a raise the `others`, who can bet, must act again, in order (H12). After an
        all-in of less than a raise, those must who have put in less (H36).
        """
        seat = self.to_act[0]
        paid = {CALL: self.to_call, RAISE: self.to_call, ALL_IN: stack}.get(action, 0)
        paid += values["amount"] if action in (BET, RAISE) else 0
        put = (*self.put[:seat], self.put[seat] + paid, *self.put[seat + 1 :])
        if action in (BET, RAISE):
            raises = self.raises + (action is RAISE)
            return Betting(put, tuple(others), raises, values["amount"], (seat,))
        most = max(put)
        to_act = tuple([each for each in others if each in self.to_act or put[each] < most])
        return Betting(put, to_act, self.raises, self.least, (*self.acted, seat))
