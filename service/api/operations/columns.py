"""What is asked and answered where hands come many at once, in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.rules.dice import Dice
from service.rules.variant import Variant


@dataclass(frozen=True)
class BatchColumns:
    """How hands of `variant` are written, and the columns that answer them.

    A hand has one of `sizes` of the `dice`; `hand` is the JSON Schema of one in a request, and
    `answer` has that of each column by its name. With `boxes`, the columns are the boxes of a score
    card.
    """

    variant: Variant[Any]
    dice: Dice
    sizes: Sequence[int]
    hand: Mapping[str, Any]
    answer: Mapping[str, dict[str, Any]]
    boxes: bool = False
