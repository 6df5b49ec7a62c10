"""The bounds of values in legal actions: JSON Schemas, which have schemas of their own in the
contract.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from service.api.schemas.layout import own_lines_schema, own_lines_shape
from service.api.schemas.shapes import (
    COUNT,
    FLAG,
    INTEGER,
    NUMBERS,
    TEXT,
    TEXTS,
    Shape,
    about,
    list_of,
    named_enum,
    one_of,
    optional,
    or_null,
    record,
    reference,
)
from service.engine.parameters import Bound, Keep, OneOf, Whole
from service.kinds.layout.card_roll import OwnLines


class Bounds(NamedTuple):
    """What a class of bounds is in a legal action."""

    write: Callable[[Any], Shape]
    """The JSON Schema of a value within the bounds; a value with a `default` is optional."""

    shape: Shape
    """The schema of that JSON Schema."""


def _whole_schema(bound: Whole) -> Shape:
    schema = {"type": "integer", "minimum": bound.minimum, "maximum": bound.maximum}
    return {**schema, "multipleOf": bound.step} if bound.step > 1 else schema


def _one_of_schema(bound: OneOf) -> Shape:
    return {"type": "string", "enum": bound.words}


def _keep_schema(bound: Keep) -> Shape:
    """The dice to keep, none by default."""
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": bound.count - 1},
        "maxItems": bound.count - 1,
        "uniqueItems": True,
        "default": [],
    }


def _typed(name: str, word: str) -> Shape:
    """The `type` of the schema `name`, which is always `word`.

    It is a component because Swift has a type `Type` of its own.
    """
    return named_enum(f"{name}Type", [word])


NUMBER_BOUNDS = record(
    "NumberBounds",
    {
        "type": _typed("NumberBounds", "integer"),
        "minimum": optional(INTEGER),
        "maximum": optional(INTEGER),
        "multipleOf": optional(INTEGER),
        "enum": optional(NUMBERS),
    },
)
WORD_BOUNDS = record("WordBounds", {"type": _typed("WordBounds", "string"), "enum": TEXTS})
LIST_BOUNDS = record(
    "ListBounds",
    {
        "type": _typed("ListBounds", "array"),
        "items": reference("Bounds"),
        "minItems": optional(COUNT),
        "maxItems": COUNT,
        "uniqueItems": optional(FLAG),
        "default": optional(NUMBERS),
    },
)

ANY_BOUNDS = one_of(
    "type", {"integer": "NumberBounds", "string": "WordBounds", "array": "ListBounds"}
)
"""Any of these bounds, as the component `Bounds`."""

OWN_LAYOUT = or_null(list_of(record("LineToLay", own_lines_shape(), additionalProperties=False)))
"""The lines of a player's own layout, null for the best one."""

_POSITION_BOUNDS = record(
    "PositionBounds",
    {
        "type": TEXTS,
        "minimum": optional(INTEGER),
        "maximum": optional(INTEGER),
        "enum": optional(list_of(or_null(TEXT))),
    },
)
_LINE_BOUNDS = record(
    "LineBounds",
    {
        "type": TEXT,
        "properties": record(
            "LineProperties",
            {
                "dice": LIST_BOUNDS,
                **dict.fromkeys(("direction", "row", "column"), _POSITION_BOUNDS),
            },
        ),
        "required": TEXTS,
    },
)
_LAYOUT_BOUNDS = record(
    "LayoutBounds",
    {"type": TEXTS, "items": _LINE_BOUNDS, "maxItems": COUNT, "default": OWN_LAYOUT},
)

BOUNDS: Mapping[type[Bound], Bounds] = {
    Whole: Bounds(_whole_schema, NUMBER_BOUNDS),
    OneOf: Bounds(_one_of_schema, WORD_BOUNDS),
    Keep: Bounds(_keep_schema, LIST_BOUNDS),
    OwnLines: Bounds(
        own_lines_schema,
        about(
            _LAYOUT_BOUNDS,
            "Lines, or null: `type` has two words, so these bounds are none of `Bounds`.",
        ),
    ),
}
"""The bounds of all values, by class."""
