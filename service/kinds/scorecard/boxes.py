"""The boxes of a score card, what a roll is worth in each, and the bonus of its upper section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Protocol, runtime_checkable

from service.rules.field_types import Clause, Must, OneLine, PartId, Switch, at_least
from service.rules.house_rules import HouseRules
from service.rules.patterns import GamePattern, Pattern


@dataclass(frozen=True)
class UpperBox:
    """A box of the upper section: the sum of the dice that show `number`."""

    id: PartId
    number: Annotated[
        int, Must("a face of the dice", lambda number, game: 1 <= number <= game.dice.faces)
    ]
    clause: Clause

    def score(self, dice: Sequence[int], _: HouseRules) -> int:
        """The points of `dice` in this box, under any house rules."""
        return self.number * dice.count(self.number)


@runtime_checkable
class Points(Protocol):
    """The points of a lower box for dice that fill it."""

    @property
    def fixed(self) -> int | None:
        """The points if they are always the same, else None."""

    @property
    def words(self) -> str:
        """The points in words: "25", "the sum of all dice"."""

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The points of `dice`; `making` are those that make the pattern of the box."""


@dataclass(frozen=True)
class Fixed:
    """The same points for all dice."""

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
        """The points, whatever the dice."""
        del dice, making
        return self.points


@dataclass(frozen=True)
class SumOfAll:
    """The sum of all dice plus `plus` points."""

    plus: int = 0
    fixed: ClassVar[None] = None

    @property
    def words(self) -> str:
        """Returns "the sum of all dice", with "and 15 more" if `plus` is 15."""
        return f"the sum of all dice{_and(self.plus)}"

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The sum of `dice` plus `plus`."""
        del making
        return sum(dice) + self.plus


@dataclass(frozen=True)
class SumOfPattern:
    """The sum of the dice that make the pattern plus `plus` points."""

    plus: int = 0
    fixed: ClassVar[None] = None

    @property
    def words(self) -> str:
        """Returns "the sum of the dice that make it", with "and 15 more" if `plus` is 15."""
        return f"the sum of the dice that make it{_and(self.plus)}"

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The sum of `making` plus `plus`."""
        del dice
        return sum(making) + self.plus


def _and(plus: int) -> str:
    return f" and {plus} more" if plus else ""


@dataclass(frozen=True)
class LowerBox:
    """A box of the lower section: `points` for dice that make `pattern`.

    `also` has further patterns that fill the box under a house rule, by the name of the rule. If
    the dice make several patterns, the one with the most points counts.
    """

    id: PartId
    pattern: GamePattern
    points: Points
    needs: OneLine
    clause: Clause
    also: Mapping[Switch, GamePattern] = field(default_factory=dict)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """All patterns that fill the box under any house rules."""
        return (self.pattern, *self.also.values())

    def score(self, dice: Sequence[int], rules: HouseRules) -> int:
        """The points of `dice` in this box; 0 if they don't fill it."""
        also = [pattern for rule, pattern in self.also.items() if getattr(rules, rule)]
        matches = [pattern.match(dice) for pattern in (self.pattern, *also)]
        return max([self.points.of(dice, match.making) for match in matches if match], default=0)


Box = UpperBox | LowerBox


@dataclass(frozen=True)
class UpperBonus:
    """Extra points for the sum of the upper section: `tiers` maps thresholds to points.

    The highest threshold reached counts: with `{63: 35, 71: 55}`, a sum of 71 or more earns 55.
    """

    tiers: Mapping[Annotated[int, at_least(1)], Annotated[int, at_least(1)]]
    clause: Clause

    def reached(self, upper: int) -> int | None:
        """The highest threshold that a sum of `upper` reaches; None if it reaches none."""
        return max([threshold for threshold in self.tiers if threshold <= upper], default=None)

    def points(self, upper: int) -> int:
        """The bonus for a sum of `upper`."""
        reached = self.reached(upper)
        return 0 if reached is None else self.tiers[reached]
