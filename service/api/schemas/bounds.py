"""The bounds of values in legal actions: JSON Schemas, which have schemas of their own in the
contract.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from service.api.schemas import shapes
from service.api.schemas.layout import POSITION_SHAPES, die_numbers_schema
from service.api.schemas.serializers import Serializer
from service.api.schemas.shapes import Field, JsonSchema, Shape
from service.engine.parameters import Bound, Keep, OneOf, Points, Whole
from service.kinds.layout.own_layout import DIRECTIONS
from service.kinds.layout.state import OwnLines


def _typed(name: str, word: str) -> Field[Any]:
    """The `type` of the schema `name`, which is always `word`.

    It is a component because Swift has a type `Type` of its own.
    """
    return shapes.named_enum(f"{name}Type", [word]).of(lambda _: word)


def _never(_: object) -> None:
    """The value of a field that only other bounds of the component have."""


_NUMBER = Serializer[Whole | Points](
    "NumberBounds",
    {
        "type": _typed("NumberBounds", "integer"),
        "minimum": shapes.INTEGER.optional(),
        "maximum": shapes.INTEGER.optional(),
        "multipleOf": shapes.INTEGER.optional().of(
            lambda bound: bound.step if bound.step > 1 else None
        ),
        "enum": shapes.NUMBERS.optional().of(_never),
    },
)
_WORD = Serializer[OneOf](
    "WordBounds", {"type": _typed("WordBounds", "string"), "enum": shapes.TEXTS.of("words")}
)
_KEEP = Serializer[Keep](
    "ListBounds",
    {
        "type": _typed("ListBounds", "array"),
        "items": shapes.reference("Bounds").of(
            lambda keep: {"type": "integer", "minimum": 0, "maximum": keep.count - 1}
        ),
        "minItems": shapes.COUNT.optional().of(_never),
        "maxItems": shapes.COUNT.of(lambda keep: keep.count - 1),
        "uniqueItems": shapes.FLAG.optional().of(lambda _: True),
        "default": shapes.NUMBERS.optional().of(lambda _: []),
        "const": shapes.NUMBERS.optional("What a computer keeps.").of(_never),
    },
)

LIST_BOUNDS = _KEEP.schema
"""The bounds of a list: dice to keep, none by default, or dice to type in."""

ANY_BOUNDS = [
    _NUMBER.schema,
    _WORD.schema,
    _KEEP.schema,
    shapes.one_of(
        "Bounds", "type", {"integer": "NumberBounds", "string": "WordBounds", "array": "ListBounds"}
    ),
]
"""The component `Bounds`, any of these bounds, after those that it refers to."""

OWN_LAYOUT = shapes.list_of(
    shapes.record(
        "LineToLay",
        {
            "dice": shapes.list_of(shapes.COUNT),
            **{name: shape.optional() for name, shape in POSITION_SHAPES.items()},
        },
        additionalProperties=False,
    )
).or_null()
"""The lines of a player's own layout, null for the best one."""


def _own_lines_schema(bound: OwnLines) -> JsonSchema:
    """The JSON Schema of a player's own lines within `bound`, or null, the default.

    It leaves out `additionalProperties`: generated clients have fields of that name themselves.
    """
    direction = {"type": ["string", "null"], "enum": [*DIRECTIONS, None]}
    dice = {**die_numbers_schema(bound.dice), "uniqueItems": True}
    line = {
        "type": "object",
        "properties": {"dice": dice, **POSITION_SHAPES, "direction": direction},
        "required": ["dice"],
    }
    return {"type": ["array", "null"], "items": line, "maxItems": bound.most, "default": None}


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


class Bounds(NamedTuple):
    """What a class of bounds is in a legal action."""

    write: Callable[[Any], JsonSchema]
    """The JSON Schema of a value within the bounds; a value with a `default` is optional."""

    shape: Shape
    """The schema of that JSON Schema."""


BOUNDS: Mapping[type[Bound], Bounds] = {
    Whole: Bounds(_NUMBER.write, _NUMBER.schema),
    Points: Bounds(_NUMBER.write, _NUMBER.schema),
    OneOf: Bounds(_WORD.write, _WORD.schema),
    Keep: Bounds(_KEEP.write, _KEEP.schema),
    OwnLines: Bounds(
        _own_lines_schema, _LAYOUT_BOUNDS("`type` has two words, so these are none of `Bounds`.")
    ),
}
"""The bounds of all values, by class."""
