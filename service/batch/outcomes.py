"""What the hands of a variant can come to, and which of it each row of an array of hands is.

There are few outcomes, 252 rolls of five dice or 1,008 strengths of suited hands. So an array of
hands becomes an array of small numbers, and whatever is told of hands, a column each, is looked up
by them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.rules.dice import Dice
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation

Hands = NDArray[np.uint8]
"""Hands as rows of dice: numbers of plain dice, codes of suited ones."""

MOST_TOLD = 100
"""Of the hands that can't be, so many are named."""


@dataclass(frozen=True, eq=False)
class Column:
    """Something told of every hand: a value for each outcome, by its number.

    With `words`, the values are positions in it. The first value only fills: no hand has outcome 0.
    """

    name: str
    values: NDArray[np.int8 | np.int16 | np.int32]
    words: tuple[str, ...] = ()

    def of(self, outcomes: NDArray[np.intp]) -> NDArray[Any]:
        """The value for each of `outcomes`."""
        return np.take(self.values, outcomes, mode="clip")


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The outcomes of a variant under house rules.

    `sizes` are the numbers of dice that a hand can have. `of` takes an array of shape (hands, dice)
    to the number of each hand's outcome, 0 for one that can't be. `check` raises `InvalidInput` for
    a row that can't be, with what is wrong with it. `boxes`: the columns are boxes of a score card.
    """

    variant: Variant[Any]
    dice: Dice
    sizes: Collection[int]
    columns: tuple[Column, ...]
    boxes: bool
    of: Callable[[Hands], NDArray[np.uint16]]
    check: Callable[[Sequence[int]], object]

    def refusals(self, hands: Hands, outcomes: NDArray[np.uint16]) -> list[tuple[int, Violation]]:
        """The first `MOST_TOLD` hands that can't be, by row, with the first thing wrong in each."""
        rows = np.flatnonzero(outcomes == 0)[:MOST_TOLD]
        return [(int(row), self._first_violation(hands[row].tolist())) for row in rows]

    def _first_violation(self, dice: list[int]) -> Violation:
        try:
            self.check(dice)
        except InvalidInput as refused:
            return refused.violations[0]
        raise AssertionError(f"{dice} have no outcome, but nothing is wrong with them")
