"""The schemas of batches in JSON: hands in, columns out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema

from service.api.operations.ranking import rank_field
from service.api.schemas.fields import StrictField
from service.api.schemas.shared import (
    Answered,
    BodySchema,
    Fields,
    answer_part,
    answer_schema,
    component,
    nested,
    request_schema,
)
from service.kinds.columnar import Columnar, hand_sizes
from service.kinds.community.variant import CommunityRanking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.violations import InvalidInput, Violation


def request(variant: Columnar, most: int) -> BodySchema:
    """A batch: up to `most` hands, and the house rules for all of them.

    The hands themselves are read on their own, a million of them at once, and an empty list is
    left in their place.
    """

    def read(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidInput(Violation((), "must be a list of hands"))
        if value:  # it was there, but not found as text
            raise InvalidInput(Violation((), "must have its name written plainly, without escapes"))
        return value

    json_schema = {
        "type": "array",
        "items": _hand(variant),
        "maxItems": most,
        "description": f"Up to {most} hands, as this server is set.",
    }
    return request_schema(
        variant, "BatchRequest", {"hands": StrictField(read, json_schema, required=True)}
    )


def _hand(variant: Columnar) -> dict[str, Any]:
    dice = variant.dice
    if not isinstance(variant, CommunityRanking):
        return {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": dice.faces},
            "minItems": dice.count,
            "maxItems": dice.count,
        }
    least, *_, most = hand_sizes(variant)
    letters = "".join(suit.letter for suit in dice.suits)
    return {
        "description": "Pocket and community together, as a list of dice or as one string of them; "
        "all hands of a request have equally many.",
        "anyOf": [
            {
                "type": "array",
                "items": {"type": "string", "enum": list(dice.notation)},
                "minItems": least,
                "maxItems": most,
            },
            {"type": "string", "pattern": f"^([1-{dice.faces}][{letters}]){{{least},{most}}}$"},
        ],
    }


def response(variant: Columnar) -> Schema:
    """The columns of an answer: a list each, with an item for every hand, in order."""
    count = Answered({"type": "integer", "minimum": 0}, "How many hands there are.")
    return answer_schema(variant, "BatchAnswer", {"count": count, **_columns(variant)})


def _columns(variant: Columnar) -> Fields:
    columns = {name: Answered(json_schema) for name, json_schema in columns_of(variant).items()}
    if isinstance(variant, ScoreCard):
        scores = answer_part(component(variant, "BatchScores"), columns)
        return {"scores": nested(scores, "What each roll is worth in each box, in card order.")}
    return columns


def columns_of(variant: Columnar) -> Mapping[str, dict[str, Any]]:
    """The columns of an answer by name, each as the JSON Schema of its list."""
    if isinstance(variant, ScoreCard):
        return {
            box: {"type": "array", "items": {"type": "integer", "enum": [*possible]}}
            for box, possible in variant.possible.items()
        }
    strength = {"type": "integer", "minimum": 1}
    return {
        "rank": {"type": "array", "items": rank_field(variant).json_schema},
        "strength": {
            "type": "array",
            "items": strength,
            "description": "Greater is stronger; equal ties.",
        },
    }


def arrow_request(variant: Columnar) -> dict[str, Any]:
    """The JSON Schema of the one column of an Arrow stream, a table as an object of columns."""
    dice = variant.dice
    least, most = (0, len(dice.notation) - 1) if dice.suits else (1, dice.faces)
    hand = {
        "type": "array",
        "items": {"type": "integer", "minimum": least, "maximum": most},
        "minItems": min(hand_sizes(variant)),
        "maxItems": max(hand_sizes(variant)),
    }
    return _table({"dice": {"type": "array", "items": hand}})


def arrow_answer(variant: Columnar) -> dict[str, Any]:
    """The JSON Schema of the columns that answer an Arrow stream."""
    return _table(columns_of(variant))


def _table(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": columns,
        "required": list(columns),
        "additionalProperties": False,
        "description": "A table, as an object of its columns.",
    }
