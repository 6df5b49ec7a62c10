"""The fields of requests for layouts, and the JSON Schema of their lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from marshmallow import Schema

from service.api.schemas.component import component
from service.api.schemas.enums import DIRECTION, card
from service.api.schemas.fields import Objects, StrictField, whole, word
from service.api.schemas.shared import RequestSchema
from service.kinds.layout.card_roll import OwnLines
from service.kinds.layout.cards import Turn
from service.kinds.layout.own_layout import (
    DIRECTIONS,
    FURTHEST,
    OwnLine,
    most_lines,
    read_die_numbers,
)
from service.kinds.layout.variant import Layout


def rolls(variant: Layout, *, least: int = 1, **kwargs: Any) -> StrictField:
    """A turn with cards: its rolls, parsed into a `Turn`. With `least` 0, no rolls are None."""
    count = variant.dice.count
    empty = "" if least else " Empty before the first roll."
    json_schema = {
        "type": "array",
        "items": {"type": "array", "items": card(variant), "maxItems": count},
        "minItems": least,
        "maxItems": variant.rolls,
        "description": f"The first roll has all {count} dice. Each further roll has a face for "
        f"every blank of the previous roll. A face is {variant.dice.how_written}.{empty}",
    }

    def read(value: object) -> Turn | None:
        none = not least and isinstance(value, list | tuple) and not value
        return None if none else variant.read_rolls(value, least)

    return StrictField(read, json_schema, **kwargs)


def die_numbers(count: int, **kwargs: Any) -> StrictField:
    """Two or more different dice by their numbers, parsed into a tuple."""
    json_schema = {
        **die_numbers_schema(count),
        "description": "Different dice by their index in the first roll, in the order they lie.",
    }
    return StrictField(lambda value: read_die_numbers(value, count), json_schema, **kwargs)


_IF_PLACED = "Required unless `max_uses` is above 2; then it is ignored."
_OF_FIRST_DIE = {"description": f"The position of the first die. {_IF_PLACED}"}

_POSITION = {
    "direction": word(DIRECTION, nullable=True, metadata={"description": _IF_PLACED}),
    "row": whole(-FURTHEST, FURTHEST, nullable=True, metadata=_OF_FIRST_DIE),
    "column": whole(-FURTHEST, FURTHEST, nullable=True, metadata=_OF_FIRST_DIE),
}
"""Where a line lies: all fields of a line but its dice."""


@cache
def line(variant: Layout) -> type[Schema]:
    """One line of a layout in a request."""
    dice = die_numbers(variant.dice.count, required=True)
    return RequestSchema.from_dict({"dice": dice, **_POSITION}, name=component(variant, "Line"))


def own_layout(variant: Layout, description: str, **kwargs: Any) -> Objects:
    """A player's own layout in a request."""
    most = most_lines(variant.dice.count, variant.most_uses)
    metadata = {"description": description}
    return Objects(line(variant), most, "lines", metadata=metadata, **kwargs)


def own_lines(layout: Iterable[Mapping[str, Any]]) -> list[OwnLine]:
    """The parsed lines of `own_layout`."""
    return [OwnLine(**line) for line in layout]


def die_numbers_schema(count: int) -> dict[str, Any]:
    """The JSON Schema of the dice of a line, of `count` dice in all.

    It leaves out that they differ: generators make `uniqueItems` a set, which has no order.
    """
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": count - 1},
        "minItems": 2,
        "maxItems": count,
    }


def own_lines_schema(bound: OwnLines) -> dict[str, Any]:
    """The JSON Schema of a player's own lines within `bound`, or null, the default.

    It leaves out `additionalProperties`: generated clients have fields of that name themselves.
    """
    direction = {"type": ["string", "null"], "enum": [*DIRECTIONS, None]}
    dice = {**die_numbers_schema(bound.dice), "uniqueItems": True}
    return {
        "type": ["array", "null"],
        "items": line_schema(dice, direction),
        "maxItems": bound.most,
        "default": None,
    }


def line_schema(dice: Mapping[str, Any], direction: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a player's own line, with those of its `dice` and `direction`."""
    return {
        "type": "object",
        "properties": {
            "dice": dice,
            **{name: field.json_schema for name, field in _POSITION.items()},
            "direction": direction,
        },
        "required": ["dice"],
    }
