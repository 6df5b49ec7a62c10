"""Actions in sessions, for tests of the contract."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.engine.random_play import picked
from tests.whole_games.legal_player import moves


def any_action(rng: Random, actions: list[dict[str, Any]]) -> dict[str, Any]:
    """One of the legal `actions`, a move if there is one, with values picked within their bounds.

    Typed dice are picked one by one: the rules may refuse the combination.
    """
    listed = dict(rng.choice(moves(actions) or actions))
    dice = listed.pop("dice", None)
    action = {
        name: picked(rng, value) if isinstance(value, dict) else value
        for name, value in listed.items()
    }
    if dice is not None:
        action["dice"] = [picked(rng, dice["items"]) for _ in range(dice["minItems"])]
    return action
