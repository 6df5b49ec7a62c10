"""A table of roll-a-royal at which turns are played by the script, with dice typed in."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.layout.game import LayoutGame
from service.kinds.layout.state import LayoutState
from service.kinds.layout.variant import LayoutRules
from service.rules.violations import InvalidInput
from service.variants.roll_a_royal import VARIANT

SPADES = ["As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s", "6s", "5s", "4s", "3s", "2s"]
PAIR = ["Jh", "Jd", *["--"] * 11]
CROSSED = [
    {"dice": [0, 1, 2, 3, 4], "direction": "across", "row": 0, "column": 0},
    {"dice": [0, 5], "direction": "down", "row": 0, "column": 0},
]


NOTATION = (
    "must be a rank (2 to 9, T or 10, J, Q, K, A) and a suit letter (s, h, d, c), "
    "such as Ac, or -- for a blank"
)
"""What is said of a face that there can't be."""


def game(*players: str, **rules: Any) -> LayoutGame:
    """A game with typed dice; one player unless there are more."""
    return LayoutGame(
        VARIANT, GameTable(players or ("ann",), LayoutRules(**rules), typed_dice=True)
    )


def do(
    game: LayoutGame, state: LayoutState, action: str, dice: object = None, **values: object
) -> LayoutState:
    """After an action of whoever can act."""
    player = game.moves(state)[0].player
    return game.play(state, Action(action, player, 0, values, dice))[0]


def done(game: LayoutGame, *actions: tuple[Any, ...]) -> LayoutState:
    """From the start on, one action after the other: names, some with dice."""
    state = game.start(0)
    for action in actions:
        state = do(game, state, *action)
    return state


def refused(
    game: LayoutGame, state: LayoutState, action: str, dice: object = None, **values: object
) -> list[tuple[str, str]]:
    """Why an action of whoever can act is refused: where, as a pointer, and what is said."""
    with pytest.raises(InvalidInput) as refused:
        do(game, state, action, dice, **values)
    return [
        ("/".join(map(str, violation.path)), str(violation.detail))
        for violation in refused.value.violations
    ]


def legal(game: LayoutGame, state: LayoutState) -> list[tuple[str, str]]:
    """The legal actions, and whose they are."""
    return [(move.action, move.player) for move in game.moves(state)]


def rolls(*rolls: list[str]) -> list[tuple[str, list[str]]]:
    """The actions of a turn's rolls."""
    return [("roll", roll) for roll in rolls]
