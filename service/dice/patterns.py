"""Patterns that dice can make: groups alike, runs in sequence, or any dice at all.

Score cards ask whether dice fit a pattern; rankings also ask which dice make it and in which
order numbers are compared when two hands make the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Made:
    """How dice make a pattern.

    `dice`: all the numbers, those of the pattern first, then the rest from the highest down.
    `numbers`: what two hands of the same pattern compare, left to right.
    """

    dice: tuple[int, ...]
    numbers: tuple[int, ...]


class Pattern(Protocol):
    """Something that dice can make."""

    def made_by(self, dice: Sequence[int]) -> Made | None:
        """How the numbers in `dice` make this pattern, or None if they don't."""

    def compared(self, position: int) -> str:
        """What `Made.numbers[position]` is, in words: "pair", "top die"."""


_GROUP = {2: "pair", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Alike:
    """Groups of equal dice: `sizes=(3, 2)` is three of one number and two of another.

    The groups show different numbers unless `splitting`, which lets one big group stand for
    several: four alike are then also two pairs.
    """

    sizes: tuple[int, ...]
    splitting: bool = False

    def made_by(self, dice: Sequence[int]) -> Made | None:
        """The groups, larger first, then the higher number; then the dice left over."""
        left = Counter(dice)
        groups = self._groups(self.sizes, left)
        if groups is None:
            return None
        used = tuple(
            number for number, size in zip(groups, self.sizes, strict=True) for _ in range(size)
        )
        rest = tuple(sorted((left - Counter(used)).elements(), reverse=True))
        return Made(used + rest, tuple(groups) + rest)

    def _groups(self, sizes: Sequence[int], left: Mapping[int, int]) -> list[int] | None:
        """The number of each group, or None if the dice in `left` hold no such groups."""
        if not sizes:
            return []
        for number in sorted(left, key=lambda n: (left[n], n), reverse=True):
            if left[number] >= sizes[0]:
                over = left[number] - sizes[0] if self.splitting else 0
                others = self._groups(sizes[1:], {**left, number: over})
                if others is not None:
                    return [number, *others]
        return None

    def compared(self, position: int) -> str:
        """Say "pair", "higher pair", "three", …, and "next die" for those left over."""
        if position >= len(self.sizes):
            return "next die"
        name = _GROUP[self.sizes[position]]
        if self.sizes.count(self.sizes[position]) == 1:
            return name
        return f"{'higher' if position == 0 else 'lower'} {name}"


@dataclass(frozen=True)
class Run:
    """`length` dice in sequence, the highest such sequence if there are several."""

    length: int

    def made_by(self, dice: Sequence[int]) -> Made | None:
        """The sequence from its top die down, compared by its top die; then the rest."""
        numbers = set(dice)
        for top in sorted(numbers, reverse=True):
            run = tuple(range(top, top - self.length, -1))
            if numbers.issuperset(run):
                rest = tuple(sorted((Counter(dice) - Counter(run)).elements(), reverse=True))
                return Made(run + rest, (top, *rest))
        return None

    def compared(self, position: int) -> str:
        """Say "top die" of the sequence, then "next die"."""
        return "next die" if position else "top die"


@dataclass(frozen=True)
class AnyDice:
    """Whatever the dice show, compared from the highest down."""

    def made_by(self, dice: Sequence[int]) -> Made:
        """All the dice from the highest down."""
        ordered = tuple(sorted(dice, reverse=True))
        return Made(ordered, ordered)

    def compared(self, position: int) -> str:
        """Say "highest die", then "next die"."""
        return "next die" if position else "highest die"
