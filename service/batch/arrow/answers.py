"""Writes responses as an Arrow stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

import numpy as np
from flatbuffers import Builder
from numpy.typing import NDArray

from service.batch.arrow.messages import END, Header, build_schema, message, padded
from service.batch.outcomes import Outcomes

_ANSWERED = 1 << 15
"""The most hands in a record batch of a response."""


def write_batches(outcomes: Outcomes, batches: Iterable[NDArray[np.uint16]]) -> Iterator[bytes]:
    """Yields an Arrow stream with the columns of `outcomes` for `batches` of outcome numbers.

    Each column of words has a dictionary.
    """
    head = _head(outcomes)
    for numbers in batches:
        for start in range(0, len(numbers), _ANSWERED):
            yield head + _record_batch(outcomes, numbers[start : start + _ANSWERED])
            head = b""
    yield head + END


@cache
def _head(outcomes: Outcomes) -> bytes:
    """The schema and the dictionaries, which begin each stream."""
    columns = outcomes.columns
    fields = [
        (column.name, 8 * column.values.itemsize, place if column.words else None)
        for place, column in enumerate(columns)
    ]
    schema = message(Header.SCHEMA, lambda builder: build_schema(builder, fields))
    dictionaries = [
        _dictionary(place, column.words) for place, column in enumerate(columns) if column.words
    ]
    return schema + b"".join(dictionaries)


def _dictionary(number: int, words: Sequence[str]) -> bytes:
    """The message with the words of a dictionary."""
    texts = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, texts)], dtype="<i4").tobytes()
    data = b"".join(texts)

    def fields(builder: Builder) -> int:
        batch = _build_batch(builder, len(words), [[0, len(ends), len(data)]])
        builder.StartObject(3)
        builder.PrependInt64Slot(0, number, 0)
        builder.PrependUOffsetTRelativeSlot(1, batch, 0)
        return int(builder.EndObject())

    body = padded(ends) + padded(data)
    return message(Header.DICTIONARY, fields, len(body)) + body


def _record_batch(outcomes: Outcomes, numbers: NDArray[np.uint16]) -> bytes:
    """The message with the rows for some outcome numbers."""
    places, rows = numbers.astype(np.intp), len(numbers)
    metadata, size = _metadata(outcomes, rows)
    body = np.zeros(size, np.uint8)
    start = 0
    for column in outcomes.columns:
        end = start + rows * column.values.itemsize
        values = body[start:end].view(column.values.dtype)
        np.take(column.values, places, mode="clip", out=values)
        start = end + -end % 8
    return metadata + body.tobytes()


@lru_cache(1024)
def _metadata(outcomes: Outcomes, rows: int) -> tuple[bytes, int]:
    """The message of a record batch without its body, and the bytes of that."""
    sizes = [[0, rows * column.values.itemsize] for column in outcomes.columns]
    total = sum(size + -size % 8 for _, size in sizes)
    head = message(Header.RECORD_BATCH, lambda builder: _build_batch(builder, rows, sizes), total)
    return head, total


def _build_batch(builder: Builder, rows: int, columns: Sequence[Sequence[int]]) -> int:
    """Builds a record batch of columns without nulls, each given as the sizes of its buffers."""
    sizes = [size for column in columns for size in column]
    starts = np.cumsum([0, *(size + -size % 8 for size in sizes)]).tolist()
    builder.StartVector(16, len(sizes), 8)
    for start, size in reversed([*zip(starts, sizes, strict=False)]):
        builder.PrependInt64(size)
        builder.PrependInt64(start)
    buffers = builder.EndVector()
    builder.StartVector(16, len(columns), 8)
    for _ in columns:
        builder.PrependInt64(0)  # nulls
        builder.PrependInt64(rows)
    nodes = builder.EndVector()
    builder.StartObject(5)
    builder.PrependInt64Slot(0, rows, 0)
    builder.PrependUOffsetTRelativeSlot(1, nodes, 0)
    builder.PrependUOffsetTRelativeSlot(2, buffers, 0)
    return int(builder.EndObject())
