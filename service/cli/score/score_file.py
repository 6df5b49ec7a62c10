"""Scores a file of hands, piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from service.batch.outcomes import Outcomes
from service.batch.record_batches.dice_columns import WrongColumns
from service.batch.record_batches.scorer import BadRows, Scorer
from service.cli.command_error import CommandError
from service.cli.score.files import format_of, new_table, open_table, same_file


def score_file(
    source: Path,
    target: Path,
    outcomes: Outcomes,
    *,
    rows: int,
    report: Callable[[int, float], None],
) -> int:
    """Scores the hands in `source`, writes the answers to `target`, and returns how many there are.

    `target` has the columns of `source`, then those of the answers. Holds about `rows` rows at a
    time; after each piece calls `report` with the number of rows done and the fraction of the file.
    Raises `CommandError`, and doesn't touch `target`, if a file or a hand is invalid.
    """
    form = format_of(target)  # before anything is read
    table = open_table(source, rows)
    if same_file(source, target):
        raise CommandError(f"{target} can't be both read and written")
    try:
        scorer = Scorer(table.schema, outcomes, lists=form.lists)
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
                raise CommandError(*_wrong(source, bad)) from None
            done += len(batch)
            write(scored)
            report(done, table.part())
    return done


def _wrong(source: Path, bad: BadRows) -> list[str]:
    """The lines of the error for invalid rows of `source`."""
    details = [f"  row {row}: {reason}" for row, reason in bad.reasons]
    if bad.count > len(details):
        details.append(f"  and {bad.count - len(details)} more")
    head = (
        f"{source} can't be scored: {bad.count} of the first {bad.seen} rows (row 0 is the first) "
        "have no valid hand; nothing was written, and later rows weren't checked"
    )
    return [head, *details]
