"""Solves score cards with `service.advice`."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

from service.advice.scorecard.scoring import Scoring, scoring
from service.advice.scorecard.table import checked, read, solve, write
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules

__all__ = ["bytes_of", "make", "read", "scoring_of"]

_HEADER_BYTES = 4096  # more than NumPy's, and the seal
_FLOAT_BYTES = 8


def scoring_of(variant: ScoreCard[Any], rules: HouseRules) -> Scoring:
    """What `variant` scores under `rules`. Raises `TooLarge` if it can't be solved in a minute."""
    found = scoring(variant, rules)
    checked(found)
    return found


def bytes_of(scoring: Scoring) -> int:
    """A little more than the file of the table has."""
    return _HEADER_BYTES + _FLOAT_BYTES * prod(checked(scoring).shape)


def make(scoring: Scoring, path: Path, report: Callable[[float], None]) -> None:
    """Solves the card, and writes the table to `path`."""
    write(path, solve(scoring, report))
