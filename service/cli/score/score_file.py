"""A file of hands made into a file of answers, piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow.compute import take

from service.batch.arrow_columns import answers
from service.batch.outcomes import MOST_TOLD, Outcomes
from service.cli.score.dice_columns import DiceColumns, as_text, dice_columns
from service.cli.score.files import format_of, new_table, open_table, same_file
from service.cli.score.not_done import NotDone


def score_file(
    source: Path,
    target: Path,
    outcomes: Outcomes,
    *,
    rows: int,
    tell: Callable[[int, float], None],
) -> int:
    """Writes to `target` what the hands in `source` come to, and returns how many they are.

    The columns of `source` come first. About `rows` are held at a time; after
    each, `tell` gets how many rows are done, and what part of the file. Raises `NotDone`, and
    leaves `target` as it was, if anything is wrong with a file or a hand.
    """
    form = format_of(target)  # before anything is read
    table = open_table(source, rows)
    if same_file(source, target):
        raise NotDone(f"{target} can't be both read and written")
    answer = answers(outcomes)
    try:
        dice = dice_columns(table.schema, outcomes)
        carried = _carried(table.schema, dice, answer.schema, lists=form.lists)
    except NotDone as error:
        raise NotDone(f"{source} can't be scored: {error}") from None
    schema = pa.schema([*carried, *answer.schema])
    done = 0
    with new_table(target, carried, answer.schema) as write:
        for batch in table.batches:
            if not len(batch):
                continue
            hands = dice.hands(batch)
            found = outcomes.of(hands)
            done += len(batch)
            if not found.all():
                raise NotDone(*_wrong(source, dice, batch, found, done))
            answered = take(answer, pa.array(found), boundscheck=False)
            beside = [
                batch.column(field.name)
                if field.type == table.schema.field(field.name).type
                else as_text(hands, outcomes.dice)
                for field in carried
            ]
            write(pa.RecordBatch.from_arrays([*beside, *answered.columns], schema=schema))
            tell(done, table.part())
    return done


def _carried(schema: pa.Schema, dice: DiceColumns, answer: pa.Schema, *, lists: bool) -> pa.Schema:
    """The columns of `schema` as they stand beside the `answer`: lists of dice as text, if needed.

    Raises `NotDone` if one has the name of a column of the answer.
    """
    clash = [field.name for field in schema if field.name in answer.names]
    if clash:
        raise NotDone(f"its column {clash[0]} has the name of an answer; call it something else")
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
    found: NDArray[np.uint16],
    done: int,
) -> list[str]:
    """What is wrong with the rows of `batch` without an outcome; `done` rows were looked at."""
    bad = np.flatnonzero(found == 0)
    first = done - len(batch)
    told = [f"  row {first + row}: {dice.wrong(batch, row)}" for row in bad[:MOST_TOLD].tolist()]
    if len(bad) > len(told):
        told.append(f"  and {len(bad) - len(told)} more")
    head = (
        f"{source} can't be scored: {len(bad)} of the first {done} rows, counted from 0, "
        "can't be hands; nothing was written and nothing after them was looked at"
    )
    return [head, *told]
