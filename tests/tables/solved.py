"""Tables with the real solver, each solved once for all processes that test."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table, solve
from service.tables.score_cards import read, write
from service.tables.sealed import is_whole, seal
from service.tables.tables import SUFFIX
from tests.live import SHARED_TABLES


def solved(scoring: Scoring) -> Table:
    """The table of a game, which services find, too; whoever wants it first solves it at once, not
    at the low priority of a service.
    """
    path = Path(os.environ[SHARED_TABLES]) / f"{scoring.key}{SUFFIX}"
    with path.with_suffix(".wanted").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(path, scoring.key):
            part = path.with_suffix(f".{os.getpid()}")
            write(part, solve(scoring))
            seal(part, scoring.key)
            part.replace(path)
    return read(path, scoring)
