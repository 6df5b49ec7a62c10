"""The operation `batch` of every variant: many hands in one request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, ClassVar

from marshmallow import Schema

from service.api.batch import schemas
from service.api.http.bodies import JSON
from service.api.operations.operation import Operation
from service.api.schemas.shared import BodySchema
from service.kinds.columnar import Columnar, columnar
from service.rules.variant import Variant
from service.settings import Settings

NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"

NAME = "batch"

HOUSE_RULES = "house_rules"
"""The field of a body, and the query parameter of an Arrow stream, with the house rules."""


@dataclass(frozen=True)
class Limits:
    """How large a batch may be."""

    line_bytes: int
    """Bytes in a line of NDJSON."""
    body_bytes: int
    """Bytes in the body, before and after decompression."""
    hands: ClassVar[int] = 1_000_000
    """Hands in a JSON body."""
    work: ClassVar[int] = 100_000
    """Steps of all layout searches for one request, about 10 microseconds each: a second in all."""

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits that `settings` set."""
        return cls(settings.max_body_bytes, settings.max_batch_bytes)


@dataclass(frozen=True)
class Columns:
    """How a batch of `variant` is asked and answered in columns: its schemas in JSON."""

    variant: Columnar
    request: BodySchema
    response: Schema


@dataclass(frozen=True)
class Batch:
    """`POST /v1/variants/{variant}/batch`: in lines as `evaluate`, or in `columns` if not None."""

    evaluate: Operation
    columns: Columns | None
    limits: Limits
    name = NAME

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
        """What it takes."""
        return (NDJSON,) if self.columns is None else (JSON, NDJSON, ARROW)


def batches(operations: Iterable[Operation], limits: Limits) -> list[Batch]:
    """The batch of each `evaluate` among `operations`."""
    return [
        Batch(operation, _columns(operation.variant, limits.hands), limits)
        for operation in operations
        if operation.name == "evaluate"
    ]


def _columns(variant: Variant[Any], hands: int) -> Columns | None:
    if not columnar(variant):
        return None
    return Columns(variant, schemas.request(variant, hands), schemas.response(variant))


@cache
def reads_arrow() -> bool:
    """Whether this server can read Arrow: that takes pyarrow, which is optional."""
    return find_spec("pyarrow") is not None
