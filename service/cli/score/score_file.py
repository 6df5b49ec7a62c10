"""Scores a file of hands, piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow.compute import take

from service.batch.outcomes import MAX_REPORTED, Outcomes
from service.cli.command_error import CommandError
from service.cli.score.arrow_columns import answers
from service.cli.score.dice_columns import DiceColumns, as_text, dice_columns
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
    answer = answers(outcomes)
    try:
        dice = dice_columns(table.schema, outcomes)
        carried = _carried(table.schema, dice, answer.schema, lists=form.lists)
    except CommandError as error:
        raise CommandError(f"{source} can't be scored: {error}") from None
    schema = pa.schema([*carried, *answer.schema])
    done = 0
    with new_table(target, carried, answer.schema) as write:
        for batch in table.batches:
            if not len(batch):
                continue
            hands = dice.hands(batch)
            numbers = outcomes.of(hands)
            done += len(batch)
            if not numbers.all():
                raise CommandError(*_wrong(source, dice, batch, numbers, done))
            answered = take(answer, pa.array(numbers), boundscheck=False)
            beside = [
                batch.column(field.name)
                if field.type == table.schema.field(field.name).type
                else as_text(hands, outcomes.dice)
                for field in carried
            ]
            write(pa.RecordBatch.from_arrays([*beside, *answered.columns], schema=schema))
            report(done, table.part())
    return done


def _carried(schema: pa.Schema, dice: DiceColumns, answer: pa.Schema, *, lists: bool) -> pa.Schema:
    """The columns of `schema` as they are written beside the `answer`.

    Lists of dice become text if the format has no `lists`. Raises `CommandError` if a column has
    the name of one in the answer.
    """
    clash = [field.name for field in schema if field.name in answer.names]
    if clash:
        raise CommandError(f"its column {clash[0]} has the name of an answer; rename it")
    return pa.schema(
        field.with_type(pa.utf8())
        if field.name in dice.names and field.type.num_fields and not lists
        else field
        for field in schema
    )


def _wrong(
    source: Path,
    dice: DiceColumns,
    batch: pa.RecordBatch,
    numbers: NDArray[np.uint16],
    done: int,
) -> list[str]:
    """The lines of the error for the invalid rows of `batch`, the last of `done` rows."""
    bad = np.flatnonzero(numbers == 0)
    first = done - len(batch)
    details = [
        f"  row {first + row}: {dice.reason(batch, row)}" for row in bad[:MAX_REPORTED].tolist()
    ]
    if len(bad) > len(details):
        details.append(f"  and {len(bad) - len(details)} more")
    head = (
        f"{source} can't be scored: {len(bad)} of the first {done} rows (row 0 is the first) have "
        "no valid hand; nothing was written, and later rows weren't checked"
    )
    return [head, *details]
