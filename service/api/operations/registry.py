"""The operations of every variant, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from service.api.operations import community, layout, ranking, scorecard
from service.api.operations.operation import Operation
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant

KINDS: dict[type[Variant[Any]], Callable[[Any], list[Operation]]] = {
    Ranking: ranking.operations,
    CommunityRanking: community.operations,
    ScoreCard: scorecard.operations,
    Layout: layout.operations,
}
"""What can be asked of a variant, by its class."""


def operations(variants: Iterable[Variant[Any]]) -> list[Operation]:
    """All operations of `variants`, in order."""
    return [operation for variant in variants for operation in KINDS[type(variant)](variant)]
