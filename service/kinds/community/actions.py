"""The actions of games with pocket and community dice."""

from __future__ import annotations

from functools import cache

from service.engine.actions import ActionKind, Value
from service.engine.parameters import Whole

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
        f"roll_{stage}",
        f"rolls the {stage}, as the dealer {SERVICE}",
        dice="the new dice",
    )


@cache
def roll_again(stage: str) -> ActionKind:
    """The repeated roll of the dice of `stage`."""
    return ActionKind(
        f"roll_{stage}_again",
        f"rolls the {stage} again after everyone checked, as the dealer {SERVICE}",
        dice="the dice in the same order, each with the same suit as before",
    )
