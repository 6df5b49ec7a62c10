"""The actions of games with pocket and community dice."""

from __future__ import annotations

from functools import cache

from service.engine.actions import ActionKind, Value
from service.engine.parameters import Whole

CHECK = ActionKind("check", "adds nothing")
BET = ActionKind("bet", "bets first", {"amount": Value(Whole, "chips")})
CALL = ActionKind("call", "matches what others have put in")
RAISE = ActionKind(
    "raise",
    "adds chips beyond what it takes to stay, if another active player has chips",
    {"amount": Value(Whole, "chips")},
)
ALL_IN = ActionKind("all_in", "puts in all remaining chips, if they are fewer than a call takes")
FOLD = ActionKind("fold", "gives up the hand")

BETTING = (CHECK, BET, CALL, RAISE, ALL_IN, FOLD)

SERVICE = "(the service makes it if it rolls)"

ROLL_POCKET = ActionKind(
    "roll_pocket",
    f"rolls the player's pocket {SERVICE}",
    dice="all dice of the pocket; hidden from everyone else",
)


@cache
def roll_stage(stage: str) -> ActionKind:
    """The roll of the community dice that the `stage` adds."""
    return ActionKind(
        f"roll_{stage}",
        f"rolls the {stage}, as the dealer {SERVICE}",
        dice="the dice that it adds",
    )


@cache
def roll_again(stage: str) -> ActionKind:
    """The roll of the dice of the `stage` once more."""
    return ActionKind(
        f"roll_{stage}_again",
        f"rolls the {stage} again after everyone checked, as the dealer {SERVICE}",
        dice="the dice in their places, each of the same suit as before",
    )
