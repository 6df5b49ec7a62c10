"""The outcomes of variants with pocket and community dice: each is a strength."""

from __future__ import annotations

from functools import cache
from typing import Any

from service.batch.kinds.ranking import rank_columns
from service.batch.kinds.suited_kernel import SuitedKernel
from service.batch.outcomes import Outcomes
from service.kinds.community.hand_finder import BestOf
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.hand_table import HandTable
from service.rules.dice import Dice

BOXES = False


def outcomes(variant: CommunityRanking[Any], rules: Any) -> Outcomes:
    """The outcomes of `variant` under the house `rules`: an outcome for each strength."""
    table = variant.table(rules)
    kernel = suited_kernel(variant, rules)
    hands = sorted({hand.strength: hand for hand in table}.items())
    return Outcomes(
        variant,
        variant.dice,
        variant.hand_sizes,
        rank_columns(
            variant, [hand.rank.id for _, hand in hands], [strength for strength, _ in hands]
        ),
        BOXES,
        kernel.strengths,
        variant.check,
    )


def suited_kernel(variant: CommunityRanking[Any], rules: Any) -> SuitedKernel:
    """The kernel of `variant` under `rules`; built once for all rules with the same hands."""
    return _suited(variant.best_of(rules), variant.table(rules), variant.dice)


@cache
def _suited(best_of: BestOf, table: HandTable, dice: Dice) -> SuitedKernel:
    return SuitedKernel(best_of, table, dice)
