"""The messages that an Arrow stream consists of, each with metadata and a body.

The format is Arrow's "Encapsulated message format"; the names and numbers are those of Message.fbs
and Schema.fbs.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from flatbuffers import Builder
from flatbuffers import number_types as numbers
from flatbuffers.table import Table

if TYPE_CHECKING:
    from _typeshed import SupportsRead

MAX_METADATA = 1 << 16
"""The most bytes of metadata that a message may have; a schema of hands has about 200."""

END = b"\xff\xff\xff\xff\x00\x00\x00\x00"
"""The end of a stream."""

AFTER_END = "something follows the end of the stream; put all record batches into one stream"
"""Why a stream is refused that others follow: what comes after its end would be lost."""

_CONTINUATION = b"\xff\xff\xff\xff"
"""Begins a message; streams from before Arrow 0.15 don't have it."""

_V4, _V5 = 3, 4
"""The versions of the metadata that are in use. They differ in unions, which no hand has."""

_ALIGNMENT = 8


class Header(IntEnum):
    """What a message holds."""

    SCHEMA = 1
    DICTIONARY = 2
    RECORD_BATCH = 3


class BrokenStream(ValueError):
    """The bytes are not an Arrow stream, or end within one."""


@dataclass(frozen=True)
class Fields:
    """The fields of a table in a flatbuffer, by their number.

    All methods may raise `BrokenStream`.
    """

    table: Table

    def number(self, field: int, flags: type) -> int:
        """A number of the type `flags`, or 0 if the field is missing."""
        place = self._place(field)
        return self._get(flags, place) if place else 0

    def fields(self, field: int) -> Fields | None:
        """A table; None if it is missing."""
        place = self._place(field)
        return self.at(place) if place else None

    def text(self, field: int) -> str:
        """A text, empty if it is missing."""
        start, length = self._vector(field, 1)
        try:
            return bytes(self.table.Bytes[start : start + length]).decode()
        except UnicodeDecodeError:
            raise BrokenStream("a text in its metadata isn't UTF-8") from None

    def tables(self, field: int, most: int) -> list[Fields]:
        """The first tables of a vector, `most` at most."""
        start, length = self._vector(field, 4)
        return [self.at(start + 4 * index) for index in range(min(length, most))]

    def structs(self, field: int, form: str) -> list[tuple[int, ...]]:
        """The structures of a vector, as the module `struct` has `form`."""
        size = struct.calcsize(form)
        start, length = self._vector(field, size)
        return [*struct.iter_unpack(form, self.table.Bytes[start : start + size * length])]

    def at(self, place: int) -> Fields:
        """The table to which the offset at `place` leads."""
        return Fields(Table(self.table.Bytes, self._target(place)))

    def _place(self, field: int) -> int:
        """Where a field is in the flatbuffer; 0 if it is missing."""
        try:
            offset = self.table.Offset(4 + 2 * field)
        except (struct.error, TypeError):  # a place after the end, or before the beginning
            raise _unparsable() from None
        return int(self.table.Pos + offset) if offset else 0

    def _get(self, flags: type, place: int) -> int:
        """The number of the type `flags` at `place`."""
        try:
            return int(self.table.Get(flags, place))
        except (struct.error, TypeError):
            raise _unparsable() from None

    def _target(self, place: int) -> int:
        """Where the offset at `place` leads."""
        target = place + self._get(numbers.UOffsetTFlags, place)
        if target >= len(self.table.Bytes):
            raise _unparsable()
        return target

    def _vector(self, field: int, size: int) -> tuple[int, int]:
        """The start and the length of a vector, whose elements have `size` bytes."""
        place = self._place(field)
        if not place:
            return 0, 0
        vector = self._target(place)
        length = self._get(numbers.UOffsetTFlags, vector)
        if vector + 4 + size * length > len(self.table.Bytes):
            raise _unparsable()
        return vector + 4, length


@dataclass(frozen=True)
class Message:
    """A message: what it holds, the fields of that, and the body."""

    header: int
    fields: Fields
    body: bytes


def read_messages(stream: SupportsRead[bytes]) -> Iterator[Message]:
    """The messages of `stream` up to its end. Raises `BrokenStream`."""
    while metadata := _read_metadata(stream):
        fields = Fields(Table(metadata, 0)).at(0)
        if fields.number(0, numbers.Int16Flags) not in (_V4, _V5):
            raise BrokenStream("its metadata is not of version 4 or 5")
        held, size = fields.fields(2), fields.number(3, numbers.Int64Flags)
        if held is None or size < 0:
            raise _unparsable()
        yield Message(fields.number(1, numbers.Uint8Flags), held, _exactly(stream, size))
    if stream.read(1):
        raise BrokenStream(AFTER_END)


def message(header: Header, fields: Callable[[Builder], int], size: int = 0) -> bytes:
    """The bytes of a message without its body, which has `size` bytes.

    `fields` builds the table of what the message holds.
    """
    builder = Builder(1024)
    table = fields(builder)
    builder.StartObject(5)
    builder.PrependInt16Slot(0, _V5, 0)
    builder.PrependUint8Slot(1, header, 0)
    builder.PrependUOffsetTRelativeSlot(2, table, 0)
    builder.PrependInt64Slot(3, size, 0)
    builder.Finish(builder.EndObject())
    return _framed(bytes(builder.Output()))


def encoded(message: Message) -> bytes:
    """The bytes of a message that was read."""
    return _framed(message.fields.table.Bytes) + message.body


def _framed(metadata: bytes) -> bytes:
    metadata = padded(metadata)
    return _CONTINUATION + struct.pack("<i", len(metadata)) + metadata


def padded(data: bytes) -> bytes:
    """`data`, with zeros up to the next multiple of 8 bytes."""
    return data + bytes(-len(data) % _ALIGNMENT)


def _read_metadata(stream: SupportsRead[bytes]) -> bytes:
    """The metadata of the next message; empty at the end of the stream."""
    prefix = stream.read(4)
    if prefix == _CONTINUATION:
        prefix = _exactly(stream, 4)
    elif not prefix:
        return b""
    elif len(prefix) < 4:
        raise BrokenStream("it ends within a message")
    (size,) = struct.unpack("<i", prefix)
    if not 0 <= size <= MAX_METADATA:
        raise BrokenStream(f"a message has {size} bytes of metadata, not up to {MAX_METADATA}")
    return _exactly(stream, size)


def _exactly(stream: SupportsRead[bytes], size: int) -> bytes:
    """The next `size` bytes."""
    data = stream.read(size) if size else b""
    if len(data) < size:
        raise BrokenStream("it ends within a message")
    return data


def _unparsable() -> BrokenStream:
    return BrokenStream("its metadata can't be parsed")


_DEPTH = 4
"""How deep types are described."""

_INT, _FLOAT, _UTF8, _FIXED_SIZE_LIST = 2, 3, 5, 16
"""The numbers of types, in Schema.fbs."""

_NAMES = {
    1: "null", 4: "binary", _UTF8: "utf8", 6: "bool", 7: "decimal", 8: "date", 9: "time",
    10: "timestamp", 11: "interval", 12: "list", 13: "struct", 14: "union",
    15: "fixed_size_binary", 17: "map", 18: "duration", 19: "large_binary", 20: "large_utf8",
    21: "large_list", 22: "run_end_encoded", 23: "binary_view", 24: "utf8_view", 25: "list_view",
    26: "large_list_view",
}  # fmt: skip
_LISTS = (12, 21, 25, 26)


def fixed_size_list(held: str, size: int) -> str:
    """The description of a type: lists of `size` values of the type `held`."""
    return f"fixed_size_list<{held}>[{size}]"


def type_of(field: Fields, depth: int = _DEPTH) -> str:
    """Describes the type of a column, such as `fixed_size_list<uint8>[5]`."""
    kind, parts = field.number(2, numbers.Uint8Flags), field.fields(3)
    described = _NAMES.get(kind, f"type {kind}")
    if parts is not None and kind == _INT:
        signed = "" if parts.number(1, numbers.BoolFlags) else "u"
        described = f"{signed}int{parts.number(0, numbers.Int32Flags)}"
    elif parts is not None and kind == _FLOAT:
        described = f"float{16 << min(parts.number(0, numbers.Uint16Flags), 2)}"
    elif kind in (*_LISTS, _FIXED_SIZE_LIST):
        children = field.tables(5, 2)
        held = type_of(children[0], depth - 1) if depth and len(children) == 1 else "…"
        described = f"{described}<{held}>"
        if parts is not None and kind == _FIXED_SIZE_LIST:
            described = fixed_size_list(held, parts.number(0, numbers.Int32Flags))
    return f"dictionary<{described}>" if field.fields(4) is not None else described


def build_schema(
    builder: Builder,
    columns: Sequence[tuple[str, int, int | None]],
    repeated: Sequence[Fields] = (),
) -> int:
    """Builds a schema of the fields `repeated` from another one, and of `columns`, none of which
    has nulls.

    Each has a name, and the bits of its signed whole numbers. A column with the number of a
    dictionary (or else None) holds text: its numbers are places in that dictionary.
    """
    fields = _embed(builder, repeated)
    fields += [_build_field(builder, *column) for column in columns]
    builder.StartVector(4, len(fields), 4)
    for field in reversed(fields):
        builder.PrependUOffsetTRelative(field)
    vector = builder.EndVector()
    builder.StartObject(4)
    builder.PrependUOffsetTRelativeSlot(1, vector, 0)
    return int(builder.EndObject())


def _embed(builder: Builder, repeated: Sequence[Fields]) -> list[int]:
    """Adds all of the flatbuffer with the tables `repeated`; returns where these are then.

    Offsets in a flatbuffer are relative, so it can be part of another one, at a place as aligned.
    """
    if not repeated:
        return []
    whole = repeated[0].table.Bytes
    builder.Prep(_ALIGNMENT, len(whole))
    builder.head -= len(whole)
    builder.Bytes[builder.head : builder.head + len(whole)] = whole
    return [int(builder.Offset()) - each.table.Pos for each in repeated]


def _build_field(builder: Builder, name: str, bits: int, dictionary: int | None) -> int:
    text = builder.CreateString(name)
    builder.StartObject(2)
    builder.PrependInt32Slot(0, bits, 0)
    builder.PrependBoolSlot(1, True, False)
    whole = builder.EndObject()
    if dictionary is None:
        kind, of_kind, encoding = _INT, whole, 0
    else:
        builder.StartObject(4)
        builder.PrependInt64Slot(0, dictionary, 0)
        builder.PrependUOffsetTRelativeSlot(1, whole, 0)
        encoding = builder.EndObject()
        builder.StartObject(0)
        kind, of_kind = _UTF8, builder.EndObject()
    builder.StartVector(4, 0, 4)
    children = builder.EndVector()
    builder.StartObject(7)
    builder.PrependUOffsetTRelativeSlot(0, text, 0)
    builder.PrependUint8Slot(2, kind, 0)
    builder.PrependUOffsetTRelativeSlot(3, of_kind, 0)
    builder.PrependUOffsetTRelativeSlot(4, encoding, 0)
    builder.PrependUOffsetTRelativeSlot(5, children, 0)
    return int(builder.EndObject())
