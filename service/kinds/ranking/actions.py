"""The actions of beat it or bust."""

from __future__ import annotations

from service.engine.actions import ActionKind, Value
from service.engine.parameters import Keep, Whole

ANTE = ActionKind(
    "ante",
    "sets the ante of the round and pays it",
    {"amount": Value(Whole, "the number of chips")},
)
MEET = ActionKind("meet", "pays the ante and all raises, and joins the round")
SIT_OUT = ActionKind("sit_out", "stays out of the round; only while nobody has raised")
ROLL = ActionKind(
    "roll",
    "rolls all dice except those kept (the first roll of a turn is automatic if the service rolls)",
    {"keep": Value(Keep, "the dice to keep, by their indexes from 0")},
    dice="all dice after the roll, with kept dice at their indexes",
)
STOP = ActionKind("stop", "ends the turn with the dice as rolled")
CHECK = ActionKind(
    "check", "adds no chips (automatic for a leader without chips if the service rolls)"
)
RAISE = ActionKind(
    "raise",
    "adds chips that the others must match",
    {"amount": Value(Whole, "the number of chips")},
)
FOLD = ActionKind("fold", "leaves the round; only once somebody has raised")

ACTIONS = (ANTE, MEET, SIT_OUT, ROLL, STOP, CHECK, RAISE, FOLD)
