"""The boxes of a score card: what a roll is worth in match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from service.rules.house_rules import HouseRules
from service.rules.patterns import Pattern


@dataclass(frozen=True)
class UpperBox:
    """A box of the upper section: the sum of the dice that show `number`."""

    id: str
    number: int
    clause: str

    def score(self, dice: Sequence[int], _: HouseRules) -> int:
        """The points of `dice` in this box, under any house rules."""
        return self.number * dice.count(self.number)


class Points(Protocol):
    """What a box of the lower section gives for dice that fill it."""

    @property
    def fixed(self) -> int | None:
        """The points, if they are always the same."""

    @property
    def words(self) -> str:
        """The points in words: "25", "the sum of all dice"."""

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The points of `dice`, of which `making` make the pattern of the box."""


@dataclass(frozen=True)
class Fixed:
    """Always the same points."""

    points: int

    @property
    def fixed(self) -> int:
        """The points."""
        return self.points

    @property
    def words(self) -> str:
        """The points as a number."""
        return f"{self.points}"

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The points, whatever the dice show."""
        del dice, making
        return self.points


@dataclass(frozen=True)
class SumOfAll:
    """The sum of all dice, and `plus` points more."""

    plus: int = 0

    @property
    def fixed(self) -> None:
        """The points depend on the dice."""

    @property
    def words(self) -> str:
        """Return "the sum of all dice", and the points more."""
        return f"the sum of all dice{_and(self.plus)}"

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The sum of `dice`, and the points more."""
        del making
        return sum(dice) + self.plus


@dataclass(frozen=True)
class SumOfPattern:
    """The sum of the dice that make the pattern, and `plus` points more."""

    plus: int = 0

    @property
    def fixed(self) -> None:
        """The points depend on the dice."""

    @property
    def words(self) -> str:
        """Return "the sum of the dice that make it", and the points more."""
        return f"the sum of the dice that make it{_and(self.plus)}"

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The sum of `making`, and the points more."""
        del dice
        return sum(making) + self.plus


def _and(plus: int) -> str:
    return f" and {plus} more" if plus else ""


@dataclass(frozen=True)
class LowerBox:
    """A box of the lower section: `points` for dice that make `pattern`.

    `also` holds further patterns that fill the box under a house rule, by its name. Of several
    patterns that the dice make, the one worth most counts.
    """

    id: str
    pattern: Pattern
    points: Points
    needs: str
    clause: str
    also: Mapping[str, Pattern] = field(default_factory=dict)

    def score(self, dice: Sequence[int], rules: HouseRules) -> int:
        """The points of `dice` in this box; 0 if they don't fill it."""
        also = [pattern for rule, pattern in self.also.items() if getattr(rules, rule)]
        matches = [pattern.match(dice) for pattern in (self.pattern, *also)]
        return max([self.points.of(dice, match.making) for match in matches if match], default=0)


Box = UpperBox | LowerBox


@dataclass(frozen=True)
class UpperBonus:
    """Points for the sum of the upper section, in `tiers`: thresholds and what they give.

    The highest threshold that is reached counts: `{63: 35, 71: 55}` gives 55 from 71 on.
    """

    tiers: Mapping[int, int]
    clause: str

    def reached(self, upper: int) -> int | None:
        """The highest threshold that an upper section of `upper` reaches, None for none."""
        return max([threshold for threshold in self.tiers if threshold <= upper], default=None)

    def points(self, upper: int) -> int:
        """The bonus of an upper section of `upper`."""
        reached = self.reached(upper)
        return 0 if reached is None else self.tiers[reached]
