"""What can be asked of every variant, by its kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from service.api.operations import community, layout, ranking, scorecard
from service.api.operations.columns import Columns
from service.api.operations.operation import Answer, Operation
from service.kinds.by_kind import ByKind
from service.rules.variant import Variant


class KindInApi(Protocol):
    """What the module of a kind has."""

    def operations(self, variant: Any) -> list[Operation]:
        """What can be asked of `variant`."""

    def entry(self, variant: Any) -> Answer:
        """What the catalogue says of `variant` beside what it says of all."""

    def columns(self, variant: Any) -> Columns | None:
        """How hands of `variant` are answered in columns, None if they aren't."""


KINDS = ByKind[KindInApi](
    __name__,
    ranking=ranking,
    community=community,
    scorecard=scorecard,
    layout=layout,
)


def operations(variants: Iterable[Variant[Any]]) -> list[Operation]:
    """All operations of `variants`, in order."""
    return [
        operation for variant in variants for operation in KINDS.of(variant).operations(variant)
    ]
