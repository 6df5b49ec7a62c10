"""The bounds of values in legal actions: JSON Schemas, which have schemas of their own in the
contract.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from service.api.schemas import shapes
from service.api.schemas.layout import own_lines_schema, own_lines_shape
from service.api.schemas.shapes import JsonSchema, Shape
from service.engine.parameters import Bound, Keep, OneOf, Whole
from service.kinds.layout.state import OwnLines


class Bounds(NamedTuple):
    """What a class of bounds is in a legal action."""

    write: Callable[[Any], JsonSchema]
    """The JSON Schema of a value within the bounds; a value with a `default` is optional."""

    shape: Shape
    """The schema of that JSON Schema."""


def _whole_schema(bound: Whole) -> JsonSchema:
    schema = {"type": "integer", "minimum": bound.minimum, "maximum": bound.maximum}
    return {**schema, "multipleOf": bound.step} if bound.step > 1 else schema


def _one_of_schema(bound: OneOf) -> JsonSchema:
    return {"type": "string", "enum": bound.words}


def _keep_schema(bound: Keep) -> JsonSchema:
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
    return shapes.named_enum(f"{name}Type", [word])


NUMBER_BOUNDS = shapes.record(
    "NumberBounds",
    {
        "type": _typed("NumberBounds", "integer"),
        "minimum": shapes.INTEGER.optional(),
        "maximum": shapes.INTEGER.optional(),
        "multipleOf": shapes.INTEGER.optional(),
        "enum": shapes.NUMBERS.optional(),
    },
)
WORD_BOUNDS = shapes.record(
    "WordBounds", {"type": _typed("WordBounds", "string"), "enum": shapes.TEXTS}
)
LIST_BOUNDS = shapes.record(
    "ListBounds",
    {
        "type": _typed("ListBounds", "array"),
        "items": shapes.reference("Bounds"),
        "minItems": shapes.COUNT.optional(),
        "maxItems": shapes.COUNT,
        "uniqueItems": shapes.FLAG.optional(),
        "default": shapes.NUMBERS.optional(),
    },
)

ANY_BOUNDS = shapes.one_of(
    "Bounds", "type", {"integer": "NumberBounds", "string": "WordBounds", "array": "ListBounds"}
)
"""Any of these bounds, as the component `Bounds`."""

OWN_LAYOUT = shapes.list_of(
    shapes.record("LineToLay", own_lines_shape(), additionalProperties=False)
).or_null()
"""The lines of a player's own layout, null for the best one."""

_POSITION_BOUNDS = shapes.record(
    "PositionBounds",
    {
        "type": shapes.TEXTS,
        "minimum": shapes.INTEGER.optional(),
        "maximum": shapes.INTEGER.optional(),
        "enum": shapes.list_of(shapes.TEXT.or_null()).optional(),
    },
)
_LINE_BOUNDS = shapes.record(
    "LineBounds",
    {
        "type": shapes.TEXT,
        "properties": shapes.record(
            "LineProperties",
            {
                "dice": LIST_BOUNDS,
                **dict.fromkeys(("direction", "row", "column"), _POSITION_BOUNDS),
            },
        ),
        "required": shapes.TEXTS,
    },
)
_LAYOUT_BOUNDS = shapes.record(
    "LayoutBounds",
    {"type": shapes.TEXTS, "items": _LINE_BOUNDS, "maxItems": shapes.COUNT, "default": OWN_LAYOUT},
)

BOUNDS: Mapping[type[Bound], Bounds] = {
    Whole: Bounds(_whole_schema, NUMBER_BOUNDS),
    OneOf: Bounds(_one_of_schema, WORD_BOUNDS),
    Keep: Bounds(_keep_schema, LIST_BOUNDS),
    OwnLines: Bounds(
        own_lines_schema,
        _LAYOUT_BOUNDS(
            "Lines, or null: `type` has two words, so these bounds are none of `Bounds`."
        ),
    ),
}
"""The bounds of all values, by class."""
