"""The betting of games with community dice: house rules, actions, rounds, pots (H9-H16, H25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from service.engine.game import ActionKind, Move, Value
from service.engine.parameters import Whole
from service.rules.house_rules import HouseRules, KnownRule

ANTE = KnownRule("ante", default=1, minimum=0, chips=True)
SMALL_LIMIT = KnownRule("small_limit", default=1, minimum=1, chips=True)
BIG_LIMIT = KnownRule("big_limit", default=2, minimum=1, chips=True)
MAX_RAISES = KnownRule("max_raises", default=3, minimum=0)
STARTING_CHIPS = KnownRule("starting_chips", default=50, minimum=1, chips=True)
REROLL_CHECKED_FLOP = KnownRule("reroll_checked_flop", default=False)

KNOWN_RULES = (ANTE, SMALL_LIMIT, BIG_LIMIT, MAX_RAISES, STARTING_CHIPS, REROLL_CHECKED_FLOP)

CHECK = ActionKind("check", "adds no chips")
BET = ActionKind("bet", "opens the betting", {"amount": Value(Whole, "the number of chips")})
CALL = ActionKind("call", "matches the bet")
RAISE = ActionKind(
    "raise",
    "matches the bet and raises it by `amount`; only if an opponent still has chips",
    {"amount": Value(Whole, "the number of chips")},
)
ALL_IN = ActionKind("all_in", "puts in all remaining chips, if they are fewer than a call needs")
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
    most, second = sorted(stakes, key=lambda stake: stake.paid)[-1:-3:-1]
    lost = not most.takes_all and any(stake.takes_all for stake in stakes)
    if most.paid == second.paid or most.strength is None or lost:
        return {}
    return {most.id: most.paid - second.paid}


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
        known = ANTE, SMALL_LIMIT, BIG_LIMIT, MAX_RAISES, STARTING_CHIPS
        return cls(chip, *[rule.of(rules, chip) for rule in known])


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
        paid = {CALL: self.to_call, RAISE: self.to_call, ALL_IN: stack}.get(action, 0)
        paid += values["amount"] if action in (BET, RAISE) else 0
        put = (*self.put[:seat], self.put[seat] + paid, *self.put[seat + 1 :])
        if action in (BET, RAISE):
            return Betting(put, tuple(others), self.raises + (action is RAISE))
        return Betting(put, self.to_act[1:], self.raises)
