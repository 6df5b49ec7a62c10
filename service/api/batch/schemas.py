"""The schemas of batches in JSON: hands in, columns out."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema

from service.api.operations.columns import BatchColumns, SearchedColumns
from service.api.schemas.component import component
from service.api.schemas.fields import StrictField
from service.api.schemas.shared import (
    AnswerField,
    BodySchema,
    Fields,
    answer_part,
    answer_schema,
    nested,
    request_schema,
)
from service.rules.violations import InvalidInput, Violation


def request(columns: BatchColumns | SearchedColumns, limit: str) -> BodySchema:
    """The request of a batch: hands, up to the `limit` in words, and the house rules for them.

    The hands are parsed separately, many at a time; this schema gets an empty list in their place.
    """

    def read(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidInput(Violation((), "must be a list of hands"))
        if value:  # its name has escapes, so the reader of hands missed it
            raise InvalidInput(Violation((), "must have its name written without escapes"))
        return value

    json_schema = {
        "type": "array",
        "items": columns.hand,
        "description": limit,
    }
    return request_schema(
        columns.variant, "BatchRequest", {"hands": StrictField(read, json_schema, required=True)}
    )


def response(columns: BatchColumns | SearchedColumns) -> Schema:
    """The columns of a response: each is a list with an item for every hand, in order."""
    count = AnswerField({"type": "integer", "minimum": 0}, "The number of hands.")
    return answer_schema(columns.variant, "BatchAnswer", {"count": count, **_columns(columns)})


def _columns(columns: BatchColumns | SearchedColumns) -> Fields:
    own = {name: AnswerField(json_schema) for name, json_schema in columns.answer.items()}
    if columns.boxes:
        scores = answer_part(component(columns.variant, "BatchScores"), own)
        return {"scores": nested(scores, "The score of each roll in each box, in card order.")}
    return own
