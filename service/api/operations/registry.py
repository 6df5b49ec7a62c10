"""The operations of every variant, by its kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from service.api.operations import community, layout, ranking, scorecard
from service.api.operations.columns import BatchColumns
from service.api.operations.operation import Answer, Operation
from service.api.schemas.bounds import Bounds
from service.kinds.by_kind import ByKind
from service.rules.variant import Variant, WrongDescription

BATCH = "batch"
"""The operation that every variant has besides those of its kind: `evaluate` for many hands."""


class KindInApi(Protocol):
    """What the module of a kind has.

    `BOUNDS` has the JSON Schema of each class of bounds that values of its actions have.
    """

    BOUNDS: Bounds

    def operations(self, variant: Any) -> list[Operation]:
        """The operations of `variant`, except `batch`."""

    def entry(self, variant: Any) -> Answer:
        """What the catalogue says of `variant` beyond what it says of every variant."""

    def columns(self, variant: Any) -> BatchColumns | None:
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
    """All operations of `variants` except batches, in order.

    Raises `WrongDescription` for an example of an operation that its variant doesn't have. The
    rules can't check that: they know no operations.
    """
    every: list[Operation] = []
    for variant in variants:
        own = API_KINDS.of(variant).operations(variant)
        names = [*(operation.name for operation in own), BATCH]
        for example in variant.examples:
            if example.operation not in names:
                raise WrongDescription(
                    f"{variant.id}: examples: {example.operation!r} is none of its operations, "
                    f"which are {', '.join(names)}"
                )
        every += own
    return every
