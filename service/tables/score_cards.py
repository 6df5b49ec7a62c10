"""Tables as files: solves score cards with `service.advice`, and maps what was solved."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from service.advice.scorecard.scoring import Scoring, scoring
from service.advice.scorecard.table import Table, Values, checked, solve
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules

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


def write(path: Path, array: Values) -> None:
    """Writes a table to a file, in NumPy's format."""
    with path.open("wb") as file:
        np.save(file, array, allow_pickle=False)


def read(path: Path, scoring: Scoring) -> Table:
    """The table in a file, mapped read-only: processes that read the same file share its memory.

    Raises `ValueError` if the file has no table of this game, and `OSError` if it can't be read.
    """
    mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    return Table.of(scoring, np.asarray(mapped))
