"""The actions of games of layouts."""

from __future__ import annotations

from service.engine.actions import ActionKind, Value
from service.kinds.layout.card_roll import OwnLines

THROW = ActionKind(
    "throw", "throws to decide who begins (automatic if the service rolls)", dice="the risk die"
)
ROLL = ActionKind(
    "roll",
    "rolls all dice, or after the first roll those that show blanks",
    dice="the rolled dice in order; `--` is a blank",
)
LAY = ActionKind(
    "lay",
    "lays the dice out: in the best layout, or in the player's own",
    {"layout": Value(OwnLines, "lines as in a request of `score`; null for the best layout")},
)
RISK = ActionKind(
    "risk", "rolls the risk die for the turn's points", dice="the risk die, 0 for its blank"
)
BANK = ActionKind("bank", "adds the turn's points to the total")

ACTIONS = (THROW, ROLL, LAY, RISK, BANK)
