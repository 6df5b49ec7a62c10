"""The possible outcomes of the hands of a variant, and the outcome of each row of an array.

There are few outcomes, such as 252 rolls of five dice or 1,008 strengths of suited hands. So an
array of hands becomes an array of small numbers, by which each column of the response is looked up.
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
"""An array of shape (hands, dice): numbers of plain dice, codes of suited dice."""

MAX_REPORTED = 100
"""The most impossible hands that a response names."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a response: the value for each outcome, by the number of the outcome.

    With `words`, the values are positions in it. The first value is never used: outcome 0 stands
    for an impossible hand.
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
    and returns the number of each hand's outcome, 0 for an impossible hand. `check` raises
    `InvalidInput` for an impossible row. `boxes` is True if the columns are boxes of a score card.
    """

    variant: Variant
    dice: Dice
    sizes: Collection[int]
    columns: tuple[Column, ...]
    boxes: bool
    of: Callable[[Hands], NDArray[np.uint16]]
    check: Callable[[Sequence[int]], object]

    def refusals(self, hands: Hands, outcomes: NDArray[np.uint16]) -> list[tuple[int, Violation]]:
        """The first `MAX_REPORTED` impossible hands: the row, and the first violation in it."""
        rows = np.flatnonzero(outcomes == 0)[:MAX_REPORTED]
        return [(int(row), self._first_violation(hands[row].tolist())) for row in rows]

    def _first_violation(self, dice: list[int]) -> Violation:
        try:
            self.check(dice)
        except InvalidInput as refused:
            return refused.violations[0]
        raise AssertionError(f"{dice} have no outcome, but nothing is wrong with them")
