"""Makes one table: `python -m service.tables.make`, started when a request needs it.

It has inherited the lock on the folder, and the pipe that closes when the service ends.
"""

from __future__ import annotations

import json
import os
import time
import traceback
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

from service import parent_death
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import read_rules
from service.tables.making import Record, cant_write, read_record
from service.tables.room import PART, make_room, reserve
from service.tables.sealed import is_whole, seal
from service.tables.solver import solver_named
from service.tables.starting import step_back
from service.tables.tables import Tables
from service.variants import variants

REPORT_SECONDS = 0.1
UNEXPECTED = "an unexpected error occurred; the log of the service has it"


class WrongTable(Exception):
    """Why this process can't make the table, in words."""


class Report:
    """Writes how much is done into the record, ten times a second at most."""

    def __init__(self, lock: int, record: Record) -> None:
        self._lock, self._record = lock, record
        self._began = self._reported = time.monotonic()

    def __call__(self, fraction: float) -> None:
        """Records that `fraction` of the table is done, from 0 to 1."""
        now = time.monotonic()
        if now - self._reported >= REPORT_SECONDS:
            self._reported = now
            fraction = min(max(fraction, 0.0), 0.99)
            seconds = now - self._began
            replace(self._record, fraction=fraction, seconds=seconds).write(self._lock)


def main() -> None:
    """Makes the table; if that fails, the record says why."""
    parser = ArgumentParser("python -m service.tables.make", description=__doc__)
    for name in ("lifeline", "lock"):
        parser.add_argument(f"--{name}", type=int, required=True)
    for name in ("folder", "solver", "key", "further", "variant", "house-rules"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--foreground", action="store_true", help="at usual priority")
    given = parser.parse_args()
    begun = read_record(given.lock) or Record(given.key)
    not_killed = begun.next(given.key, attempt=0)
    if not given.foreground:
        step_back()
    parent_death.end_with(given.lifeline, lambda: not_killed.write(given.lock))
    record = replace(begun, process=os.getpid())
    record.write(given.lock)
    try:
        make(given, record)
        record = record.made()
    except WrongTable as why:
        record = record.failed(str(why))
    except OSError as error:
        record = record.failed(cant_write(Path(given.folder), error))
    except MemoryError:
        record = record.failed("there isn't enough memory")
    except Exception:
        traceback.print_exc()
        record = record.failed(UNEXPECTED)
    record.write(given.lock)


def make(given: Namespace, record: Record) -> None:
    """Makes the table under a temporary name, and then gives it its own."""
    tables = Tables(Path(given.folder), given.solver, further=given.further)
    variant = variants(given.further).get(given.variant)
    if not isinstance(variant, ScoreCard):
        raise WrongTable(f"{given.variant} is not one of the games that the service finds")
    rules = read_rules(variant.house_rules, json.loads(given.house_rules))
    scoring = tables.scoring_of(variant, rules)
    if scoring.key != given.key:
        raise WrongTable(f"another game than this one has the id {given.variant}")
    path = tables.path_of(given.key)
    solver = solver_named(given.solver)
    part = path.with_suffix(f".{os.getpid()}{PART}")  # nobody else's, even if the lock is removed
    try:
        reserve(part, solver.bytes_of(scoring), tables)
        solver.make(scoring, part, Report(given.lock, record))
        seal(part, given.key)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    if not is_whole(path, given.key):
        raise WrongTable(f"what is written in {tables.folder} can't be read again")
    make_room(tables, given.key)


if __name__ == "__main__":
    main()
