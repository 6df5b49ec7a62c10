"""The columns of a batch: requests and responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.rules.dice import Dice
from service.rules.variant import Variant


@dataclass(frozen=True)
class BatchColumns:
    """The format of the hands of `variant` in a batch, and the columns of the response.

    A hand has one of `sizes` of the `dice`; `hand` is the JSON Schema of a hand in a request, and
    `answer` has the JSON Schema of each column by name. With `boxes`, the columns are the boxes of
    a score card.
    """

    variant: Variant[Any]
    dice: Dice
    sizes: Sequence[int]
    hand: Mapping[str, Any]
    answer: Mapping[str, dict[str, Any]]
    boxes: bool = False
