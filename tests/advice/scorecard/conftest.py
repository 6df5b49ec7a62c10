"""The tables of the default games, each solved once for all workers, and found by services, too."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table, solve
from service.tables.score_cards import read, write
from service.tables.tables import SUFFIX
from tests.live import SHARED_TABLES

Tables = Callable[[Scoring], Table]


@pytest.fixture(scope="session")
def tables() -> Tables:
    """Returns the table of a game; the first worker that wants it solves it."""
    folder = Path(os.environ[SHARED_TABLES])

    def table(scoring: Scoring) -> Table:
        path = folder / f"{scoring.key}{SUFFIX}"
        with path.with_suffix(".wanted").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                part = path.with_suffix(f".{os.getpid()}")
                write(part, solve(scoring))
                part.rename(path)
        return read(path, scoring)

    return table
