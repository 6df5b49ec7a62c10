"""Scores a file of hands, piece by piece."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from service.batch.dice_columns import WrongColumns
from service.batch.record_batches import BadRowPolicy, BadRows, Scorer, columns_of, scorer_of
from service.cli.command import CommandError, TryAgain
from service.cli.files.formats import Format, format_of, new_table, open_table
from service.cli.files.locations import Location, command_errors
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

    `target` has the columns of `source`, then those of the answers. Holds about `rows` rows at a
    time. Raises `CommandError`, and doesn't touch `target`, if a file or a hand is invalid.
    """
    form, location = format_of(str(target)), Location.of(str(source))  # before anything is read
    format_of(location.shown)
    with command_errors(f"{location.shown} can't be read"):
        before = location.state()
        if not os.path.isfile(location.path):
            raise CommandError(f"{location.shown} is {'not a file' if before else 'missing'}")
    table = open_table(location, rows)
    with command_errors(f"{target} can't be written"):
        if os.path.exists(target) and os.path.samefile(source, target):
            raise CommandError(f"{target} can't be both read and written")
    scorer = table_scorer(table, location.shown, form, variant, rules, bad_rows)
    with new_table(str(target), scorer.carried, scorer.answer) as write:
        changed = TryAgain(f"{location.shown} has changed while it was read")
        try:
            done = score_rows(
                table, location.shown, scorer, write, report, so="nothing was written"
            )
        except CommandError:
            if location.state() != before:
                raise changed from None  # then anything may seem to be wrong with it
            raise
        if location.state() != before:
            raise changed
    return done, scorer.bad


def table_scorer(
    table: DataTable,
    source: str,
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
        raise CommandError(f"{source} can't be scored: {error}") from None


def score_rows(
    table: DataTable,
    source: str,
    scorer: Scorer,
    write: Callable[[pa.RecordBatch], None],
    report: Report,
    *,
    so: str = "",
    before: int = 0,
) -> int:
    """Scores the pieces of `table`, writes the answers, and returns how many rows there are.

    Raises `CommandError` for bad rows of `source`, which says what is `so` now. `before` rows of
    the file came before the first.
    """
    done = 0
    for batch in table.batches:
        if not len(batch):
            continue
        try:
            scored = scorer.score(batch)
        except BadRows as bad:
            try:
                later = any(map(len, table.batches))
            except CommandError:  # there are more, which can't be read
                later = True
            raise CommandError(*_bad_lines(bad, source, so, before, later)) from None
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
    ends = ", and ".join(each for each in (so, unchecked) if each)
    head = (
        f"{source} can't be scored: {bad.count} of the first {bad.seen} rows{since} (row 0 is the "
        f"first) have no valid {bad.one}"
    )
    details = [f"  row {before + row}: {reason}" for row, reason in bad.reasons]
    if bad.count > len(details):
        details.append(f"  and {bad.count - len(details)} more")
    return [f"{head}; {ends}" if ends else head, *details]
