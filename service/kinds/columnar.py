"""Variants with few outcomes, so that many hands are answered in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant

Columnar = Ranking[Any] | CommunityRanking[Any] | ScoreCard[Any]
"""Each hand is one of a few: a roll of plain dice, or a strength of suited ones."""


def hand_sizes(variant: Columnar) -> Sequence[int]:
    """How many dice a hand in columns can have; all hands of one table have equally many."""
    if isinstance(variant, CommunityRanking):
        return range(variant.hand_size, variant.pocket + max(variant.stages) + 1)
    return (variant.dice.count,)


def columnar(variant: Variant[Any]) -> TypeGuard[Columnar]:
    """Whether hands of `variant` can be told in columns."""
    return isinstance(variant, Ranking | CommunityRanking | ScoreCard)
