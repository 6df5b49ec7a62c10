"""The tables of the default games, each solved once for all workers."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table, solve
from service.tables.score_cards import read, write

Tables = Callable[[Scoring], Table]


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Tables:
    """Returns the table of a game; the first worker that wants it solves it."""
    base = tmp_path_factory.getbasetemp()
    folder = base if worker_id == "master" else base.parent

    def table(scoring: Scoring) -> Table:
        path = folder / f"{scoring.key}.table"
        with Path(f"{path}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                write(path, solve(scoring))
        return read(path, scoring)

    return table
