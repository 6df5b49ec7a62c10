"""The boxes of a score card: what a roll is worth in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.rules.house_rules import HouseRules
from service.rules.patterns import Pattern


@dataclass(frozen=True)
class UpperBox:
    """A box of the upper section: the sum of the dice that show `number`."""

    id: str
    number: int
    clause: str

    @property
    def needs(self) -> str:
        """What a roll must show to fill the box, in words."""
        return f"dice that show {self.number}"

    def score(self, dice: Sequence[int], _: HouseRules) -> int:
        """The points of `dice` in this box, under any house rules."""
        return self.number * dice.count(self.number)


@dataclass(frozen=True)
class LowerBox:
    """A box of the lower section: `points` for dice that make `pattern`.

    `points` None stands for the sum of all dice. `also` holds further patterns that fill the box
    under a house rule, by its name.
    """

    id: str
    pattern: Pattern
    points: int | None
    needs: str
    clause: str
    also: Mapping[str, Pattern] = field(default_factory=dict)

    def score(self, dice: Sequence[int], rules: HouseRules) -> int:
        """The points of `dice` in this box; 0 if they don't fill it."""
        also = [pattern for rule, pattern in self.also.items() if getattr(rules, rule)]
        patterns = [self.pattern, *also]
        return self.worth(dice) if any(p.made_by(dice) for p in patterns) else 0

    def worth(self, dice: Sequence[int]) -> int:
        """What the box gives for `dice` that fill it."""
        return sum(dice) if self.points is None else self.points


Box = UpperBox | LowerBox


@dataclass(frozen=True)
class UpperBonus:
    """`points` for an upper section that reaches `threshold`."""

    threshold: int
    points: int
    clause: str
