"""How good choices are, in words and as an accuracy. This module is free of NumPy."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import fsum

WORDS = {0.0: "good", 0.5: "inaccuracy", 2.0: "mistake", 5.0: "blunder"}
"""The word for a loss: that of the highest of these numbers of points that it reaches."""

HALVING_LOSS = 5.0
"""The loss in points of a choice that has half the accuracy of the best one."""


def word(loss: float) -> str:
    """The word for a choice that loses `loss` points, rounded as responses show it.

    Losses are differences of sums: one of half a point can be 0.4999999999999929.
    """
    return [*WORDS.values()][bisect_right([*WORDS], round(loss, 9)) - 1]


def accuracy(losses: Sequence[float]) -> float:
    """How close choices come to the best ones, from 0 to 100; 100 for the best, or for none.

    It is the mean of 100 * 2 ** (-loss / HALVING_LOSS) over all choices. As in Lichess's accuracy
    of chess moves, it falls exponentially with what a move loses (lichess.org/page/accuracy). With
    these constants, a blunder has at most half the accuracy of the best choice.
    """
    if not losses:
        return 100.0
    return fsum(100 * 2 ** (-loss / HALVING_LOSS) for loss in losses) / len(losses)
