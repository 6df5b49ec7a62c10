"""Dice and columns of the response as Arrow arrays."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from service.batch.outcomes import Column, Hands, Outcomes
from service.rules.dice import Dice

_BAD = 255
"""Stands for a die that can't be parsed."""


def read_text(written: pa.Array, dice: Dice) -> Hands:
    """Parses dice that are text: numbers of plain dice, codes of suited dice, 255 for others."""
    known = pa.array(dice.notation or [*map(str, dice.written_faces)], written.type)
    places = pc.index_in(written, value_set=known)
    hands: Hands = places.fill_null(_BAD).to_numpy().astype(np.uint8)
    if not dice.suits:
        hands[hands != _BAD] += 1  # numbers begin with 1, codes with 0
    return hands


@cache
def answers(outcomes: Outcomes) -> pa.RecordBatch:
    """The rows of the response by the number of the outcome; the first is never used."""
    return pa.RecordBatch.from_arrays(
        [_array(column) for column in outcomes.columns],
        schema=pa.schema([_field(column) for column in outcomes.columns]),
    )


def _field(column: Column) -> pa.Field:
    """The field of the response that holds `column`."""
    held = pa.from_numpy_dtype(column.values.dtype)
    kind = pa.dictionary(held, pa.utf8()) if column.words else held
    return pa.field(column.name, kind, nullable=False)


def _array(column: Column) -> pa.Array:
    """The values of `column`."""
    values = pa.array(column.values)
    return pa.DictionaryArray.from_arrays(values, column.words) if column.words else values
