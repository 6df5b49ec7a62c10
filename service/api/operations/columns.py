"""The columns of a batch: requests and responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from service.api.schemas import shapes
from service.api.schemas.serializers import Serializer
from service.api.schemas.shapes import Shape
from service.rules.dice import Dice
from service.rules.variant import Variant

Path = tuple[str | int, ...]
"""Where a value is in a request, by names and indices."""


@dataclass(frozen=True)
class BatchColumns:
    """The format of the hands of `variant` in a batch, and the columns of the response.

    A hand has one of `sizes` of the `dice`; `hand` is the JSON Schema of a hand in a request, and
    `answer` has the JSON Schema of each column by name. With `boxes`, the columns are the boxes of
    a score card.
    """

    variant: Variant
    dice: Dice
    sizes: Sequence[int]
    hand: Mapping[str, Any]
    answer: Mapping[str, Shape]
    boxes: bool = False


@dataclass(frozen=True)
class SearchedColumns:
    """The format of the hands of `variant` in a batch where each hand takes a search.

    `hand` is the JSON Schema of a hand in a request, and `columns` has what each column has of a
    result. `read` parses the hand at a path of the request, and `check` checks a parsed one against
    house rules; both raise `InvalidInput`. `evaluate` returns the result of a parsed hand, and the
    number of steps of its search.
    """

    variant: Variant
    hand: Mapping[str, Any]
    columns: Serializer[Any]
    read: Callable[[object, Path], Any]
    check: Callable[[Any, Any, Path], None]
    evaluate: Callable[[Any, Any], tuple[Any, int]]
    boxes: ClassVar[bool] = False

    @property
    def answer(self) -> Mapping[str, Shape]:
        """The JSON Schema of each column by name."""
        properties: Mapping[str, Shape] = self.columns.schema["properties"]
        return {name: shapes.list_of(own) for name, own in properties.items()}
