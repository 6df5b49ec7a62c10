"""Writes responses as JSON, one column after the other, in parts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import orjson
from numpy.typing import NDArray

from service.batch.outcomes import Column, Outcomes

_PART = 1 << 16
"""Values of a column to write at a time."""


def write_columns(outcomes: Outcomes, numbers: NDArray[np.uint16]) -> Iterator[bytes]:
    """Yields `"rank":[…],"strength":[…]` or `"scores":{"ones":[…],…}` for outcomes by number."""
    if outcomes.boxes:
        yield b'"scores":{'
    for place, column in enumerate(outcomes.columns):
        yield b"%s%s:[" % (b"," if place else b"", orjson.dumps(column.name))
        texts = _texts(column)
        for start in range(0, len(numbers), _PART):
            part = b",".join(texts[numbers[start : start + _PART]].tolist())
            yield b"," + part if start else part
        yield b"]"
    if outcomes.boxes:
        yield b"}"


@cache
def _texts(column: Column) -> NDArray[np.object_]:
    """The value of each outcome, as JSON."""
    values = [column.words[value] if column.words else value for value in column.values.tolist()]
    texts = np.empty(len(values), object)
    texts[:] = [orjson.dumps(value) for value in values]
    return texts
