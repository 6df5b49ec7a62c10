"""Players of the service: how strong they are, and how they choose among options."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import exp
from random import Random
from typing import Any, NamedTuple

from service.rules.reasons import Because


class Strength(StrEnum):
    """How well a player of the service plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    BEST = "best"


class Chosen(NamedTuple):
    """What a player does, as an action of a session, and why."""

    action: dict[str, Any]
    because: Because


def pick(losses: Sequence[float], temperature: float, source: Random) -> int:
    """The place of an option, drawn from `source`; the first, which is the best, if it is cold.

    `losses` are against the best option. Each option is drawn with a chance in proportion to
    exp(-loss / temperature), so `temperature` is about what a choice may lose.
    """
    if not temperature:
        return 0
    weights = [exp(-loss / temperature) for loss in losses]
    return source.choices(range(len(losses)), weights)[0]
