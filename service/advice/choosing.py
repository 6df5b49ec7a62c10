"""Players of the service: how strong they are, and how they choose among options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import exp
from random import Random
from typing import Any, NamedTuple

from service.engine.actions import Move
from service.rules.reasons import Because, Reason


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


class Choice(NamedTuple):
    """What a player of some `strength` decides in a session: one of the legal `moves`, from the
    state as their token shows it (`view`), with a `source` of chance.
    """

    variant: Any
    rules: Any
    view: Mapping[str, Any]
    moves: Sequence[Move]
    strength: Strength
    source: Random


def pick(losses: Sequence[float], temperature: float, source: Random) -> int:
    """The place of an option, drawn from `source`; the first, which is the best, if it is cold.

    `losses` are against the best option. Each option is drawn with a chance in proportion to
    exp(-loss / temperature), so `temperature` is about what a choice may lose.
    """
    if not temperature:
        return 0
    weights = [exp(-loss / temperature) for loss in losses]
    return source.choices(range(len(losses)), weights)[0]


def by_chance(chance: float, loss: float) -> Because:
    """Why a player does what has this `chance` to win, which is less than the best by `loss`."""
    percent, best = round(100 * chance), round(100 * (chance + loss))
    if percent == best:
        return Reason.BEST_CHANCE.because(percent=percent)
    return Reason.WORSE_CHANCE.because(percent=percent, best=best)


def by_value(value: float, loss: float) -> Because:
    """Why a player does what is worth `value` on average, which is less than the best by `loss`."""
    expected, less = round(value, 1), round(loss, 1)
    if not less:
        return Reason.BEST_VALUE.because(expected=expected)
    return Reason.WORSE_VALUE.because(expected=expected, loss=less)
