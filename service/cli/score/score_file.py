"""Scores a file of hands, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from service.batch.record_batches.dice_columns import WrongColumns
from service.batch.record_batches.scorer import BadRowPolicy, BadRows, Scorer
from service.batch.record_batches.scorers import columns_of, scorer_of
from service.cli.command_error import CommandError
from service.cli.files.formats import Format, format_of, new_table, open_table, same_file
from service.cli.files.table_readers import DataTable
from service.rules.variant import Variant


def score_file(
    source: Path,
    target: Path,
    variant: Variant[Any],
    rules: Any,
    *,
    rows: int,
    bad_rows: BadRowPolicy = "fail",
    report: Callable[[int, float], None],
) -> tuple[int, int]:
    """Scores the hands or turns in `source` by `rules`, and writes the answers to `target`.

    Returns how many rows there are, and how many of them were dropped or have null as answers.

    `target` has the columns of `source`, then those of the answers. Holds about `rows` rows at a
    time; after each piece calls `report` with the number of rows done and the fraction of the file.
    Raises `CommandError`, and doesn't touch `target`, if a file or a hand is invalid.
    """
    form = format_of(target)  # before anything is read
    table = open_table(source, rows)
    if same_file(source, target):
        raise CommandError(f"{target} can't be both read and written")
    scorer = table_scorer(table, str(source), form, variant, rules, bad_rows)
    done = 0
    with new_table(target, scorer.carried, scorer.answer) as write:
        for count, scored in answers(table, str(source), scorer, "nothing was written"):
            write(scored)
            done += count
            report(done, table.part())
    return done, scorer.bad


def table_scorer(
    table: DataTable,
    source: str,
    form: Format,
    variant: Variant[Any],
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


def answers(
    table: DataTable, source: str, scorer: Scorer, so: str = "", *, before: int = 0
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The answers to each piece of `table`, with how many rows it has.

    Raises `CommandError` for bad rows of `source`, which says what is `so` now. `before` rows of
    the file came before the first.
    """
    for batch in table.batches:
        if len(batch):
            try:
                scored = scorer.score(batch)
            except BadRows as bad:
                later = _has_rows(table)
                raise CommandError(*_bad_lines(bad, source, so, before, later)) from None
            yield len(batch), scored


def _has_rows(table: DataTable) -> bool:
    """Whether more rows come, which may also be such that can't be read."""
    try:
        return any(map(len, table.batches))
    except CommandError:
        return True


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
