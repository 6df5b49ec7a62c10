"""Scores a file of hands, piece by piece."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from service.batch import BadRows, WrongColumns
from service.batch.record_batches import BadRowPolicy, Scorer, columns_of, scorer_of
from service.cli.command import CommandError, TryAgain
from service.cli.files.formats import Format, format_of, open_table, table_writer
from service.cli.files.locations import Location, State, command_errors
from service.cli.files.readers import DataTable
from service.rules.variant import Variant

Report = Callable[[int, float], object]
"""Takes how many rows are done, and what fraction of the work that is, from 0 to 1."""


def score_file(
    source: Path | str,
    target: Path | str,
    variant: Variant,
    rules: Any,
    *,
    rows: int,
    bad_rows: BadRowPolicy = "fail",
    report: Report,
) -> tuple[int, int]:
    """Scores the hands or turns in `source` by `rules`, and writes the answers to `target`.

    Returns how many rows there are, and how many of them were dropped or have null as answers.

    `target` has the columns of `source`, then those of the answers. It appears, or is replaced,
    only at the end: the rows go to a temporary file beside it. Holds about `rows` rows at a time.
    Raises `CommandError`, and doesn't touch `target`, if a file or a hand is invalid.
    """
    form, location = format_of(str(target)), Location.of(str(source))  # before anything is read
    format_of(location.shown)
    with command_errors(f"{location.shown} can't be read"):
        before = location.state()
        if not os.path.isfile(location.path):
            raise CommandError(f"{location.shown} is {'not a file' if before else 'missing'}")
    gone = f"{location.shown} has been removed while it was read"
    with steady(location, before, "while it was read", gone) as check:
        table = open_table(location, rows)
        with command_errors(f"{target} can't be written"):
            if os.path.exists(target) and os.path.samefile(source, target):
                raise CommandError(f"{target} can't be both read and written")
        scorer = table_scorer(table, location, form, variant, rules, bad_rows)
        with command_errors(f"{target} can't be written as {form.name}"):
            real = Path(os.path.realpath(target))
            if real.exists() and not real.is_file():
                raise CommandError(f"{target} is not a file")
            part = real.with_name(f".{secrets.token_hex(8)}.part")

            def write(file: IO[bytes]) -> int:
                so = "nothing was written"
                done = write_scores(file, form, table, scorer, location, report, so=so)
                check()
                return done

            def keep_mode(*_: int) -> None:
                if real.exists():
                    part.chmod(stat.S_IMODE(real.stat().st_mode))

            target_file, part_file = Location.of(str(real)), Location.of(str(part))
            return target_file.replace(part_file, write, keep_mode), scorer.bad


@contextmanager
def steady(
    source: Location, before: State | None, since: str, gone: str
) -> Iterator[Callable[[], None]]:
    """Yields a function that raises `TryAgain` once a file isn't as it was `before`, or, if there
    is none any more, `CommandError` that says `gone`.

    While a file changes, anything may seem to be wrong with it: so then that becomes the error.
    """

    def check() -> None:
        with command_errors(f"{source.shown} can't be read"):
            found = source.state()
        if found is None:
            raise CommandError(gone)
        if found != before:
            raise TryAgain(f"{source.shown} has changed {since}")

    try:
        yield check
    except CommandError:
        check()
        raise


def table_scorer(
    table: DataTable,
    source: Location,
    form: Format,
    variant: Variant,
    rules: Any,
    bad_rows: BadRowPolicy,
) -> Scorer:
    """A scorer of `table`, which is read from `source`, for answers that are written in `form`.

    Raises `CommandError` if its columns can't be scored.
    """
    try:
        columns = columns_of(variant) if table.empty else table.schema
        return scorer_of(variant, rules, columns, lists=form.lists, bad_rows=bad_rows)
    except WrongColumns as error:
        raise CommandError(f"{source.shown} can't be scored: {error}") from None


def write_scores(
    file: IO[bytes],
    form: Format,
    table: DataTable,
    scorer: Scorer,
    source: Location,
    report: Report,
    *,
    so: str = "",
    before: int = 0,
    metadata: Mapping[bytes, bytes] | None = None,
) -> int:
    """Scores the pieces of `table`, writes them with their answers, and returns how many rows there
    are. The columns get the `metadata`.

    Raises `CommandError` for bad rows of `source`, which says what is `so` now. `before` rows of
    the file came before the first.
    """
    done = 0
    carried = scorer.carried.with_metadata(metadata) if metadata else scorer.carried
    with table_writer(form, file, carried, scorer.answer) as write:
        for batch in filter(len, table.batches):
            try:
                scored = scorer.score(batch)
            except BadRows as bad:
                try:
                    later = any(map(len, table.batches))
                except CommandError:  # there are more, which can't be read
                    later = True
                lines = _bad_lines(bad, source.shown, so, before, later)
                raise CommandError(*lines) from None
            write(scored)
            done += len(batch)
            report(done, table.part())
    return done


def _bad_lines(bad: BadRows, source: str, so: str, before: int, later: bool) -> list[str]:
    """The lines of the error for bad rows of `source`: how many were found, what is `so` now,
    whether there are `later` rows, and a line for each that is reported.
    """
    since = f" from row {before}" if before else ""
    unchecked = "later rows weren't checked" if later else ""
    ends = ", and ".join(filter(None, (so, unchecked)))
    head = f"{source} can't be scored: {bad.summary(since)}"
    details = [f"  row {before + row}: {reason}" for row, reason in bad.reasons]
    if bad.omitted:
        details.append(f"  and {bad.omitted} more")
    return [f"{head}; {ends}" if ends else head, *details]
