"""Reads hands and writes responses as Arrow record batches (Arrow's IPC streaming format)."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow.compute import take

from service.batch.arrow_columns import answers, read_text
from service.batch.outcomes import MAX_REPORTED, Hands, Outcomes
from service.rules.dice import Dice
from service.rules.sentences import any_of
from service.rules.violations import InvalidInput, Violation

COLUMN = "dice"
"""The column that holds the hands."""

_ANSWERED = 1 << 15
"""The most hands in a record batch of a response."""

_HEADER, _COMPRESSION = 2, 3
"""The fields of a Message and of a RecordBatch, in Arrow's flatbuffers."""


class Readable(Protocol):
    """The methods of a binary file that are used here."""

    closed: bool

    def read(self, size: int = -1, /) -> bytes | memoryview:
        """The next `size` bytes, fewer at the end."""

    def close(self) -> None:
        """Closes the file."""


class BrokenStream(ValueError):
    """The bytes are not an Arrow stream, or end within one."""


def read_batches(stream: Readable, dice: Dice, sizes: Collection[int]) -> Iterator[Hands]:
    """The hands of each record batch in `stream`, of shape (hands, dice).

    The stream must have one column, `dice`: a fixed-size list with one of `sizes`, of utf8 if the
    faces of `dice` have names, else of uint8. Raises `BrokenStream` for another format and for a
    stream that ends within a batch, and `InvalidInput` for another type, nulls, or compressed
    batches.
    """
    first = 0
    schema: pa.Schema | None = None
    try:
        for message in pa.MessageReader.open_stream(stream):
            if schema is None:
                if message.type != "schema":  # pyarrow would read it as one anyway
                    raise BrokenStream("it doesn't begin with a schema")
                schema = pa.ipc.read_schema(message)
                size = _size(schema, dice, sizes)
                continue
            if message.type != "record batch":
                raise BrokenStream(f"it holds a {message.type} where a record batch should be")
            if _compressed(message.metadata.to_pybytes()):
                detail = (
                    "must not contain compressed record batches; use Content-Encoding: gzip for "
                    "the whole body"
                )
                raise InvalidInput(Violation((COLUMN,), detail))
            batch = pa.ipc.read_record_batch(message, schema)
            batch.validate(full=True)
            column = batch.column(0)
            if column.null_count or column.values.null_count:
                raise InvalidInput(*_nulls(column, first))
            values = column.flatten()
            hands = read_text(values, dice) if _named(dice) else values.to_numpy()
            yield hands.reshape(-1, size)
            first += len(batch)
    except (pa.ArrowException, OSError, UnicodeDecodeError, struct.error) as error:
        raise BrokenStream(str(error)) from None
    if schema is None:
        raise BrokenStream("it holds no schema")


def write_batches(outcomes: Outcomes, batches: Iterable[NDArray[np.uint16]]) -> Iterator[bytes]:
    """Yields an Arrow stream with the columns of `outcomes` for `batches` of outcome numbers."""
    sink = _Sink()
    table = answers(outcomes)
    with pa.ipc.new_stream(pa.PythonFile(sink, "w"), table.schema) as stream:
        for numbers in batches:
            for start in range(0, len(numbers), _ANSWERED):
                rows = pa.array(numbers[start : start + _ANSWERED])
                stream.write_batch(take(table, rows, boundscheck=False))
                yield sink.taken()
    yield sink.taken()


class _Sink:
    """A file that collects what is written to it."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes | pa.Buffer] = []

    def write(self, part: bytes | pa.Buffer) -> int:
        """Keeps `part`, which nobody changes afterwards."""
        self._parts.append(part)
        return len(part)

    def flush(self) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""

    def taken(self) -> bytes:
        """Returns everything written since the last call."""
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


def _size(schema: pa.Schema, dice: Dice, sizes: Collection[int]) -> int:
    """The number of dice in a hand. Raises `InvalidInput` for a schema that has no hands."""
    held = pa.utf8() if _named(dice) else pa.uint8()
    wanted = any_of(f"fixed_size_list<{held}>[{size}]" for size in sizes)
    if schema.names != [COLUMN]:
        present = ", ".join(schema.names[:MAX_REPORTED]) or "none"
        detail = f"must hold the one column {COLUMN}, {wanted}; it holds {present}"
        raise InvalidInput(Violation((), detail))
    kind = schema.field(0).type
    if (
        not pa.types.is_fixed_size_list(kind)
        or kind.value_type != held
        or kind.list_size not in sizes
    ):
        raise InvalidInput(Violation((COLUMN,), f"must be {wanted}, not {kind}"))
    size: int = kind.list_size
    return size


def _named(dice: Dice) -> bool:
    """Whether dice are names of faces; suited dice are always codes."""
    return bool(dice.names) and not dice.suits


def _nulls(column: pa.FixedSizeListArray, first: int) -> list[Violation]:
    """A violation for each of the first rows that are null or hold one."""
    null = column.is_null().to_numpy(zero_copy_only=False)
    if column.values.null_count:
        dice = column.values.is_null().to_numpy(zero_copy_only=False)
        null = null | dice.reshape(len(column), -1).any(axis=1)
    rows = np.flatnonzero(null)[:MAX_REPORTED].tolist()
    return [Violation((COLUMN, first + row), "must not hold nulls") for row in rows]


def _compressed(metadata: bytes) -> bool:
    """Whether the record batch with this `metadata` is compressed.

    pyarrow doesn't say, and would decompress it without a limit. `metadata` is a flatbuffer that
    pyarrow has verified to be that of a record batch.
    """
    (message,) = struct.unpack_from("<I", metadata)
    header = _place(metadata, message, _HEADER)
    if not header:
        return False
    (offset,) = struct.unpack_from("<I", metadata, header)
    return bool(_place(metadata, header + offset, _COMPRESSION))


def _place(metadata: bytes, table: int, field: int) -> int:
    """The position of a `field` of `table` in a flatbuffer; 0 if it is missing."""
    (back,) = struct.unpack_from("<i", metadata, table)
    vtable = table - back
    (size,) = struct.unpack_from("<H", metadata, vtable)
    entry = 4 + 2 * field
    if entry >= size:
        return 0
    (offset,) = struct.unpack_from("<H", metadata, vtable + entry)
    return table + int(offset) if offset else 0
