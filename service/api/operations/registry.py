"""The operations of every variant, by its kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from service.api.operations import community, layout, ranking, scorecard
from service.api.operations.columns import Columns
from service.api.operations.operation import Answer, Operation
from service.api.schemas.bounds import Bounds
from service.kinds.by_kind import ByKind
from service.rules.variant import Variant


class KindInApi(Protocol):
    """What the module of a kind has.

    `BOUNDS` has the JSON Schema of each class of bounds that values of its actions have.
    """

    BOUNDS: Bounds

    def operations(self, variant: Any) -> list[Operation]:
        """All operations of `variant`."""

    def entry(self, variant: Any) -> Answer:
        """What the catalogue says of `variant` beyond what it says of every variant."""

    def columns(self, variant: Any) -> Columns | None:
        """How a batch of `variant` is answered in columns; None if it can't be."""


API_KINDS = ByKind[KindInApi](
    __name__,
    ranking=ranking,
    community=community,
    scorecard=scorecard,
    layout=layout,
)

BOUND_SCHEMAS: Bounds = {
    bound: schema for kind in API_KINDS.values() for bound, schema in kind.BOUNDS.items()
}
"""The JSON Schema of the bounds of every value, by their class."""


def operations(variants: Iterable[Variant[Any]]) -> list[Operation]:
    """All operations of `variants`, in order."""
    return [
        operation for variant in variants for operation in API_KINDS.of(variant).operations(variant)
    ]
