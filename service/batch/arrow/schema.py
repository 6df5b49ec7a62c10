"""The schema of a stream: the columns that it has, and their types."""

from __future__ import annotations

from collections.abc import Sequence

from flatbuffers import Builder
from flatbuffers import number_types as numbers

from service.batch.arrow.messages import Fields

MAX_NAME = 100
"""How much of the name of a column is read."""

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


def name_of(field: Fields) -> str:
    """The name of a column, or its beginning."""
    return field.text(0)[:MAX_NAME]


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


def columns_of(schema: Fields, most: int) -> list[Fields]:
    """The first columns of a schema, `most` at most."""
    return schema.tables(1, most)


def is_big_endian(schema: Fields) -> bool:
    """Whether the numbers of the stream begin with the most significant byte."""
    return schema.number(0, numbers.Int16Flags) == 1


def build_schema(builder: Builder, columns: Sequence[tuple[str, int, int | None]]) -> int:
    """Builds a schema of `columns`, none of which has nulls.

    Each has a name, and the bits of its signed whole numbers. A column with the number of a
    dictionary (or else None) holds text: its numbers are places in that dictionary.
    """
    fields = [_build_field(builder, *column) for column in columns]
    builder.StartVector(4, len(fields), 4)
    for field in reversed(fields):
        builder.PrependUOffsetTRelative(field)
    vector = builder.EndVector()
    builder.StartObject(4)
    builder.PrependUOffsetTRelativeSlot(1, vector, 0)
    return int(builder.EndObject())


def _build_field(builder: Builder, name: str, bits: int, dictionary: int | None) -> int:
    text = builder.CreateString(name)
    whole = _build_int(builder, bits)
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


def _build_int(builder: Builder, bits: int) -> int:
    builder.StartObject(2)
    builder.PrependInt32Slot(0, bits, 0)
    builder.PrependBoolSlot(1, True, False)
    return int(builder.EndObject())
