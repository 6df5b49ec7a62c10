"""The values of options on the command line: JSON, or a shorter form without quotes."""

from __future__ import annotations

import re

from service.cli.command_error import CommandError
from service.strict_json import InvalidJson, decode

_WORDS = {"true": True, "false": False, "null": None}

_WHOLE = re.compile(r"-?[0-9]{1,15}", re.ASCII)

_SEPARATOR = re.compile(r"[,\s]+")


def parse_value(text: str, kind: str) -> object:
    """Parses `text` as the value of a field whose JSON type is `kind`, or a list of lists
    (`arrays`).

    Text that begins with a bracket is JSON. Otherwise `1,3,3,5,6` or `1 3 3 5 6` is a list, and so
    is `13356`; semicolons separate lists within a list; `ones=3,twos=6` is an object. Raises
    `CommandError` for text that is none of these; the schema of the request checks the values.
    """
    text = text.strip()
    if text[:1] in ("[", "{", '"'):
        try:
            return decode(text.encode(errors="surrogateescape"))
        except InvalidJson as error:
            raise CommandError(f"{text} is not valid JSON: {error}") from None
    if kind == "object":
        return _object(text)
    if kind == "arrays":
        return [_listed(part) for part in text.split(";") if part]
    if kind == "array":
        return _listed(text)
    return _single(text)


def _listed(text: str) -> list[object]:
    if text.isascii() and text.isdigit():
        return [int(digit) for digit in text]
    return [_single(word) for word in _SEPARATOR.split(text) if word]


def _object(text: str) -> dict[str, object]:
    """Names and values; raises `CommandError` for a part without a name, or a name given twice."""
    parsed: dict[str, object] = {}
    for part in _SEPARATOR.split(text):
        if not part:
            continue
        name, separator, value = part.partition("=")
        if not (name and separator):
            raise CommandError(f"{part} must be a name and a value, such as ones=3")
        if name in parsed:
            raise CommandError(f"{name} is given twice")
        parsed[name] = _single(value)
    return parsed


def _single(word: str) -> object:
    if word in _WORDS:
        return _WORDS[word]
    return int(word) if _WHOLE.fullmatch(word) else word
