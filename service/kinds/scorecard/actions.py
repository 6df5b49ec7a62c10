"""The actions of games on score cards."""

from __future__ import annotations

from service.engine.actions import ActionKind, Value
from service.engine.parameters import Keep, OneOf

THROW = ActionKind(
    "throw",
    "throws to decide who begins (automatic if the service rolls)",
    dice="all dice",
)
ROLL = ActionKind(
    "roll",
    "rolls all dice except those kept; the first roll of a turn keeps none",
    {"keep": Value(Keep, "the dice to keep, by their indexes from 0")},
    dice="all dice after the roll, with kept dice at their indexes",
)
SCORE = ActionKind(
    "score", "scores the dice in an open box", {"box": Value(OneOf, "an open box of the card")}
)
CROSS_OUT = ActionKind(
    "cross_out",
    "writes a zero in an open box, whatever the dice; only after a roll",
    {"box": Value(OneOf, "an open box of the card")},
)
