"""Dice as equipment, and their notation.

The notation of a plain die is `4`, of a die with named faces `K`, and of a suited die `4r`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import unique
from functools import cached_property
from typing import Annotated

from service.rules.breaches import Breach
from service.rules.field_types import OneLine, between, different, require, written
from service.rules.sentences import Sentence, Wording
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation, refuse

MAX_DICE, MAX_FACES = 20, 100
"""The most dice in a set, and the most faces of a die."""

Letter = Annotated[str, written("[A-Za-z0-9]", "a letter or digit")]

Face = int | str
"""What a die shows, in notation: a number, `K`, `6r`, `As`."""


@dataclass(frozen=True)
class Suit:
    """A colour of dice: the letter that notation uses, and its name."""

    letter: Letter
    name: OneLine


def whole_number(value: object) -> int | None:
    """`value` as an int if JSON Schema calls it an integer (3 and 3.0), else None.

    True, "3" and 3.5 are not whole numbers.
    """
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return None


@unique
class Notation(Wording):
    """How dice are written."""

    NUMBER = "a number from 1 to {faces}"
    NAME = "one of {names}"
    NUMBER_AND_SUIT = "a number from 1 to {faces}, then a suit letter: {letters}"
    NAME_AND_SUIT = "one of {names}, then a suit letter: {letters}"
    CARD = "a rank ({ranks}; the ten also as 10), then a suit letter: {letters}; a blank is {blank}"


@dataclass(frozen=True)
class DiceSet(ABC):
    """The dice a variant is played with: `count` of them, each with `faces`, in `suits` if any.

    `names` has a letter or digit for each face, from the lowest up; without names, faces are
    written as numbers. `colours` has the colour of each face, for patterns of one colour.
    """

    count: Annotated[int, between(2, MAX_DICE)]
    faces: Annotated[int, between(2, MAX_FACES)] = 6
    suits: Annotated[
        tuple[Suit, ...], different("suits with different letters", lambda suit: suit.letter)
    ] = ()
    names: Annotated[tuple[Letter, ...], different("different letters", str)] = ()
    colours: tuple[OneLine, ...] = ()

    @property
    @abstractmethod
    def how_written(self) -> Sentence:
        """Describes the notation of a die."""

    def check(self) -> None:
        """Raises `Mistake` for what contradicts itself in the description of the dice."""
        for name in ("names", "colours"):
            sentence = f"dice: {name} must have one for each of the {self.faces} faces, or none"
            require(len(getattr(self, name)) in (0, self.faces), sentence)


@dataclass(frozen=True)
class Dice(DiceSet):
    """Dice with numbered faces.

    The rules use numbers only: the number of a face with a name is its position, from 1.

    With `suits`, the set has equally many dice of each suit, and the rules use the *code* of a die:
    `faces * suit index + number - 1`. So codes sort by suit, then by number.
    """

    @property
    def textual(self) -> bool:
        """Whether a die is written as a text of `width` characters, and not as a number."""
        return bool(self.names or self.suits)

    @property
    def width(self) -> int:
        """The number of characters of a die that is written as text."""
        return 2 if self.suits else 1

    @property
    def apart(self) -> bool:
        """Whether dice in one text need something between them: numbers of one or two digits."""
        return self.faces > 9 and not self.names

    @cached_property
    def written_faces(self) -> tuple[Face, ...]:
        """Every face in notation, from the lowest up."""
        return self.names or tuple(range(1, self.faces + 1))

    def named(self, numbers: Sequence[int]) -> Sequence[Face]:
        """`numbers` in notation."""
        return [self.names[number - 1] for number in numbers] if self.names else numbers

    def numbers(self, written: Sequence[Face]) -> tuple[int, ...]:
        """The numbers of valid faces in notation."""
        return tuple([self._numbers[face] for face in written])

    @property
    def per_suit(self) -> int:
        """The number of dice of each suit in the set; 0 for plain dice."""
        return self.count // len(self.suits) if self.suits else 0

    @cached_property
    def notation(self) -> tuple[str, ...]:
        """Every suited die in notation, in the order of the codes: `1r` … `6y`."""
        return tuple(f"{face}{suit.letter}" for suit in self.suits for face in self.written_faces)

    @cached_property
    def number_of(self) -> tuple[int, ...]:
        """The number that each suited die shows, by its code."""
        return tuple(code % self.faces + 1 for code in range(len(self.notation)))

    @cached_property
    def suit_of(self) -> tuple[int, ...]:
        """The index of the suit of each suited die, by its code."""
        return tuple(code // self.faces for code in range(len(self.notation)))

    @cached_property
    def _numbers(self) -> Mapping[object, int]:
        return {written: number for number, written in enumerate(self.written_faces, start=1)}

    @cached_property
    def _codes(self) -> Mapping[object, int]:
        return {written: code for code, written in enumerate(self.notation)}

    @property
    def how_written(self) -> Sentence:
        """Describes the notation of a die."""
        suited = Notation.NAME_AND_SUIT if self.names else Notation.NUMBER_AND_SUIT
        plain = Notation.NAME if self.names else Notation.NUMBER
        return (suited if self.suits else plain)(
            faces=self.faces,
            names=" ".join(self.names),
            letters=" ".join(suit.letter for suit in self.suits),
        )

    def written(self, codes: Sequence[int]) -> list[str]:
        """Suited dice by `codes`, in notation."""
        return [self.notation[code] for code in codes]

    def split(self, text: str, counts: Collection[int], between: str = "") -> list[str]:
        """The dice in a text such as `13356`, in which the characters `between` dice are ignored.

        What isn't a die is left to `read`, unless there aren't one of `counts` dice, so that nobody
        knows how many are meant: then raises `InvalidInput`.
        """
        bare = "".join(character for character in text if character not in between)
        dice = [bare[place : place + self.width] for place in range(0, len(bare), self.width)]
        known = [*(self.notation or map(str, self.written_faces))]
        if len(dice) in counts or all(die in known for die in dice):
            return dice
        shown = text if len(text) <= MAX_CHECKED else f"{text[:MAX_CHECKED]}…"
        some = "".join(known[: min(counts)])
        raise InvalidInput(Violation((), Breach.NOT_DICE(example=some, value=shown)))

    def read(self, dice: object, counts: Collection[int]) -> tuple[int, ...]:
        """Parses one of `counts` dice: returns codes of suited dice, numbers of others.

        Raises what `read_codes` and `read_faces` raise.
        """
        return self.read_codes(dice, counts) if self.suits else self.read_faces(dice, min(counts))

    def read_codes(self, dice: object, counts: Collection[int]) -> tuple[int, ...]:
        """Parses one of `counts` suited dice, and returns their codes in the same order.

        Raises `InvalidInput` naming every invalid die, and a wrong number of dice.
        """
        return _read_texts(dice, counts, self._codes, self._not_a_die)

    def read_faces(self, dice: object, count: int) -> tuple[int, ...]:
        """Parses `count` dice without suits, and returns their numbers.

        Raises `InvalidInput` naming every invalid die, and a wrong number of dice.
        """
        if not self.names:
            return self.read_numbers(dice, count)
        not_one = Breach.NOT_ONE_OF(allowed=list(self.names))
        return _read_texts(dice, (count,), self._numbers, lambda: not_one)

    def check_numbers(self, numbers: Sequence[int]) -> None:
        """Raises `InvalidInput` unless `numbers` are a roll of all dice.

        The violations are those of `read_faces`.
        """
        faces = dict(enumerate(self.written_faces, start=1))
        self.read_faces([faces.get(number, number) for number in numbers], self.count)

    def read_numbers(self, dice: object, count: int) -> tuple[int, ...]:
        """Parses `count` plain dice: ints from 1 to `faces`, or floats such as 3.0.

        Raises `InvalidInput` naming every invalid die, and a wrong number of dice.
        """
        values, violations = _values(dice, (count,))
        numbers: list[int] = []
        for index, value in enumerate(values):
            number = whole_number(value)
            if number is not None and 1 <= number <= self.faces:
                numbers.append(number)
            else:
                detail = Breach.OUT_OF_RANGE(
                    minimum=1, maximum=self.faces, whole=number is None or None
                )
                violations.append(Violation((index,), detail))
        refuse(violations)
        return tuple(numbers)

    def _not_a_die(self) -> Sentence:
        """What is wrong with a die that isn't one of these suited dice."""
        suits = [suit.letter for suit in self.suits]
        example = self.notation[self.faces - 1]
        if self.names:
            names = list(self.names)
            return Breach.NOT_A_NAMED_DIE(allowed=names, suits=suits, example=example)
        return Breach.NOT_A_SUITED_DIE(minimum=1, maximum=self.faces, suits=suits, example=example)


def _values(dice: object, counts: Collection[int]) -> tuple[Sequence[object], list[Violation]]:
    """The values in a list of dice, and a violation unless there are one of `counts`."""
    if not isinstance(dice, list | tuple):
        raise InvalidInput(Violation((), Breach.NOT_A_LIST(of="dice")))
    if len(dice) in counts:
        return dice, []
    detail = Breach.WRONG_NUMBER_OF_DICE(
        numbers=sorted(counts), maximum=max(counts), count=len(dice)
    )
    return dice[:MAX_CHECKED], [Violation((), detail)]


def _read_texts(
    dice: object,
    counts: Collection[int],
    known: Mapping[object, int],
    must_be: Callable[[], Sentence],
) -> tuple[int, ...]:
    """Parses one of `counts` dice of those `known`; `must_be` says what a die must be."""
    values, violations = _values(dice, counts)
    try:
        read = tuple([known[value] for value in values])
    except (KeyError, TypeError):  # a die that isn't in the set, or isn't even a text
        written, detail = [*known], must_be()
        violations += [
            Violation((index,), detail) for index, die in enumerate(values) if die not in written
        ]
    refuse(violations)
    return read
