"""The operation `batch` of every variant: evaluate many hands in one request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from service.api.http.bodies import JSON
from service.api.http.causes import Cause
from service.api.http.problem_details import Problem
from service.api.operations.operation import (
    ADVISE,
    EVALUATE,
    BatchColumns,
    Offered,
    Operation,
    SearchedColumns,
)
from service.api.operations.registry import API_KINDS, BATCH
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField
from service.api.schemas.requests import RequestSchema, request_schema
from service.api.schemas.serializers import answer_shape
from service.api.schemas.shapes import Shape
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings

NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"

HOUSE_RULES = "house_rules"
"""The field of a body, and the query parameter of an Arrow stream, with the house rules."""

OPERATION = "operation"
"""The query parameter that names the operation that the lines of NDJSON ask for."""

LINE_OPERATIONS = (EVALUATE, ADVISE)
"""The operations that lines can ask for, if a variant has them; by default the first."""

HAND_STEPS = 40
"""Steps charged for a hand in addition to its search."""


MAX_STEPS = 100_000
"""Steps of all searches and advice for one request, about 10 microseconds each: a second in all."""

MAX_HANDS = MAX_STEPS // HAND_STEPS
"""The most hands in a JSON body if each takes a search: no more can be searched."""


@dataclass(frozen=True)
class Batch(Offered):
    """The operation `batch` of a variant.

    `lines` has the operations that lines of NDJSON can ask for, by name. `request` and `response`
    are the schemas of a batch in JSON. The `settings` say how large it may be.
    """

    variant: Variant
    lines: Mapping[str, Operation]
    columns: BatchColumns | SearchedColumns
    request: RequestSchema
    response: Shape
    settings: Settings
    name = BATCH

    @property
    def evaluate(self) -> Operation:
        """What lines ask for by default."""
        return self.lines[LINE_OPERATIONS[0]]

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types of its requests."""
        searched = isinstance(self.columns, SearchedColumns)
        return (JSON, NDJSON) if searched else (JSON, NDJSON, ARROW)

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters that the query may have."""
        choice = [OPERATION] if len(self.lines) > 1 else []
        return frozenset([*choice, HOUSE_RULES] if ARROW in self.media_types else choice)


def batches(operations: Iterable[Operation], settings: Settings) -> list[Batch]:
    """The batches of the variants of `operations`."""
    by_variant: dict[Variant, dict[str, Operation]] = {}
    for operation in operations:
        if operation.name in LINE_OPERATIONS:
            by_variant.setdefault(operation.variant, {})[operation.name] = operation
    made = []
    for variant, lines in by_variant.items():
        columns = API_KINDS.of(variant).columns(variant)
        request, response = _request(columns), _response(columns)
        made.append(Batch(variant, lines, columns, request, response, settings))
    return made


def _request(columns: BatchColumns | SearchedColumns) -> RequestSchema:
    """The request of a batch: hands, and the house rules for them.

    The hands are parsed separately, many at a time; this schema gets an empty list in their place.
    """

    def read(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidInput(Violation((), Breach.NOT_A_LIST(of="hands")))
        if value:  # its name has escapes, so the reader of hands missed it
            raise InvalidInput(Violation((), Breach.ESCAPED_NAME()))
        return value

    limit = (
        f"At most {MAX_HANDS:,}."
        if isinstance(columns, SearchedColumns)
        else "At most `MAX_BATCH_HANDS`, by default 1,000,000."
    )
    hands = StrictField(read, shapes.list_of(columns.hand, limit), required=True)
    return request_schema(columns.variant, "BatchRequest", {"hands": hands})


def _response(columns: BatchColumns | SearchedColumns) -> Shape:
    """The columns of a response: each is a list with an item for every hand, in order."""
    variant, own = columns.variant, columns.answer
    if isinstance(variant, ScoreCard):
        scores = shapes.record(shapes.component(variant, "BatchScores"), own)
        own = {"scores": scores("Of each roll.")}
    counted = {"count": shapes.COUNT, **own}
    return answer_shape(variant, "BatchAnswer", counted)


def too_many(most: int) -> Problem:
    """The problem for more than `most` hands, if all are needed before the response begins."""
    return Cause.TOO_MANY_HANDS.problem(limit=most)
