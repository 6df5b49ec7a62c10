"""The actions of games of layouts."""

from __future__ import annotations

from service.engine.actions import ActionKind, Value
from service.kinds.layout.card_roll import OwnLines

THROW = ActionKind(
    "throw", "throws for who begins (the service makes it if it rolls)", dice="the risk die"
)
ROLL = ActionKind(
    "roll",
    "rolls all dice, then those that show blanks",
    dice="the dice that were rolled, in order; `--` is a blank",
)
LAY = ActionKind(
    "lay",
    "lays the dice out: the best layout, or the player's own",
    {"layout": Value(OwnLines, "lines as `score` takes them; null for the best layout")},
)
RISK = ActionKind(
    "risk", "rolls the risk die for the turn's points", dice="the risk die, 0 for its blank"
)
BANK = ActionKind("bank", "keeps the turn's points")

ACTIONS = (THROW, ROLL, LAY, RISK, BANK)
