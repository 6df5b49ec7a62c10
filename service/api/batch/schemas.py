"""The schemas of batches in JSON: hands in, columns out."""

from __future__ import annotations

from typing import Any

from service.api.operations.columns import BatchColumns, SearchedColumns
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField
from service.api.schemas.requests import BodySchema, request_schema
from service.api.schemas.serializers import answer_shape
from service.api.schemas.shapes import Shape
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

    hands = StrictField(read, shapes.list_of(columns.hand, limit), required=True)
    return request_schema(columns.variant, "BatchRequest", {"hands": hands})


def response(columns: BatchColumns | SearchedColumns) -> Shape:
    """The columns of a response: each is a list with an item for every hand, in order."""
    variant = columns.variant
    own = columns.answer
    if columns.boxes:
        scores = shapes.record(shapes.component(variant, "BatchScores"), own)
        own = {"scores": scores("The score of each roll in each box, in card order.")}
    counted = {"count": shapes.COUNT("The number of hands."), **own}
    return answer_shape(variant, "BatchAnswer", counted)
