"""Parses a player's own layout from JSON, and reports all violations at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.kinds.layout.own_layout import Direction, OwnLine
from service.rules.dice import whole_number
from service.rules.house_rules import read_whole
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation, read_each

FURTHEST = 1000
"""Rows and columns of a player's own layout are at most this far from 0."""

DIRECTIONS: tuple[Direction, Direction] = ("across", "down")

FIELDS = ("dice", "direction", "row", "column")


def most_lines(dice: int, uses: int) -> int:
    """The most lines of a layout: a line has two dice or more, a die is in up to `uses` lines."""
    return dice * uses // 2


def read_die_numbers(value: object, count: int) -> tuple[int, ...]:
    """Parses the numbers of two or more different dice of `count`. Raises `InvalidInput`."""
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= count:
        raise InvalidInput(Violation((), f"must be a list of 2 to {count} dice"))
    violations: list[Violation] = []
    dice: list[int] = []
    for index, item in enumerate(value):
        die = whole_number(item)
        if die is None or not 0 <= die < count:
            detail = f"must be the number of a die in the first roll, from 0 to {count - 1}"
            violations.append(Violation((index,), detail))
        elif die in dice:
            violations.append(Violation((index,), f"repeats die {die}"))
        else:
            dice.append(die)
    if violations:
        raise InvalidInput(*violations)
    return tuple(dice)


def read_lines(value: object, dice: int, most: int) -> tuple[OwnLine, ...]:
    """Parses up to `most` lines of `dice` dice. Raises `InvalidInput` with all violations."""
    if not isinstance(value, list | tuple) or len(value) > most:
        raise InvalidInput(Violation((), f"must be a list of up to {most} lines"))
    return tuple(read_each(value, lambda line: _read_line(line, dice)))


def _read_line(value: object, count: int) -> OwnLine:
    if not isinstance(value, Mapping):
        raise InvalidInput(Violation((), "must be an object"))
    violations = [
        Violation((name,), f"is not a known field; the fields are {', '.join(FIELDS)}")
        for name in [*value][:MAX_CHECKED]
        if name not in FIELDS
    ]
    readers: dict[str, Callable[[object], Any]] = {
        "dice": lambda dice: read_die_numbers(dice, count),
        "direction": _read_direction,
        "row": _read_place,
        "column": _read_place,
    }
    read: dict[str, Any] = {}
    for name, reader in readers.items():
        if name in value:
            try:
                read[name] = reader(value[name])
            except InvalidInput as refused:
                violations += [
                    Violation((name, *violation.path), violation.detail)
                    for violation in refused.violations
                ]
    if "dice" not in value:
        violations.append(Violation(("dice",), "is missing"))
    if violations:
        raise InvalidInput(*violations)
    return OwnLine(**read)


def _read_direction(value: object) -> Direction | None:
    if value is None or value == "across" or value == "down":
        return value
    raise InvalidInput(Violation((), f"must be one of {', '.join(DIRECTIONS)}"))


def _read_place(value: object) -> int | None:
    if value is None:
        return None
    return read_whole(value, -FURTHEST, FURTHEST, nullable=True)
