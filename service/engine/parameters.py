"""The values of actions: each has bounds, and is parsed strictly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.house_rules import read_whole, read_word
from service.rules.violations import InvalidInput, Violation, refuse

REQUIRED = object()
"""The `default` of a required value."""


class Bound(Protocol):
    """The bounds of a value; `default` is used if the value is omitted."""

    default: ClassVar[object]

    def read(self, value: object) -> Any:
        """Parses `value`. Raises `InvalidInput` saying what it must be."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `minimum` to `maximum`, a multiple of `step`."""

    default: ClassVar[object] = REQUIRED

    minimum: int
    maximum: int
    step: int = 1

    def read(self, value: object) -> int:
        """Parses an int. Raises `InvalidInput` if it is out of bounds."""
        return read_whole(value, self.minimum, self.maximum, step=self.step)


@dataclass(frozen=True, slots=True)
class Points:
    """Points up to a `maximum`, or none. The game says which ones there can be: it depends on the
    other values.
    """

    default: ClassVar[object] = None
    minimum: ClassVar[int] = 0
    step: ClassVar[int] = 1

    maximum: int

    def read(self, value: object) -> object:
        """Returns `value` unchecked."""
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of `words`."""

    default: ClassVar[object] = REQUIRED

    words: Sequence[str]

    def read(self, value: object) -> str:
        """Returns `value`. Raises `InvalidInput` if it is not one of the words."""
        return read_word(value, self.words)


@dataclass(frozen=True, slots=True)
class Keep:
    """Which of `count` dice to keep, by their indexes from 0; at least one is rolled."""

    default: ClassVar[object] = []

    count: int

    def read(self, value: object) -> frozenset[int]:
        """Parses the indexes. Raises `InvalidInput` for an unknown die, or one named twice."""
        most = self.count - 1
        if not isinstance(value, list | tuple) or len(value) > most:
            raise InvalidInput(Violation((), Breach.NOT_A_LIST_OF_INDEXES(maximum=most)))
        violations = []
        places: set[int] = set()
        for index, item in enumerate(value):
            place = whole_number(item)
            if place is None or not 0 <= place <= most:
                violations.append(Violation((index,), Breach.NOT_AN_INDEX(minimum=0, maximum=most)))
            elif place in places:
                violations.append(Violation((index,), Breach.REPEATED_DIE(die=place)))
            else:
                places.add(place)
        refuse(violations)
        return frozenset(places)
