"""The actions of games on score cards."""

from __future__ import annotations

from service.engine.actions import ActionKind, Value
from service.engine.parameters import Keep, OneOf

THROW = ActionKind(
    "throw",
    "throws for who begins (the service makes it if it rolls)",
    dice="all dice",
)
ROLL = ActionKind(
    "roll",
    "rolls all dice except those kept; the first roll of a turn keeps none",
    {"keep": Value(Keep, "the dice that stay, by their places from 0")},
    dice="all dice after the roll, kept ones in their places",
)
SCORE = ActionKind(
    "score", "writes the dice in an open box", {"box": Value(OneOf, "an open box of the card")}
)
CROSS_OUT = ActionKind(
    "cross_out",
    "writes a zero in an open box, whatever the dice; needs a roll first",
    {"box": Value(OneOf, "an open box of the card")},
)
