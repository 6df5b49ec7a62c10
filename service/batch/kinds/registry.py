"""The outcomes of every variant whose hands can be answered in columns, by its kind."""

from __future__ import annotations

from typing import Any, Protocol

from service.batch.kinds import community, ranking, scorecard
from service.batch.outcomes import Outcomes
from service.kinds.by_kind import ByKind
from service.rules.variant import Variant


class KindInColumns(Protocol):
    """The module of a kind. `BOXES` is True if the columns are the boxes of a score card."""

    BOXES: bool

    def outcomes(self, variant: Any, rules: Any) -> Outcomes:
        """The outcomes of `variant` under the house `rules`."""


BATCH_KINDS = ByKind[KindInColumns | None](
    __name__,
    ranking=ranking,
    community=community,
    scorecard=scorecard,
    layout=None,  # layouts are searched for, each by itself
)

_made: dict[tuple[Variant[Any], tuple[bool, ...]], Outcomes] = {}


def outcomes_of(variant: Any, rules: Any) -> Outcomes:
    """The outcomes of `variant` under `rules`; built once for all rules with the same outcomes.

    Raises `ValueError` for a variant whose hands can't be answered in columns.
    """
    kind = BATCH_KINDS.of(variant)
    if kind is None:
        raise ValueError(f"hands of {variant.id} have no answers in columns")
    key = variant, tuple(getattr(rules, switch) for switch in variant.switches)
    try:
        return _made[key]
    except KeyError:
        return _made.setdefault(key, kind.outcomes(variant, rules))
