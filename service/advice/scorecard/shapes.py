"""How the points still to come are distributed where the upper bonus doesn't count.

Then a state is little more than a set of open boxes, of which there are some thousands. Each has
`QUANTILES` quantiles of its points, which keep the lumps of boxes with fixed points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from service.advice.lattice import Places, Values
from service.advice.scorecard.states import States, most_points
from service.advice.scorecard.steps import Cards, Steps

QUANTILES = 32

BLOCK = 128
"""The most states that are worked out together."""

Shapes = NDArray[np.uint16]
"""Quantiles of the points still to come: (upper places, lower places, quantiles)."""


def shapes(states: States, expected: Values) -> Shapes:
    """The quantiles of all `states` under the best play by the `expected` points still to come.

    They are those in the middle of as many parts of equal chance. It takes a fifth of the time to
    solve a card with its bonus.
    """
    steps = Steps(states)
    found = np.zeros((*expected.shape, QUANTILES), np.uint16)
    used = np.bitwise_count(states.upper_used)[:, None] + np.bitwise_count(states.lower_used)
    most = int(most_points(states).max()) + 1
    for count in range(len(states.scoring.boxes) - 1, -1, -1):
        uppers, lowers = np.nonzero(used == count)
        for start in range(0, len(uppers), BLOCK):
            block = slice(start, start + BLOCK)
            cards = Cards(uppers[block], lowers[block], np.zeros_like(uppers[block]))
            found[cards.upper, cards.lower] = _block(steps, cards, expected, found, most)
    return found


def _block(steps: Steps, cards: Cards, expected: Values, found: Shapes, most: int) -> Places:
    """The quantiles of `cards`, from those of all cards that may follow."""
    outcomes = steps.outcomes(cards, lambda after: expected[after.upper, after.lower] - after.need)
    after = outcomes.after
    points = found[after.upper, after.lower] - after.need[:, None]
    codes = (outcomes.before[:, None] * most + points).ravel()
    chances = np.repeat(outcomes.chances / QUANTILES, QUANTILES)
    below = np.bincount(codes, chances, len(cards) * most).reshape(-1, most).cumsum(axis=1)
    rows = 2 * np.arange(len(cards))[:, None]  # apart, so that all rows are searched at once
    levels = (np.arange(QUANTILES) + 0.5) / QUANTILES
    return np.searchsorted((below + rows).ravel(), levels + rows) - most * (rows // 2)
