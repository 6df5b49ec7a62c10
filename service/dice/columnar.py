"""Variants with few outcomes, so that many hands are answered in columns."""

from __future__ import annotations

from typing import Any, TypeGuard

from service.dice.community import CommunityRanking
from service.dice.ranking import Ranking
from service.dice.scorecard import ScoreCard
from service.dice.variant import Variant

Columnar = Ranking[Any] | CommunityRanking[Any] | ScoreCard[Any]
"""Each hand is one of a few: a roll of plain dice, or a strength of suited ones."""


def columnar(variant: Variant[Any]) -> TypeGuard[Columnar]:
    """Whether hands of `variant` can be told in columns."""
    return isinstance(variant, Ranking | CommunityRanking | ScoreCard)
