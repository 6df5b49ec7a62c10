"""Writes responses as an Arrow stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

import numpy as np
from flatbuffers import Builder
from numpy.typing import NDArray

from service.batch.arrow.further import Beside, Further
from service.batch.arrow.messages import END, Fields, Header, build_schema, message, padded
from service.batch.outcomes import Outcomes

_FIRST = 1 << 40
"""The number of the first dictionary; those of further columns have numbers of their own."""

_ANSWERED = 1 << 15
"""The most hands in a record batch of a response."""


def write_batches(outcomes: Outcomes, batches: Iterable[NDArray[np.uint16]]) -> Iterator[bytes]:
    """Yields an Arrow stream with the columns of `outcomes` for `batches` of outcome numbers, a
    part at least for each; that of an empty one is empty.

    Each column of words has a dictionary.
    """
    head = _head(outcomes)
    for numbers in batches:
        if not len(numbers):
            yield b""  # for the turns of batches: a small gzip has room for very many of these
        for start in range(0, len(numbers), _ANSWERED):
            some = numbers[start : start + _ANSWERED]
            metadata, size = _metadata(outcomes, len(some))
            yield head + metadata + _answers(outcomes, some, size)
            head = b""
    yield head + END


def write_beside(
    outcomes: Outcomes, further: Further, batches: Iterable[tuple[NDArray[np.uint16], Beside]]
) -> Iterator[bytes]:
    """Yields the same after the `further` columns, with a message for each that was read."""
    yield _schema(outcomes, further.fields) + _dictionaries(outcomes)
    for numbers, beside in batches:
        yield beside.dictionary or _with_answers(outcomes, numbers, beside)
    yield END


def _with_answers(outcomes: Outcomes, numbers: NDArray[np.uint16], beside: Beside) -> bytes:
    """The record batch with what is `beside` the dice, and the answers."""
    rows, own = len(numbers), _sizes(outcomes, len(numbers))
    nodes = [*beside.nodes, *[(rows, 0) for _ in outcomes.columns]]
    sizes = [*map(len, beside.buffers), *own]
    metadata = message(
        Header.RECORD_BATCH,
        lambda builder: _build_batch(builder, rows, nodes, sizes, beside.counts),
        sum(map(_padded, sizes)),
    )
    answers = _answers(outcomes, numbers, sum(map(_padded, own)))
    return b"".join([metadata, *map(padded, beside.buffers), answers])


@cache
def _head(outcomes: Outcomes) -> bytes:
    """The schema and the dictionaries, which begin each stream."""
    return _schema(outcomes, ()) + _dictionaries(outcomes)


def _schema(outcomes: Outcomes, repeated: Sequence[Fields]) -> bytes:
    """The schema with the fields `repeated` before the answers."""
    fields = [
        (column.name, 8 * column.values.itemsize, _FIRST + place if column.words else None)
        for place, column in enumerate(outcomes.columns)
    ]
    return message(Header.SCHEMA, lambda builder: build_schema(builder, fields, repeated))


def _dictionaries(outcomes: Outcomes) -> bytes:
    return b"".join(
        _dictionary(_FIRST + place, column.words)
        for place, column in enumerate(outcomes.columns)
        if column.words
    )


def _dictionary(number: int, words: Sequence[str]) -> bytes:
    """The message with the words of a dictionary."""
    texts = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, texts)], dtype="<i4").tobytes()
    data = b"".join(texts)

    def fields(builder: Builder) -> int:
        sizes = [0, len(ends), len(data)]
        batch = _build_batch(builder, len(words), [(len(words), 0)], sizes)
        builder.StartObject(3)
        builder.PrependInt64Slot(0, number, 0)
        builder.PrependUOffsetTRelativeSlot(1, batch, 0)
        return int(builder.EndObject())

    body = padded(ends) + padded(data)
    return message(Header.DICTIONARY, fields, len(body)) + body


def _answers(outcomes: Outcomes, numbers: NDArray[np.uint16], size: int) -> bytes:
    """The columns for some outcome numbers, `size` bytes of the body of a record batch."""
    places, rows = numbers.astype(np.intp), len(numbers)
    body = np.zeros(size, np.uint8)
    start = 0
    for column in outcomes.columns:
        end = start + rows * column.values.itemsize
        values = body[start:end].view(column.values.dtype)
        np.take(column.values, places, mode="clip", out=values)
        start = _padded(end)
    return body.tobytes()


@lru_cache(1024)
def _metadata(outcomes: Outcomes, rows: int) -> tuple[bytes, int]:
    """The message of a record batch of answers without its body, and the bytes of that."""
    sizes = _sizes(outcomes, rows)
    nodes = [(rows, 0) for _ in outcomes.columns]
    total = sum(map(_padded, sizes))
    head = message(
        Header.RECORD_BATCH, lambda builder: _build_batch(builder, rows, nodes, sizes), total
    )
    return head, total


def _sizes(outcomes: Outcomes, rows: int) -> list[int]:
    """The sizes of the buffers of the answers: no bits for nulls, and numbers for each column."""
    return [size for column in outcomes.columns for size in (0, rows * column.values.itemsize)]


def _padded(size: int) -> int:
    """`size` up to the next multiple of 8."""
    return size + -size % 8


def _build_batch(
    builder: Builder,
    rows: int,
    nodes: Sequence[Sequence[int]],
    sizes: Sequence[int],
    counts: Sequence[int] = (),
) -> int:
    """Builds a record batch by its nodes, how many values and nulls each column has, the `sizes` of
    its buffers, and how many more of these each view has.
    """
    starts = np.cumsum([0, *map(_padded, sizes)]).tolist()
    buffers = _build_pairs(builder, [*zip(starts, sizes, strict=False)])
    columns = _build_pairs(builder, nodes)
    builder.StartVector(8, len(counts), 8)
    for count in reversed(counts):
        builder.PrependInt64(count)
    more = builder.EndVector()
    builder.StartObject(5)
    builder.PrependInt64Slot(0, rows, 0)
    builder.PrependUOffsetTRelativeSlot(1, columns, 0)
    builder.PrependUOffsetTRelativeSlot(2, buffers, 0)
    if counts:
        builder.PrependUOffsetTRelativeSlot(4, more, 0)
    return int(builder.EndObject())


def _build_pairs(builder: Builder, pairs: Sequence[Sequence[int]]) -> int:
    builder.StartVector(16, len(pairs), 8)
    for first, second in reversed(pairs):
        builder.PrependInt64(second)
        builder.PrependInt64(first)
    return int(builder.EndVector())
