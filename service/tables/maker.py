"""Makes tables: in processes that requests start (`python -m service.tables.maker`), in the one
that prepares the default tables, and in commands that need a table.
"""

from __future__ import annotations

import errno
import os
import pickle
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace

from service import parent_death
from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.tables import NotMade, NotReady
from service.tables.eviction import evict, reserve
from service.tables.files import bytes_of, read_table, scoring_of, write_table
from service.tables.lock import BEGUN, Record, cant_write, locked, read_record
from service.tables.tables import Tables

POLL_SECONDS = 0.2
REPORT_SECONDS = 0.1
UNEXPECTED = "an unexpected error occurred; the log of the service has it"


class Maker:
    """Makes tables in this process; `tell` gets sentences about the progress, without full stop."""

    def __init__(self, tables: Tables, tell: Callable[[str], None] = lambda _: None) -> None:
        self._tables, self._tell = tables, tell
        self._stopping: Callable[[], None] | None = None

    def wait_for(self, variant: ScoreCard, rules: HouseRules, *, queue: bool = False) -> Table:
        """The table of `variant` under `rules`; makes it, or waits until another process has.

        With `queue`, its turn comes before those who only ask now and then. Raises `NotMade` if the
        table can't be made, and `TooLarge` if it would be too large.
        """
        scoring = scoring_of(variant, rules)
        while (made := self._tables.made(variant, rules)) is None:
            try:
                with locked(self._tables.folder, scoring.key, queue=queue) as lock:
                    if self._tables.made(variant, rules) is None:
                        self._tell(BEGUN)
                        self.make(lock, scoring)
            except NotMade:
                raise
            except NotReady as why:
                self._tell(why.reason)
                time.sleep(POLL_SECONDS)
        return made

    def make(self, lock: int, scoring: Scoring) -> None:
        """Makes the table of `scoring` in this process, which has the `lock`.

        Whether that fails, and why, is in the record.
        """
        folder, begun = self._tables.folder, read_record(lock)
        self._stopping = lambda: replace(begun, attempt=0).write(lock)
        record = replace(begun, process=os.getpid())
        record.write(lock)
        failure = ""
        try:
            self._write(scoring, self._report(lock, record))
        except OSError as error:
            failure = cant_write(folder, error)
        except MemoryError:
            failure = "there isn't enough memory"
        except Exception:
            traceback.print_exc()
            failure = UNEXPECTED
        except KeyboardInterrupt:
            self.stop()
            raise
        finally:
            self._stopping = None
        if failure:
            replace(record, failure=failure, all_failed=record.all_failed + 1).write(lock)
        else:
            replace(record, fraction=1.0, all_made=record.all_made + 1).write(lock)

    def stop(self) -> None:
        """Records that the table isn't made, but that its process wasn't killed, either."""
        if self._stopping is not None:
            self._stopping()

    def _report(self, lock: int, record: Record) -> Callable[[float], None]:
        """Writes how much is done into the record, ten times a second at most."""
        began = reported = time.monotonic()

        def report(fraction: float) -> None:
            nonlocal reported
            now = time.monotonic()
            if now - reported >= REPORT_SECONDS:
                reported = now
                fraction = min(fraction, 0.99)
                replace(record, fraction=fraction, seconds=now - began).write(lock)
                self._tell(f"{fraction:.0%} of it is done")

        return report

    def _write(self, scoring: Scoring, report: Callable[[float], None]) -> None:
        """Writes the table under a temporary name, and then gives it its own."""
        tables, path = self._tables, self._tables.path_of(scoring.key)
        for left in tables.folder.glob("*.part"):
            left.unlink(missing_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")  # not shared, even if the lock is removed
        try:
            reserve(part, bytes_of(scoring), tables)
            write_table(part, scoring, report)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        if read_table(path, scoring) is None:
            raise OSError(errno.EIO, "it can't be read again")
        evict(tables, scoring.key)


def main() -> None:
    """Makes the table of which standard input has the scoring, with the lock that this process has
    inherited. It ends with the service.
    """
    folder, further, lock, scoring = pickle.load(sys.stdin.buffer)  # of the service itself
    maker = Maker(Tables(folder, further))
    parent_death.end_with(int(sys.argv[1]), maker.stop)
    maker.make(lock, scoring)


if __name__ == "__main__":
    main()
