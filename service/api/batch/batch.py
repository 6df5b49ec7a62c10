"""The operation `batch` of every variant: evaluate many hands in one request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from service.api.batch import schemas
from service.api.http.bodies import JSON
from service.api.operations.columns import BatchColumns, SearchedColumns
from service.api.operations.operation import EVALUATE, Operation
from service.api.operations.registry import API_KINDS, BATCH
from service.api.schemas.requests import BodySchema
from service.api.schemas.shapes import Shape
from service.rules.variant import Variant
from service.settings import Settings

NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"

HOUSE_RULES = "house_rules"
"""The field of a body, and the query parameter of an Arrow stream, with the house rules."""


OPERATION = "operation"
"""The query parameter that names the operation that the lines of NDJSON ask for."""

LINE_OPERATIONS = (EVALUATE, "advise")
"""The operations that lines can ask for, if a variant has them; by default the first."""

STRETCH = 0.005
"""Seconds after which a batch hands over what it has computed so far."""

HAND_STEPS = 40
"""Steps charged for a hand in addition to its search."""


@dataclass(frozen=True)
class BatchLimits:
    """How large a batch may be."""

    line_bytes: int
    """Bytes in a line of NDJSON."""
    body_bytes: int
    """Bytes in the body, before and after decompression."""
    hands: int
    """Hands in a JSON body."""
    work: ClassVar[int] = 100_000
    """Steps of all searches and advice for one request, about 10 microseconds each: a second in
    all."""

    @classmethod
    def of(cls, settings: Settings) -> BatchLimits:
        """The limits that `settings` set."""
        return cls(settings.max_body_bytes, settings.max_batch_bytes, settings.max_batch_hands)


MAX_HANDS = BatchLimits.work // HAND_STEPS
"""The most hands in a JSON body if each takes a search: no more can be searched."""


@dataclass(frozen=True)
class ColumnsInJson:
    """The schemas of a JSON batch with these `columns`."""

    columns: BatchColumns | SearchedColumns
    request: BodySchema
    response: Shape

    @property
    def variant(self) -> Variant[Any]:
        """The variant."""
        return self.columns.variant


@dataclass(frozen=True)
class Batch:
    """`POST /v1/variants/{variant}/batch`.

    `lines` has the operations that lines of NDJSON can ask for, by name.
    """

    lines: Mapping[str, Operation]
    columns: ColumnsInJson
    limits: BatchLimits
    name = BATCH

    @property
    def evaluate(self) -> Operation:
        """What lines ask for by default."""
        return self.lines[LINE_OPERATIONS[0]]

    @property
    def variant(self) -> Variant[Any]:
        """The variant."""
        return self.evaluate.variant

    @property
    def path(self) -> str:
        """The path of the URL."""
        return f"/v1/variants/{self.variant.id}/{self.name}"

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types of its requests."""
        searched = isinstance(self.columns.columns, SearchedColumns)
        return (JSON, NDJSON) if searched else (JSON, NDJSON, ARROW)


def batches(operations: Iterable[Operation], limits: BatchLimits) -> list[Batch]:
    """The batches of the variants of `operations`."""
    by_variant: dict[Variant[Any], dict[str, Operation]] = {}
    for operation in operations:
        if operation.name in LINE_OPERATIONS:
            by_variant.setdefault(operation.variant, {})[operation.name] = operation
    return [Batch(lines, _columns(variant), limits) for variant, lines in by_variant.items()]


def _columns(variant: Variant[Any]) -> ColumnsInJson:
    columns = API_KINDS.of(variant).columns(variant)
    limit = (
        f"At most {MAX_HANDS:,} hands."
        if isinstance(columns, SearchedColumns)
        else "At most `MAX_BATCH_HANDS` hands. That is a setting of the server, by default "
        "1,000,000."
    )
    return ColumnsInJson(columns, schemas.request(columns, limit), schemas.response(columns))
