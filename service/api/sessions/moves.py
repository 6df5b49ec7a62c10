"""Legal moves as clients see them: actions, with bounds as JSON Schema in place of their values."""

from __future__ import annotations

from functools import cache
from typing import Any

from service.api.schemas.bounds import BOUNDS
from service.api.schemas.shapes import JsonSchema
from service.engine.chance import RollOf
from service.engine.game import Move
from service.engine.parameters import Bound


def move_json(move: Move, *, typed_dice: bool) -> dict[str, Any]:
    """`move` with the bounds of each of its values, and of its dice if they are typed in."""
    legal: dict[str, Any] = {"action": move.action, "player": move.player}
    for name, bound in move.values.items():
        legal[name] = bound_schema(bound)
    if typed_dice and move.dice is not None:
        legal["dice"] = roll_schema(move.dice)
    return legal


def bound_schema(bound: Bound) -> JsonSchema:
    """The JSON Schema of a value within `bound`; a value with a `default` is optional."""
    return BOUNDS[type(bound)].write(bound)


@cache
def roll_schema(roll: RollOf) -> JsonSchema:
    """The JSON Schema of the dice that may be typed in for `roll`."""
    faces = roll.faces
    if isinstance(faces, range):
        face: JsonSchema = {"type": "integer", "minimum": faces[0], "maximum": faces[-1]}
    else:
        face = {"type": "string" if isinstance(faces[0], str) else "integer", "enum": [*faces]}
    return {"type": "array", "items": face, "minItems": roll.count, "maxItems": roll.count}
