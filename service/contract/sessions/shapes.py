"""The shapes that states and news of games in sessions are made of, for the contract."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import Schema

from service.api.schemas.shared import Answered, answer_part, component
from service.rules.variant import Variant

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
COUNT = {"type": "integer", "minimum": 0}
ORDINAL = {"type": "integer", "minimum": 1}
FLAG = {"type": "boolean"}
NUMBERS = {"type": "array", "items": {"type": "integer"}}


def maybe(shape: Mapping[str, Any]) -> dict[str, Any]:
    """`shape` or null."""
    return {**shape, "type": [shape["type"], "null"]}


def by_player(shape: Mapping[str, Any]) -> dict[str, Any]:
    """An object that holds a `shape` for each player."""
    return {"type": "object", "additionalProperties": shape}


@cache
def final_place(variant: Variant[Any]) -> type[Schema]:
    """A place at the end of a game that is won by totals."""
    return answer_part(
        component(variant, "FinalPlace"),
        {
            "place": Answered(ORDINAL),
            "players": Answered(TEXTS),
            "total": Answered(COUNT),
            "reason": Answered(TEXT),
        },
    )
