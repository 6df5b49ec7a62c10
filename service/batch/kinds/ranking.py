"""The outcomes of variants where a hand is a roll: its rank and its strength."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from service.batch.kinds.roll_kernel import roll_kernel
from service.batch.outcomes import Column, Outcomes
from service.kinds.ranking.variant import AnyRanking, Ranking

BOXES = False

_IN_A_BYTE = 128
"""The most ranks whose positions fit in an int8."""


def outcomes(variant: Ranking[Any], rules: Any) -> Outcomes:
    """The outcomes of `variant` under the house `rules`: an outcome for each roll."""
    kernel = roll_kernel(variant.dice)
    table = variant.table(rules)
    hands = [table.hand(roll) for roll in kernel.rolls]
    return Outcomes(
        variant,
        variant.dice,
        variant.hand_sizes,
        rank_columns(variant, [hand.rank.id for hand in hands], [hand.strength for hand in hands]),
        BOXES,
        kernel.numbers,
        variant.dice.check_numbers,
    )


def rank_columns(
    variant: AnyRanking[Any], ranks: Sequence[str], strengths: Sequence[int]
) -> tuple[Column, Column]:
    """The columns `rank` and `strength`, by the number of the outcome."""
    words = tuple(rank.id for rank in variant.ranks)
    places = [0, *(words.index(rank) for rank in ranks)]
    held = np.int8 if len(words) <= _IN_A_BYTE else np.int16
    return (
        Column("rank", np.array(places, held), words),
        Column("strength", np.array([0, *strengths], np.int32)),
    )
