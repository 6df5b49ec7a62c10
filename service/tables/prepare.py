"""Makes tables: `python -m service.tables.prepare` those of all score cards under default rules.

The service runs it after its start, and for a table that a request needs; anyone can run it before
that. Commands, and Python, make the table that they need with `wait_for_table`.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from service import parent_death
from service.tables import NotMade, NotReady, NotYet
from service.tables.lock import Record, cant_write, locked, read_record, write_record

if TYPE_CHECKING:
    from service.advice.scorecard.scoring import Scoring
    from service.advice.scorecard.table import Table
    from service.kinds.scorecard.variant import ScoreCard
    from service.rules.house_rules import HouseRules
    from service.settings import Settings
    from service.tables.serving import Tables

AFTER_SECONDS = 5
"""How long after the start of the service, and after each table, the next one is begun: others may
need another one more urgently.
"""

LINE_SECONDS = 10.0
"""Seconds between two lines about a table, where there is no terminal."""

POLL_SECONDS = 0.2
REPORT_SECONDS = 0.1
UNEXPECTED = "an unexpected error occurred; the log of the service has it"

Tell = Callable[[str], None]
"""Takes sentences about the progress of a table, without a full stop."""

_making: tuple[int, Record] | None = None
"""The lock of the table that this process makes, and its record."""


def wait_for_table(variant: ScoreCard, rules: HouseRules, settings: Settings) -> Table:
    """The table of `variant` under `rules`, in the folder that a service with these settings uses.

    If it has to be made, that takes seconds; standard error says so, and how far it has come.
    Raises `NotMade` if it can't be made, and `TooLarge` if it would be too large.
    """
    from service.tables.serving import shared_tables

    with Progress(sys.stderr, variant.id) as progress:
        return wait(shared_tables(settings), variant, rules, progress.show)


def wait(
    tables: Tables, variant: ScoreCard, rules: HouseRules, tell: Tell, *, queue: bool = False
) -> Table:
    """The table of `variant` under `rules`; makes it, or waits until another process has.

    With `queue`, its turn comes before those who only ask now and then. Raises `NotMade` if the
    table can't be made, and `TooLarge` if it would be too large.
    """
    from service.tables.files import scoring_of  # NumPy takes long to import

    scoring = scoring_of(variant, rules)
    while (made := tables.made(variant, rules)) is None:
        try:
            with locked(tables.folder, scoring.key, queue=queue) as lock:
                if tables.made(variant, rules) is None:
                    tell(str(NotYet.BEGUN()))
                    _make(tables, lock, scoring, tell)
        except NotMade:
            raise
        except NotReady as why:
            tell(str(why))
            time.sleep(POLL_SECONDS)
    return made


def _make(tables: Tables, lock: int, scoring: Scoring, tell: Tell = lambda _: None) -> None:
    """Makes the table of `scoring` in this process, which has the `lock`.

    Whether that fails, and why, is in the record.
    """
    from service.tables.files import make_table

    global _making
    began = reported = time.monotonic()
    record, failure = read_record(lock), ""  # kept here: the file may be damaged meanwhile

    def note(**changes: Any) -> None:
        global _making
        nonlocal record
        record = replace(record, **changes)
        _making = lock, record
        write_record(lock, record)

    def report(fraction: float) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= REPORT_SECONDS:
            reported = now
            fraction = min(fraction, 0.99)
            note(fraction=fraction, seconds=now - began)
            tell(f"{fraction:.0%} of it is done")

    note(process=os.getpid())
    try:
        make_table(tables, scoring, report)
    except OSError as error:
        failure = cant_write(tables.folder, error)
    except MemoryError:
        failure = "there isn't enough memory"
    except Exception:
        traceback.print_exc()
        failure = UNEXPECTED
    except KeyboardInterrupt:
        _stop()
        raise
    finally:
        _making = None
    if failure:
        failed = replace(record, failure=failure, fraction=0.0, seconds=0.0)
        write_record(lock, replace(failed, all_failed=record.all_failed + 1))
    else:
        write_record(lock, replace(record, fraction=1.0, all_made=record.all_made + 1))


def _stop() -> None:
    """Records that the table isn't made, but that its process wasn't killed, either."""
    if _making is not None:
        lock, record = _making
        write_record(lock, replace(record, attempt=0, process=0, fraction=0.0, seconds=0.0))


class Progress:
    """A line of a terminal about the table of a game, which changes and is cleared in the end.

    Other streams get a line now and then, and None nothing. `shown` is whether there was anything
    to show.
    """

    def __init__(self, stream: TextIO | None, variant_id: str) -> None:
        self._stream, self._variant_id = stream, variant_id
        self._changes = stream is not None and stream.isatty()
        self._shown_at = -LINE_SECONDS
        self.shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._changes and self.shown:
            print("\r\033[K", end="", file=self._stream, flush=True)

    def show(self, why: str) -> None:
        """Shows `why` the table isn't there yet, instead of the last reason."""
        self.shown = True
        sentence = f"The table of {self._variant_id} is being made: {why}."
        if self._changes:
            print(f"\r\033[K{sentence}", end="", file=self._stream, flush=True)
        elif self._stream and time.monotonic() - self._shown_at >= LINE_SECONDS:
            self._shown_at = time.monotonic()
            print(sentence, file=self._stream, flush=True)


def main() -> None:
    """Prepares the tables; the exit status is 1 if one couldn't be made.

    With `--one`, it makes the table of which standard input has the scoring, with the lock that
    this process has inherited.
    """
    parser = ArgumentParser(
        "python -m service.tables.prepare",
        description="Makes the tables of all score cards under their default house rules.",
    )
    parser.add_argument("--lifeline", type=int, help=SUPPRESS)
    parser.add_argument("--one", action="store_true", help=SUPPRESS)
    given = parser.parse_args()
    if given.lifeline is not None:
        parent_death.end_with(given.lifeline, _stop)
    if given.one:
        import pickle

        from service.tables.serving import Tables

        folder, further, lock, scoring = pickle.load(sys.stdin.buffer)  # of the service itself
        _make(Tables(folder, further), lock, scoring)
        return
    if given.lifeline is not None:
        time.sleep(AFTER_SECONDS)
    sys.exit(0 if prepare(beside_service=given.lifeline is not None) else 1)


def prepare(*, beside_service: bool) -> bool:
    """Makes each table that is missing, and prints a line for each; returns whether all are there.

    Beside a service it queues, so that clients that keep asking for other tables can't hold it up
    for longer. The imports are work, too, so they wait until the service has started.
    """
    from service.advice.scorecard.scoring import TooLarge
    from service.kinds.scorecard.variant import ScoreCard
    from service.operator_log import notice
    from service.settings import Settings
    from service.tables.serving import shared_tables
    from service.variants import variants

    settings = Settings.from_environment()
    tables, complete = shared_tables(settings), True
    for variant in variants(settings.variants).values():
        if not isinstance(variant, ScoreCard):
            continue
        try:
            with Progress(None if beside_service else sys.stderr, variant.id) as progress:
                rules = variant.default_rules
                wait(tables, variant, rules, progress.show, queue=beside_service)
        except NotMade as why:
            complete = False
            notice(f"The table of {variant.id} can't be made: {why}.", settings.log_format)
        except TooLarge as why:
            print(f"There is no table of {variant.id}: {why}.", flush=True)
        else:
            print(f"The table of {variant.id} is ready.", flush=True)
            if beside_service and progress.shown:
                time.sleep(AFTER_SECONDS)
    return complete


if __name__ == "__main__":
    main()
