"""Tables with the real solver, each solved once for all processes that test."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table
from service.tables.files import read_table, write_table
from service.tables.serving import Tables
from tests.live import SHARED_TABLES


def solved(scoring: Scoring) -> Table:
    """The table of a game, which services find, too; whoever wants it first solves it at once, not
    at the low priority of a service.
    """
    path = Tables(Path(os.environ[SHARED_TABLES])).path_of(scoring.key)
    with path.with_suffix(".wanted").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = read_table(path, scoring)
        if found is None:
            part = path.with_suffix(f".{os.getpid()}")
            part.touch(mode=0o600)
            write_table(part, scoring)
            part.replace(path)
            found = read_table(path, scoring)
    assert found is not None
    return found
