"""The interface of the module that solves score cards, which is `score_cards` except in tests."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules

if TYPE_CHECKING:
    from service.advice.scorecard.scoring import Scoring
    from service.advice.scorecard.table import Table


class Solver(Protocol):
    """The module."""

    def scoring_of(self, variant: ScoreCard[Any], rules: HouseRules) -> Scoring:
        """What decides the figures of the table; its `key` is equal for equal tables.

        Raises `TooLarge` if the table would be too large, or take too long.
        """

    def bytes_of(self, scoring: Scoring) -> int:
        """How large the file of the table is."""

    def make(self, scoring: Scoring, path: Path, report: Callable[[float], None]) -> None:
        """Solves the card, and writes the table to `path`.

        It calls `report` with how much is done, from 0 to 1, now and then.
        """

    def read(self, path: Path, scoring: Scoring) -> Table:
        """Maps the table in a file, read-only."""


def solver_named(name: str) -> Solver:
    """The module `name`; it needs NumPy, so it is imported only when a table is needed."""
    return cast(Solver, import_module(name))
