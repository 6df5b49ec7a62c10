"""Legal moves as clients see them: actions, with bounds as JSON Schema in place of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from service.api.schemas.layout import lines_schema
from service.engine.chance import RollOf
from service.engine.game import Move
from service.engine.parameters import Bound, Keep, OneOf, Whole
from service.kinds.layout.card_roll import OwnLines

JsonSchema = Mapping[str, Any]


def move_json(move: Move, *, typed_dice: bool) -> dict[str, Any]:
    """`move` with the bounds of each of its values, and of its dice if they are typed in."""
    found: dict[str, Any] = {"action": move.action, "player": move.player}
    for name, bound in move.values.items():
        found[name] = bound_schema(bound)
    if typed_dice and move.dice is not None:
        found["dice"] = roll_schema(move.dice)
    return found


def bound_schema(bound: Bound) -> JsonSchema:
    """What a value may be; one with a `default` may be left out."""
    return SCHEMAS[type(bound)](bound)


@cache
def roll_schema(roll: RollOf) -> JsonSchema:
    """What dice may be typed in for `roll`."""
    faces = roll.faces
    if isinstance(faces, range):
        face: JsonSchema = {"type": "integer", "minimum": faces[0], "maximum": faces[-1]}
    else:
        face = {"type": "string" if isinstance(faces[0], str) else "integer", "enum": [*faces]}
    return {"type": "array", "items": face, "minItems": roll.count, "maxItems": roll.count}


def _whole(bound: Whole) -> JsonSchema:
    schema = {"type": "integer", "minimum": bound.minimum, "maximum": bound.maximum}
    return {**schema, "multipleOf": bound.step} if bound.step > 1 else schema


def _one_of(bound: OneOf) -> JsonSchema:
    return {"type": "string", "enum": bound.words}


def _keep(bound: Keep) -> JsonSchema:
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": bound.count - 1},
        "maxItems": bound.count - 1,
        "uniqueItems": True,
        "default": [],
    }


def _own_lines(bound: OwnLines) -> JsonSchema:
    return {
        **lines_schema(bound.dice, bound.most),
        "type": ["array", "null"],
        "default": None,
    }


SCHEMAS: Mapping[type[Bound], Callable[[Any], JsonSchema]] = {
    Whole: _whole,
    OneOf: _one_of,
    Keep: _keep,
    OwnLines: _own_lines,
}
"""The JSON Schema of the bounds of a value, by their class."""
