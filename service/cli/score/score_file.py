"""Scores a file of hands, piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.batch.record_batches.dice_columns import WrongColumns
from service.batch.record_batches.of_variant import scorer_of
from service.batch.record_batches.scorer import BadRowPolicy, BadRows
from service.cli.command_error import CommandError
from service.cli.files.formats import format_of, new_table, open_table, same_file
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
    try:
        scorer = scorer_of(variant, rules, table.schema, lists=form.lists, bad_rows=bad_rows)
    except WrongColumns as error:
        raise CommandError(f"{source} can't be scored: {error}") from None
    done = 0
    with new_table(target, scorer.carried, scorer.answer) as write:
        for batch in table.batches:
            if not len(batch):
                continue
            try:
                scored = scorer.score(batch)
            except BadRows as bad:
                raise CommandError(_head(source, bad), *bad_lines(bad)) from None
            done += len(batch)
            write(scored)
            report(done, table.part())
    return done, scorer.bad


def _head(source: Path, bad: BadRows) -> str:
    """The first line of the error for invalid rows of `source`."""
    return (
        f"{source} can't be scored: {bad.count} of the first {bad.seen} rows (row 0 is the first) "
        "have no valid hand; nothing was written, and later rows weren't checked"
    )


def bad_lines(bad: BadRows, *, before: int = 0) -> list[str]:
    """A line for each bad row that is reported; `before` rows of the file came before the first."""
    details = [f"  row {before + row}: {reason}" for row, reason in bad.reasons]
    if bad.count > len(details):
        details.append(f"  and {bad.count - len(details)} more")
    return details
