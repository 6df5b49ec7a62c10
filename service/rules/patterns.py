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


_GROUP = {1: "die", 2: "pair", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Alike:
    """Groups of equal dice: `sizes=(3, 2)` is three of one number and two of another.

    The groups show different numbers unless `splitting`, which lets one big group stand for
    several: four alike are then also two pairs.
    """

    sizes: tuple[int, ...]
    splitting: bool = False

    def made_by(self, dice: Sequence[int]) -> Made | None:
        """The groups in the order of `sizes`, each of the highest number it can be; then the rest.

        How many dice show a number makes no difference: 1-1-1-2-2 holds a pair of twos.
        """
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
        """The highest numbers of groups of `sizes`, or None if the dice in `left` hold none."""
        if not sizes:
            return []
        for number in sorted(left, reverse=True):
            if left[number] >= sizes[0]:
                over = left[number] - sizes[0] if self.splitting else 0
                others = self._groups(sizes[1:], {**left, number: over})
                if others is not None:
                    return [number, *others]
        return None

    def compared(self, position: int) -> str:
        """Say "pair", "higher pair", "three", "group of 7", …, and "next die" for the others."""
        if position >= len(self.sizes):
            return "next die"
        size = self.sizes[position]
        name = _GROUP.get(size, f"group of {size}")
        count, before = self.sizes.count(size), self.sizes[:position].count(size)
        if count == 1:
            return name
        if 0 < before < count - 1:
            return f"next {name}"
        first, last = ("higher", "lower") if count == 2 else ("highest", "lowest")
        return f"{last if before else first} {name}"


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
