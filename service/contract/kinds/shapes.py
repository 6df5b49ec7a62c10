"""The schemas that actions, states and news of several kinds share, for the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.component import component_of_kind
from service.api.schemas.enums import Enum, named_enum
from service.api.schemas.shared import AnswerField, Fields, answer_part, nested
from service.rules.variant import Variant

Shape = Mapping[str, Any]
"""A JSON Schema."""

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
COUNT = {"type": "integer", "minimum": 0}
ORDINAL = {"type": "integer", "minimum": 1}
INTEGER = {"type": "integer"}
FLAG = {"type": "boolean"}
NUMBERS = {"type": "array", "items": INTEGER}
CHIPS = ORDINAL
KEPT_DICE: Shape = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0},
    "uniqueItems": True,
}
"""The dice that a roll keeps, by their indexes."""


def several(shape: Shape) -> dict[str, Any]:
    """A list of `shape`."""
    return {"type": "array", "items": shape}


def only(name: str, word: str) -> Enum:
    """The `type` of the schema `name`, which is always `word`.

    It is a component because Swift has a type `Type` of its own.
    """
    return named_enum(f"{name}Type", [word])


def by_player(shape: Mapping[str, Any]) -> dict[str, Any]:
    """An object with a `shape` for each player."""
    return {"type": "object", "additionalProperties": shape}


def optional(shape: Mapping[str, Any], description: str = "") -> AnswerField:
    """A field that only some entries have."""
    return AnswerField(shape, description, required=False)


def keyed(part: type[Schema], description: str) -> fields.Dict:
    """An object in a response, with a `part` for each player."""
    metadata = {"description": description}
    return fields.Dict(keys=fields.String(), values=nested(part), required=True, metadata=metadata)


def news_entry(variant: Variant[Any], *what: str, **own: fields.Field[Any]) -> Fields:
    """The fields of entries in the news: `what` happened, to whom, why, and its details."""
    return {
        "what": AnswerField(named_enum(component_of_kind(variant, "NewsWhat"), what)),
        "player": optional(TEXT),
        "reason": AnswerField(TEXT),
        "winners": optional(TEXTS, "Present once the game is over."),
        **own,
    }


def throws() -> Fields:
    """The throws that decide who begins."""
    return {
        "throws": AnswerField(
            by_player({"type": "array", "items": NUMBERS}),
            "Each player's throws while the starting player is being decided.",
            required=False,
        ),
        "order": AnswerField(
            TEXTS,
            "The players in the order of their turns; present once the starting player is known.",
            required=False,
        ),
    }


FINAL_PLACE = answer_part(
    "FinalPlace",
    {
        "place": AnswerField(ORDINAL),
        "players": AnswerField(TEXTS),
        "total": AnswerField(COUNT),
        "reason": AnswerField(TEXT),
    },
)
"""A place at the end of a game that totals decide."""
