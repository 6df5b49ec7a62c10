"""The actions of beat it or bust."""

from __future__ import annotations

from service.engine.actions import ActionKind, Value
from service.engine.parameters import Keep, Whole

ANTE = ActionKind(
    "ante", "names the ante of the round and pays it", {"amount": Value(Whole, "chips")}
)
MEET = ActionKind("meet", "pays the ante and all raises, and comes in")
SIT_OUT = ActionKind("sit_out", "stays out of the round, while nobody has raised")
ROLL = ActionKind(
    "roll",
    "rolls all dice except those kept (the service makes the first roll of a turn if it rolls)",
    {"keep": Value(Keep, "the dice that stay, by their places from 0")},
    dice="all dice after the roll, kept ones in their places",
)
STOP = ActionKind("stop", "keeps the dice as they are")
CHECK = ActionKind(
    "check", "adds nothing (the service checks for a leader without chips if it rolls)"
)
RAISE = ActionKind(
    "raise", "adds chips that the others must meet", {"amount": Value(Whole, "chips")}
)
FOLD = ActionKind("fold", "gives up the round, once somebody has raised")

ACTIONS = (ANTE, MEET, SIT_OUT, ROLL, STOP, CHECK, RAISE, FOLD)
