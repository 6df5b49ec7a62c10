"""Reads hands from an Arrow stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from flatbuffers import number_types as numbers
from numpy.typing import NDArray

from service.batch.arrow.further import MAX_FIELDS, MAX_NAME, Beside, Further
from service.batch.arrow.messages import (
    BrokenStream,
    Header,
    Message,
    encoded,
    fixed_size_list,
    read_messages,
    type_of,
)
from service.batch.outcomes import MAX_REPORTED, Hands, Outcomes
from service.rules.breaches import Breach
from service.rules.dice import Dice
from service.rules.violations import InvalidInput, Violation

if TYPE_CHECKING:
    from _typeshed import SupportsRead

COLUMN = "dice"
"""The column that holds the hands."""

_BAD = 255
"""Stands for a face that the dice don't have."""


class HandStream:
    """The hands in the Arrow stream `stream`, for `outcomes`.

    The stream must have a column `dice`: a fixed-size list of one of the possible sizes, of utf8 if
    the faces of the dice have names, else of uint8. `further` are its other columns. Raises
    `BrokenStream` for another format, and `InvalidInput` for another type of the column, and for
    another column that can't be repeated beside the answers.
    """

    def __init__(self, stream: SupportsRead[bytes], outcomes: Outcomes) -> None:
        self._dice = outcomes.dice
        self._messages = read_messages(stream)
        self._size, self.further = _schema(next(self._messages, None), outcomes)

    def batches(self) -> Iterator[tuple[Hands, Beside]]:
        """The hands of each record batch, of shape (hands, dice), and what is beside them; no hands
        for a dictionary of the further columns.

        Raises `BrokenStream` for a stream that ends within a batch, and `InvalidInput` for nulls,
        or compressed batches.
        """
        first = 0
        for message in self._messages:
            if message.header == Header.DICTIONARY and self.further.fields:
                yield np.empty((0, self._size), np.uint8), Beside(dictionary=encoded(message))
                continue
            if message.header != Header.RECORD_BATCH:
                raise BrokenStream("it holds something else where a record batch should be")
            if message.fields.fields(3) is not None:
                raise InvalidInput(Violation((COLUMN,), Breach.COMPRESSED()))
            nodes, buffers, beside = self.further.split(message)
            hands = _hands(_Batch(message, nodes, buffers), self._dice, self._size, first)
            yield hands, beside
            first += len(hands)


def _schema(message: Message | None, outcomes: Outcomes) -> tuple[int, Further]:
    """The number of dice in a hand, and the further columns. Raises `InvalidInput` for a schema
    that has no hands.
    """
    if message is None or message.header != Header.SCHEMA:
        raise BrokenStream("it doesn't begin with a schema")
    if message.fields.number(0, numbers.Int16Flags) == 1:
        raise BrokenStream("its numbers are big-endian")
    held = "utf8" if _named(outcomes.dice) else "uint8"
    wanted = [fixed_size_list(held, size) for size in outcomes.sizes]
    columns = message.fields.tables(1, MAX_FIELDS + 1)
    if len(columns) > MAX_FIELDS:
        raise InvalidInput(Violation((), Breach.TOO_MANY_COLUMNS(maximum=MAX_FIELDS)))
    names = [column.text(0)[:MAX_NAME] for column in columns]
    if names.count(COLUMN) != 1:
        present = names[:MAX_REPORTED]
        detail = Breach.WRONG_COLUMNS(allowed=wanted, present=present)
        raise InvalidInput(Violation((), detail))
    place = names.index(COLUMN)
    kind = type_of(columns[place])
    for size in outcomes.sizes:
        if kind == fixed_size_list(held, size):
            answers = [column.name for column in outcomes.columns]
            return size, Further.of(columns, place, answers)
    raise InvalidInput(Violation((COLUMN,), Breach.WRONG_TYPE(allowed=wanted, type=kind)))


def _named(dice: Dice) -> bool:
    """Whether dice are names of faces; suited dice are always codes."""
    return bool(dice.names) and not dice.suits


def _hands(batch: _Batch, dice: Dice, size: int, first: int) -> Hands:
    """The hands of a record batch. Before it, the stream had `first` hands."""
    rows = batch.values(size)
    if batch.may_have_nulls and (nulls := _nulls(batch, rows, size, first)):
        raise InvalidInput(*nulls)
    values = batch.names(dice, rows * size) if _named(dice) else batch.numbers(rows * size)
    return values.reshape(rows, size)


class _Batch:
    """The column of lists in a record batch, by its nodes and buffers.

    `may_have_nulls` says whether any of the hands or dice may be null. All methods raise
    `BrokenStream` if the batch doesn't have what its metadata says.
    """

    def __init__(
        self, message: Message, nodes: Sequence[tuple[int, ...]], buffers: Sequence[tuple[int, ...]]
    ) -> None:
        self._rows = message.fields.number(0, numbers.Int64Flags)
        self._nodes, self._buffers = nodes, buffers
        self._body = message.body
        self.may_have_nulls = any(nulls for _, nulls in self._nodes)

    def values(self, size: int) -> int:
        """How many rows of `size` values there are, as all parts of the metadata agree."""
        lengths = [length for length, _ in self._nodes]
        # each value has a byte at least, so this also bounds what a bitmap can make
        if lengths != [self._rows, self._rows * size] or not 0 <= lengths[1] <= len(self._body):
            raise BrokenStream("a record batch has another number of dice than it says")
        return self._rows

    def valid(self, level: int, count: int) -> NDArray[np.bool_]:
        """Which of the `count` hands (level 0) or dice (level 1) aren't null."""
        if not self._nodes[level][1]:
            return np.ones(count, bool)
        bits = self._buffer(level, np.dtype(np.uint8), (count + 7) // 8)
        return np.unpackbits(bits, count=count, bitorder="little").astype(bool)

    def numbers(self, count: int) -> NDArray[np.uint8]:
        """The values, whole numbers."""
        return self._buffer(2, np.dtype(np.uint8), count)

    def names(self, dice: Dice, count: int) -> NDArray[np.uint8]:
        """The values, names of faces, as their numbers; 255 for other names."""
        found = np.full(count, _BAD, np.uint8)
        if not count:
            return found
        offsets = self._buffer(2, np.dtype("<i4"), count + 1)
        data = self._buffer(3, np.dtype(np.uint8))
        starts, lengths = offsets[:-1].astype(np.intp), np.diff(offsets.astype(np.int64))
        if offsets[0] < 0 or (lengths < 0).any() or offsets[-1] > len(data):
            raise BrokenStream("a record batch has text where it has no bytes")
        for number, name in enumerate(dice.written_faces, start=1):
            written = np.frombuffer(str(name).encode(), np.uint8)
            (places,) = np.nonzero(lengths == len(written))
            for index, byte in enumerate(written.tolist()):
                places = places[data[starts[places] + index] == byte]
            found[places] = number
        return found

    def _buffer(self, place: int, kind: np.dtype[Any], count: int = -1) -> NDArray[Any]:
        """The first `count` numbers in a buffer of the body, all that are whole if negative."""
        if place >= len(self._buffers):
            raise BrokenStream("a record batch has too few buffers")
        start, length = self._buffers[place]
        if count < 0:
            count = max(length, 0) // kind.itemsize
        if not (start >= 0 and count * kind.itemsize <= length <= len(self._body) - start):
            raise BrokenStream("a record batch has a buffer where it has no bytes")
        return np.frombuffer(self._body, kind, count, start) if count else np.empty(0, kind)


def _nulls(batch: _Batch, rows: int, size: int, first: int) -> list[Violation]:
    """A violation for each of the first rows that are null or hold one."""
    whole = batch.valid(0, rows) & batch.valid(1, rows * size).reshape(rows, size).all(axis=1)
    found = np.flatnonzero(~whole)[:MAX_REPORTED].tolist()
    return [Violation((COLUMN, first + row), Breach.HOLDS_NULLS()) for row in found]
