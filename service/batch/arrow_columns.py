"""What is told of hands as columns of Arrow."""

from __future__ import annotations

from functools import cache

import pyarrow as pa

from service.batch.outcomes import Column, Outcomes


@cache
def answers(outcomes: Outcomes) -> pa.RecordBatch:
    """A row for each of `outcomes` by its number, to take rows from; the first only fills."""
    return pa.RecordBatch.from_arrays(
        [_array(column) for column in outcomes.columns],
        schema=pa.schema([_field(column) for column in outcomes.columns]),
    )


def _field(column: Column) -> pa.Field:
    """The field of an answer that holds `column`."""
    held = pa.from_numpy_dtype(column.values.dtype)
    kind = pa.dictionary(held, pa.utf8()) if column.words else held
    return pa.field(column.name, kind, nullable=False)


def _array(column: Column) -> pa.Array:
    """What `column` tells of each outcome."""
    values = pa.array(column.values)
    return pa.DictionaryArray.from_arrays(values, column.words) if column.words else values
