"""The outcomes of variants on score cards: what a roll is worth in each box."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.batch.kinds.roll_kernel import roll_kernel
from service.batch.outcomes import Column, Outcomes
from service.kinds.scorecard.variant import ScoreCard

BOXES = True


def outcomes(variant: ScoreCard[Any], rules: Any) -> Outcomes:
    """The outcomes of `variant` under the house `rules`: an outcome for each roll."""
    kernel = roll_kernel(variant.dice)
    scores = [variant.scores(roll, rules) for roll in kernel.rolls]
    return Outcomes(
        variant,
        variant.dice,
        variant.hand_sizes,
        tuple(
            Column(box.id, np.array([0, *(score[box.id] for score in scores)], np.int16))
            for box in variant.boxes
        ),
        BOXES,
        kernel.numbers,
        variant.dice.check_numbers,
    )
