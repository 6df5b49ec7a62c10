"""Patterns that dice can make: groups of equal dice, runs, dice of one colour, or any dice.

Score cards only need to know whether dice make a pattern. Rankings also need to know which dice
make it, and in which order to compare the numbers of two hands with the same pattern.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Protocol, runtime_checkable

from service.rules.field_types import Must, at_least


@dataclass(frozen=True, slots=True)
class Match:
    """How dice make a pattern.

    `making` has the numbers of the dice that make it, in the order in which they count. `compared`
    has those of them that decide between two hands, left to right. `rest` has the other numbers,
    from the highest down.
    """

    making: tuple[int, ...]
    compared: tuple[int, ...]
    rest: tuple[int, ...]


@runtime_checkable
class Pattern(Protocol):
    """Something that dice can make."""

    def match(self, dice: Sequence[int]) -> Match | None:
        """How the numbers in `dice` make this pattern, or None if they don't."""

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of all faces if it depends on them, otherwise empty."""

    def size(self, count: int) -> int:
        """The number of dice, of `count`, that make this pattern."""

    def word(self, position: int) -> str:
        """Describes `(Match.compared + Match.rest)[position]`: "pair", "top die"."""


GamePattern = Annotated[
    Pattern,
    Must(
        "a pattern without colours, or with those of the dice",
        lambda pattern, game: pattern.colours in ((), game.dice.colours),
    ),
]
"""A pattern in a description."""

_GROUP = {1: "die", 2: "pair", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Alike:
    """Groups of equal dice: `sizes=(3, 2)` is three of one number and two of another.

    `sizes` begin with the largest group. The groups have different numbers unless `splitting`,
    which allows one large group to count as several: four alike are then also two pairs.
    """

    sizes: Annotated[
        tuple[Annotated[int, at_least(1)], ...],
        Must(
            "one or more sizes, the largest first",  # the groups take the highest numbers so
            lambda sizes, _: sizes and sorted(sizes, reverse=True) == [*sizes],
        ),
    ]
    splitting: bool = False
    colours: ClassVar[tuple[str, ...]] = ()

    def match(self, dice: Sequence[int]) -> Match | None:
        """The groups in the order of `sizes`, each of the highest possible number; then the rest.

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
        """The highest numbers of groups of `sizes`; None if `left` has no such groups."""
        if not sizes:
            return []
        for number in sorted(left, reverse=True):
            if left[number] >= sizes[0]:
                over = left[number] - sizes[0] if self.splitting else 0
                others = self._groups(sizes[1:], {**left, number: over})
                if others is not None:
                    return [number, *others]
        return None

    def size(self, count: int) -> int:
        """The number of dice in all groups."""
        del count
        return sum(self.sizes)

    def word(self, position: int) -> str:
        """Returns "pair", "higher pair", "three", "group of 7", …, and "next die" for the rest."""
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
    """`length` dice in sequence; of several sequences, the highest.

    With `start`, only the sequence that begins with that number: `Run(5, start=1)` is 1-2-3-4-5.
    """

    length: Annotated[int, at_least(1)]
    start: int | None = None
    colours: ClassVar[tuple[str, ...]] = ()

    def match(self, dice: Sequence[int]) -> Match | None:
        """The sequence from its top die down, which decides; then the rest."""
        numbers = set(dice)
        tops = sorted(numbers, reverse=True)
        if self.start is not None:
            tops = [self.start + self.length - 1]
        for top in tops:
            run = tuple(range(top, top - self.length, -1))
            if numbers.issuperset(run):
                return Match(run, (top,), _without(dice, run))
        return None

    def size(self, count: int) -> int:
        """The length of the sequence."""
        del count
        return self.length

    def word(self, position: int) -> str:
        """Returns "top die" for the sequence, then "next die"."""
        return "next die" if position else "top die"


@dataclass(frozen=True)
class AnyDice:
    """Any dice, compared from the highest down."""

    colours: ClassVar[tuple[str, ...]] = ()

    def match(self, dice: Sequence[int]) -> Match:
        """All the dice from the highest down."""
        ordered = tuple(sorted(dice, reverse=True))
        return Match(ordered, ordered, ())

    def size(self, count: int) -> int:
        """The number of all dice."""
        return count

    def word(self, position: int) -> str:
        """Returns "highest die", then "next die"."""
        return "next die" if position else "highest die"


@dataclass(frozen=True)
class OneColour:
    """A pattern whose dice are all of one colour.

    `colours` has the colour of each number from 1 up, as the dice do. If several colours make the
    pattern, the one with the highest numbers counts.
    """

    pattern: GamePattern
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
        """The number of dice that the inner pattern needs."""
        return self.pattern.size(count)

    def word(self, position: int) -> str:
        """The word of the inner pattern."""
        return self.pattern.word(position)


def _without(dice: Sequence[int], making: Sequence[int]) -> tuple[int, ...]:
    """The numbers in `dice` that are not in `making`, from the highest down."""
    return tuple(sorted((Counter(dice) - Counter(making)).elements(), reverse=True))
