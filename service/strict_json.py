"""A strict JSON parser: it refuses duplicate keys, NaN and lone surrogates."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

_EXACT_DIGITS = 18
"""Whole numbers with more digits are parsed as floats. No field accepts such numbers, and Python
parses very long ones in quadratic time, or not at all."""


class InvalidJson(ValueError):
    """Invalid or ambiguous JSON; `why` says what is wrong, and `where` at which position."""

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(f"{why}, at {where}" if where else why)
        self.why, self.where = why, where


def decode(data: bytes | bytearray) -> object:
    """Parses `data`. Raises `InvalidJson` for invalid JSON, duplicate keys, NaN and the like.

    Whole numbers of more than 18 digits become floats, or infinity beyond a float's range.
    """
    try:
        text = data.decode()
        if text.startswith("\ufeff"):
            raise InvalidJson("it begins with a byte order mark")
        value = _decoder.decode(text)
        if "\\u" in text:
            _refuse_lone_surrogates(value)
    except UnicodeDecodeError as error:
        raise InvalidJson("it is not UTF-8", f"byte {error.start}") from None
    except RecursionError:
        raise InvalidJson("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise (InvalidJson(error.msg, where) if data else InvalidJson("it is empty")) from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InvalidJson(f"the key {json.dumps(key)} appears twice in one object")
            seen.add(key)
    return members


def _constant(name: str) -> None:
    raise InvalidJson(f"{name} is not a JSON number")


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _EXACT_DIGITS else float(digits)


def _fraction(text: str) -> float:
    """Parses a float; a fraction that would round to a whole number stays a fraction."""
    value = float(text)
    if len(text) > _EXACT_DIGITS - 2 and value.is_integer():
        try:
            whole = Decimal(text) == Decimal(value)
        except ArithmeticError:  # the exponent is too large
            whole = False
        if not whole:
            return math.nextafter(value, math.inf)
    return value


def _refuse_lone_surrogates(value: object) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidJson("a \\u escape is half of a surrogate pair") from None


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_fraction, parse_int=_whole
)
