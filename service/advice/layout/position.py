"""How far a game of layouts has come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_TURNS = 100
"""The most turns of each player that are simulated."""


def turns_left(view: Mapping[str, Any]) -> dict[str, int]:
    """How many turns each player of a session still has in its `view`, the present one included.

    They are `MOST_TURNS` at most: that is enough to reach a target score.
    """
    played = view["turns_played"]
    last = min(played.values()) + MOST_TURNS
    turns = min(view["turns"] or last, last)
    return {player: turns - own for player, own in played.items()}
