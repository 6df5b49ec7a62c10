"""The fields of requests for layouts, and the JSON Schema of their lines."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields

from service.api.schemas.fields import MESSAGES, Object, StrictField
from service.kinds.layout.read_lines import DIRECTIONS, FURTHEST, read_die_numbers
from service.kinds.layout.variant import Layout


def rolls(variant: Layout, **kwargs: Any) -> StrictField:
    """A turn with cards: its rolls, read as a `Turn`."""
    count = variant.dice.count
    face = {"type": "string", "enum": [*variant.dice.faces_written]}
    json_schema = {
        "type": "array",
        "prefixItems": [{"type": "array", "items": face, "minItems": count, "maxItems": count}],
        "items": {"type": "array", "items": face, "maxItems": count},
        "minItems": 1,
        "maxItems": variant.rolls,
        "description": f"First all {count} dice, then as many faces as the roll before showed "
        f"blanks. A face is {variant.dice.how_written}.",
    }
    return StrictField(variant.read_rolls, json_schema, **kwargs)


def die_numbers(count: int, **kwargs: Any) -> StrictField:
    """Two or more different dice by their numbers, read as a tuple."""
    json_schema = {
        **die_numbers_schema(count),
        "description": "Dice by their number in the first roll, as they lie.",
    }
    return StrictField(lambda value: read_die_numbers(value, count), json_schema, **kwargs)


class Lines(fields.List[dict[str, Any]]):
    """The lines of a layout, of one schema, up to `most` of them."""

    default_error_messages = MESSAGES

    def __init__(self, line: type[Schema], most: int, **kwargs: Any) -> None:
        super().__init__(Object(line), **kwargs)
        self._most = most
        self.json_schema = {"maxItems": most}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > self._most:
            raise ValidationError(f"must be a list of up to {self._most} lines")
        return super()._deserialize(value, *args, **kwargs)


def die_numbers_schema(count: int) -> dict[str, Any]:
    """The dice of a line as JSON Schema."""
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": count - 1},
        "minItems": 2,
        "maxItems": count,
        "uniqueItems": True,
    }


def lines_schema(dice: int, most: int) -> dict[str, Any]:
    """Up to `most` lines of `dice` dice as JSON Schema."""
    place = {"type": ["integer", "null"], "minimum": -FURTHEST, "maximum": FURTHEST}
    return {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "dice": die_numbers_schema(dice),
                "direction": {"type": ["string", "null"], "enum": [*DIRECTIONS, None]},
                "row": place,
                "column": place,
            },
            "required": ["dice"],
            "additionalProperties": False,
        },
        "maxItems": most,
    }
