"""What is told of hands as columns of Arrow."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from service.batch.outcomes import Column, Hands, Outcomes
from service.rules.dice import Dice

_BAD = 255
"""Stands for a die that isn't written as one."""


def read_text(written: pa.Array, dice: Dice) -> Hands:
    """Dice that are written as text, as they count in an array of hands; 255 for no die."""
    known = pa.array(dice.notation or [*map(str, dice.written_faces)], written.type)
    places = pc.index_in(written, value_set=known)
    found: Hands = places.fill_null(_BAD).to_numpy().astype(np.uint8)
    if not dice.suits:
        found[found != _BAD] += 1  # numbers begin with 1, codes with 0
    return found


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
