"""Scores a file of hands, piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.batch.record_batches.dice_columns import WrongColumns
from service.batch.record_batches.of_variant import columns_of, scorer_of
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
        columns = columns_of(variant) if table.empty else table.schema
        scorer = scorer_of(variant, rules, columns, lists=form.lists, bad_rows=bad_rows)
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
                raise CommandError(*bad_lines(bad, str(source), "nothing was written")) from None
            done += len(batch)
            write(scored)
            report(done, table.part())
    return done, scorer.bad


def bad_lines(bad: BadRows, source: str, so: str = "", *, before: int = 0) -> list[str]:
    """The lines of the error for bad rows of `source`: how many were found, what is `so` now, and a
    line for each that is reported. `before` rows of the file came before the first.
    """
    since = f" from row {before}" if before else ""
    head = (
        f"{source} can't be scored: {bad.count} of the first {bad.seen} rows{since} (row 0 is the "
        f"first) have no valid hand; {so and f'{so}, and '}later rows weren't checked"
    )
    details = [f"  row {before + row}: {reason}" for row, reason in bad.reasons]
    if bad.count > len(details):
        details.append(f"  and {bad.count - len(details)} more")
    return [head, *details]
