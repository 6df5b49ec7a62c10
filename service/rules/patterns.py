"""Patterns that dice can make: groups alike, runs, dice of one colour, or any dice at all.

Score cards ask whether dice fit a pattern; rankings also ask which dice make it and in which
order numbers are compared when two hands make the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Match:
    """How dice make a pattern.

    `making`: the numbers of the dice that make it, in the order in which they count. `compared`:
    what two hands of the same pattern compare of those, left to right. `rest`: the other numbers,
    from the highest down.
    """

    making: tuple[int, ...]
    compared: tuple[int, ...]
    rest: tuple[int, ...]


class Pattern(Protocol):
    """Something that dice can make."""

    def match(self, dice: Sequence[int]) -> Match | None:
        """How the numbers in `dice` make this pattern, or None if they don't."""

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the faces that it looks at, none for most."""

    def size(self, count: int) -> int:
        """How many dice of `count` make this pattern."""

    def word(self, position: int) -> str:
        """What `(Match.compared + Match.rest)[position]` is, in words: "pair", "top die"."""


_GROUP = {1: "die", 2: "pair", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Alike:
    """Groups of equal dice: `sizes=(3, 2)` is three of one number and two of another.

    `sizes` go from the largest group down. The groups show different numbers unless `splitting`,
    which lets one big group stand for several: four alike are then also two pairs.
    """

    sizes: tuple[int, ...]
    splitting: bool = False

    def __post_init__(self) -> None:
        """Raises `ValueError` for sizes that are not from the largest down: the groups take the
        highest numbers in this order.
        """
        if not self.sizes or min(self.sizes) < 1 or [*self.sizes] != sorted(self.sizes)[::-1]:
            raise ValueError(f"groups of {self.sizes} must be 1 or more dice, the largest first")

    def match(self, dice: Sequence[int]) -> Match | None:
        """The groups in the order of `sizes`, each of the highest number it can be; then the rest.

        How many dice show a number makes no difference: 1-1-1-2-2 holds a pair of twos.
        """
        left = Counter(dice)
        groups = self._groups(self.sizes, left)
        if groups is None:
            return None
        making = tuple(
            number for number, size in zip(groups, self.sizes, strict=True) for _ in range(size)
        )
        return Match(making, tuple(groups), _without(dice, making))

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

    @property
    def colours(self) -> tuple[str, ...]:
        """None: it looks at numbers alone."""
        return ()

    def size(self, count: int) -> int:
        """All dice of the groups."""
        del count
        return sum(self.sizes)

    def word(self, position: int) -> str:
        """Return "pair", "higher pair", "three", "group of 7", …, and "next die" for the rest."""
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
    """`length` dice in sequence, the highest such sequence if there are several.

    With `start`, the one sequence that begins with that number: `Run(5, start=1)` is 1-2-3-4-5.
    """

    length: int
    start: int | None = None

    def match(self, dice: Sequence[int]) -> Match | None:
        """The sequence from its top die down, compared by its top die; then the rest."""
        numbers = set(dice)
        tops = sorted(numbers, reverse=True)
        if self.start is not None:
            tops = [self.start + self.length - 1]
        for top in tops:
            run = tuple(range(top, top - self.length, -1))
            if numbers.issuperset(run):
                return Match(run, (top,), _without(dice, run))
        return None

    @property
    def colours(self) -> tuple[str, ...]:
        """None: it looks at numbers alone."""
        return ()

    def size(self, count: int) -> int:
        """The length of the sequence."""
        del count
        return self.length

    def word(self, position: int) -> str:
        """Return "top die" for the sequence, then "next die"."""
        return "next die" if position else "top die"


@dataclass(frozen=True)
class AnyDice:
    """Whatever the dice show, compared from the highest down."""

    def match(self, dice: Sequence[int]) -> Match:
        """All the dice from the highest down."""
        ordered = tuple(sorted(dice, reverse=True))
        return Match(ordered, ordered, ())

    @property
    def colours(self) -> tuple[str, ...]:
        """None: it looks at numbers alone."""
        return ()

    def size(self, count: int) -> int:
        """All the dice."""
        return count

    def word(self, position: int) -> str:
        """Return "highest die", then "next die"."""
        return "next die" if position else "highest die"


@dataclass(frozen=True)
class OneColour:
    """A pattern whose dice are all of one colour.

    `colours` are those of the numbers, from 1 up, as the dice have them. Of several colours that
    make it, the one with the highest numbers counts.
    """

    pattern: Pattern
    colours: tuple[str, ...]

    def match(self, dice: Sequence[int]) -> Match | None:
        """How the dice of one colour make the pattern; the rest are all other dice."""
        needed = self.pattern.size(len(dice))
        matches: list[Match] = []
        for colour in set(self.colours):
            own = [number for number in dice if self.colours[number - 1] == colour]
            match = self.pattern.match(own) if len(own) >= needed else None
            if match:
                matches.append(Match(match.making, match.compared, _without(dice, match.making)))
        return max(matches, key=lambda match: match.compared, default=None)

    def size(self, count: int) -> int:
        """As many dice as the pattern takes."""
        return self.pattern.size(count)

    def word(self, position: int) -> str:
        """As the pattern says."""
        return self.pattern.word(position)


def _without(dice: Sequence[int], making: Sequence[int]) -> tuple[int, ...]:
    """The numbers in `dice` that are not in `making`, from the highest down."""
    return tuple(sorted((Counter(dice) - Counter(making)).elements(), reverse=True))
