"""The operations of every variant, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from service.api import community, layouts, rankings, scorecards
from service.api.operation import Operation
from service.dice.community import CommunityRanking
from service.dice.layout import Layout
from service.dice.ranking import Ranking
from service.dice.scorecard import ScoreCard
from service.dice.variant import Variant

KINDS: dict[type[Variant[Any]], Callable[[Any], list[Operation]]] = {
    Ranking: rankings.operations,
    CommunityRanking: community.operations,
    ScoreCard: scorecards.operations,
    Layout: layouts.operations,
}
"""What can be asked of a variant, by its class."""


def operations(variants: Iterable[Variant[Any]]) -> list[Operation]:
    """All operations of `variants`, in order."""
    return [operation for variant in variants for operation in KINDS[type(variant)](variant)]
