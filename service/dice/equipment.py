"""Dice as equipment, and how they are written down: `4` for a plain die, `4r` for a suited one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from service.dice.refusal import Fault, Refused


@dataclass(frozen=True)
class Suit:
    """A colour of dice: the letter that notation uses, and its name."""

    letter: str
    name: str


def whole_number(value: object) -> int | None:
    """`value` as an int if it is a whole number as JSON Schema has it (3 and 3.0), else None.

    True, "3" and 3.5 are no whole numbers.
    """
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return None


@dataclass(frozen=True)
class Dice:
    """The dice a variant is played with.

    `count` dice lie in the set, each with `faces` numbered faces. With `suits`, the set holds
    equally many dice of each suit, and a die is handled by its *code*,
    `faces * suit index + number - 1`, so that codes sort by suit, then number.
    """

    count: int
    faces: int = 6
    suits: tuple[Suit, ...] = ()

    @property
    def per_suit(self) -> int:
        """How many dice of each suit the set holds; 0 for plain dice."""
        return self.count // len(self.suits) if self.suits else 0

    @cached_property
    def notation(self) -> tuple[str, ...]:
        """Every suited die as written, in the order of the codes: `1r` … `6y`."""
        return tuple(
            f"{number}{suit.letter}" for suit in self.suits for number in range(1, self.faces + 1)
        )

    @cached_property
    def _codes(self) -> Mapping[object, int]:
        return {written: code for code, written in enumerate(self.notation)}

    def number(self, code: int) -> int:
        """The number that the suited die `code` shows."""
        return code % self.faces + 1

    def written(self, codes: Sequence[int]) -> list[str]:
        """Suited dice by `codes`, as notation."""
        return [self.notation[code] for code in codes]

    def read_numbers(self, dice: object, count: int) -> tuple[int, ...]:
        """`count` plain dice as ints from 1 to `faces`; whole floats are taken for ints.

        Raises `Refused` naming every die that can't be, and a wrong number of dice.
        """
        values = _as_list(dice)
        numbers: list[int] = []
        faults: list[Fault] = []
        for index, value in enumerate(values):
            number = whole_number(value)
            if number is None:
                faults.append(Fault((index,), f"must be a whole number between 1 and {self.faces}"))
            elif not 1 <= number <= self.faces:
                faults.append(Fault((index,), f"must be between 1 and {self.faces}"))
            else:
                numbers.append(number)
        _check_count(len(values), (count,), faults)
        return tuple(numbers)

    def read_codes(self, dice: object, counts: Collection[int]) -> tuple[int, ...]:
        """Suited dice in notation as codes, in the order given; one of `counts` dice.

        Raises `Refused` naming every die that can't be, and a wrong number of dice.
        """
        values = _as_list(dice)
        codes: list[int] = []
        faults: list[Fault] = []
        for index, value in enumerate(values):
            code = self._codes.get(value) if isinstance(value, str) else None
            if code is None:
                letters = ", ".join(suit.letter for suit in self.suits)
                faults.append(
                    Fault(
                        (index,),
                        f"must be a number from 1 to {self.faces} and a suit letter "
                        f"({letters}), such as {self.notation[self.faces - 1]}",
                    )
                )
            else:
                codes.append(code)
        _check_count(len(values), counts, faults)
        return tuple(codes)


def _as_list(dice: object) -> Sequence[object]:
    if isinstance(dice, list | tuple):
        return dice
    raise Refused(Fault((), "must be a list of dice"))


def _check_count(found: int, counts: Collection[int], faults: list[Fault]) -> None:
    """Adds a fault unless `found` is one of `counts`; raises if there are any faults."""
    if found not in counts:
        *most, last = map(str, sorted(counts))
        wanted = f"{', '.join(most)} or {last}" if most else last
        noun = "die" if wanted == "1" else "dice"
        faults.insert(0, Fault((), f"must hold {wanted} {noun}, not {found}"))
    if faults:
        raise Refused(*faults)
