"""The dice that a move rolls: drawn at random, or typed in by a client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from service.rules.breaches import Breach
from service.rules.dice import Dice, Face, whole_number
from service.rules.violations import InvalidInput, Violation, refuse

Rolled = tuple[Face, ...]

Below = Callable[[int], int]
"""A source of random numbers: returns a number from 0 to n - 1, all equally likely."""


def numbers(dice: Rolled) -> tuple[int, ...]:
    """The dice as numbers; all faces must be numbers."""
    return tuple([face for face in dice if isinstance(face, int)])


@dataclass(frozen=True, slots=True)
class RollOf:
    """A roll of `count` dice that each show one of `faces`: a range of numbers, or a list."""

    count: int
    faces: range | tuple[Face, ...]


class Chance(Protocol):
    """The dice that a move rolls."""

    def draw(self, below: Below) -> Rolled:
        """Draws the dice with `below`; the same numbers always give the same dice."""

    def read(self, dice: object) -> Rolled:
        """Parses dice that a client typed in.

        Raises `InvalidInput` for impossible dice, with paths that begin at the list of dice.
        """


@dataclass(frozen=True, slots=True)
class NumberedDice:
    """A roll of all `dice`, which have no suits; `kept` has index and number of kept dice."""

    dice: Dice
    kept: Sequence[tuple[int, int]] = ()

    @property
    def roll(self) -> RollOf:
        """The faces that all dice can show."""
        dice = self.dice
        return RollOf(dice.count, tuple(dice.names) or range(1, dice.faces + 1))

    def draw(self, below: Below) -> Rolled:
        """All dice in order; those that aren't kept are drawn from left to right."""
        stay = dict(self.kept)
        dice, faces = self.dice, self.dice.faces
        return tuple(
            dice.named(
                [stay[place] if place in stay else below(faces) + 1 for place in range(dice.count)]
            )
        )

    def read(self, dice: object) -> Rolled:
        """Parses all dice after the roll, in order. Raises `InvalidInput` if a kept die changed."""
        numbers = self.dice.read_faces(dice, self.dice.count)
        written = self.dice.written_faces
        refuse(
            Violation((place,), Breach.KEPT(face=str(written[number - 1])))
            for place, number in self.kept
            if numbers[place] != number
        )
        return tuple(self.dice.named(numbers))


@dataclass(frozen=True, slots=True)
class OneDie:
    """A roll of a single die with `faces`, such as the risk die; a blank is 0."""

    faces: Sequence[int]

    @property
    def roll(self) -> RollOf:
        """The faces that it can show."""
        return RollOf(1, tuple(sorted(set(self.faces))))

    def draw(self, below: Below) -> Rolled:
        """Draws a face."""
        return (self.faces[below(len(self.faces))],)

    def read(self, dice: object) -> Rolled:
        """Parses a list of one face. Raises `InvalidInput` for another one."""
        faces = sorted(set(self.faces))
        if not isinstance(dice, list | tuple) or len(dice) != 1:
            raise InvalidInput(Violation((), Breach.NOT_ONE_FACE(numbers=faces)))
        face = whole_number(dice[0])
        if face is None or face not in self.faces:
            raise InvalidInput(Violation((0,), Breach.NOT_ONE_OF_NUMBERS(numbers=faces)))
        return (face,)
