"""Requests of operations, from files or from options on the command line."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from service.api.http.problems import violations_of
from service.api.operations.operation import Answer, Operation
from service.api.operations.registry import operations
from service.api.schemas.shapes import JsonSchema
from service.cli.command import CommandError, read_saved
from service.cli.own_settings import own_settings
from service.kinds.scorecard.variant import ScoreCard
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode
from service.tables import NotReady
from service.tables.prepare import wait_for_table
from service.tables.serving import shared_tables
from service.variants import variants

_METAVARS = {
    "array": "LIST",
    "arrays": "LISTS",
    "object": "NAME=VALUE",
    "integer": "N",
    "boolean": "true|false",
}
"""What help calls a value of each JSON type."""

_WORDS = {"true": True, "false": False, "null": None}

_WHOLE = re.compile(r"-?[0-9]{1,15}", re.ASCII)

_SEPARATOR = re.compile(r"[,\s]+")


def find_operation(variant: str, name: str) -> Operation:
    """The operation `name` of the game `variant`. Raises `CommandError` if it has none."""
    found = {
        operation.variant.id: operation
        for operation in operations(variants().values(), own_settings())
        if operation.name == name
    }
    if variant not in found:
        raise CommandError(f"{name} knows the games {', '.join(found)}, not {variant}")
    return found[variant]


def add_fields(parser: ArgumentParser, operation: Operation) -> None:
    """Adds an option for each field of the request of `operation`."""
    for name, shape in operation.request.json_schema["properties"].items():
        parser.add_argument(
            _flag(name),
            dest=name,
            metavar=_METAVARS.get(_kind(shape), "WORD"),
            help=shape.get("description", "").replace("%", "%%"),
        )


def given_fields(options: Namespace, operation: Operation) -> dict[str, object]:
    """The fields of the request in `options`. Raises `CommandError` for values that no field has.

    The schema of the request isn't checked yet.
    """
    given: dict[str, object] = {}
    for name, shape in operation.request.json_schema["properties"].items():
        text = getattr(options, name)
        if text is not None:
            try:
                given[name] = parse_value(text, _kind(shape))
            except CommandError as error:
                raise CommandError(f"{_flag(name)}: {error}") from None
    return given


def option_at(pointer: str, operation: Operation) -> str:
    """Where a JSON `pointer` leads, in terms of the options of `add_fields`: `/house_rules/aces` is
    "aces in --house-rules", and `/dice/4` is "value 5 in --dice".
    """
    first, *inner = pointer.removeprefix("/").split("/")
    named = [_flag(first) if first in operation.request.load_fields else first]
    for step in inner:
        named.append(f"value {int(step) + 1}" if step.isdecimal() else step)
    words = " in ".join(reversed(named))
    return words.replace("~1", "/").replace("~0", "~")


def read_object(file: Path) -> dict[str, Any]:
    """The JSON object in `file`; `-` is standard input. Raises `CommandError` if there is none."""
    data = read_saved(file)
    try:
        body = decode(data)
    except InvalidJson as error:
        raise CommandError(f"{file} is not valid JSON: {error}") from None
    if not isinstance(body, dict):
        raise CommandError(f"{file} must hold a JSON object")
    return body


def run(
    operation: Operation, body: Mapping[str, object], place: Callable[[str], str] = str
) -> Answer:
    """The response to `body`, once the table that it needs is made.

    Raises `CommandError` with a line for each violation, or if the table can't be made. `place`
    names where a violation is for the user, who may not have written JSON, given a JSON pointer.
    """
    variant = operation.variant
    if isinstance(variant, ScoreCard):
        shared_tables(own_settings(), starts_makers=False)  # or the operation would have them made
    try:
        try:
            return operation.run(body)
        except NotReady:
            assert isinstance(variant, ScoreCard), "no other game has tables"
        wait_for_table(variant, operation.read(body)["house_rules"], own_settings())
        return operation.run(body)
    except NotReady as why:
        raise CommandError(f"The table of {variant.id} can't be made: {why}.") from None
    except InvalidInput as error:
        lines = [f"{place(pointer)} {detail}".lstrip() for pointer, detail in violations_of(error)]
        raise CommandError(*lines) from None


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _kind(shape: JsonSchema) -> str:
    """The JSON type of a field, such as "array"; "arrays" for a list of lists."""
    shape = shape.get("anyOf", [shape])[0]  # otherwise it is null
    if shape.get("items", {}).get("type") == "array":
        return "arrays"
    kind = shape["type"]
    return str(kind[0] if isinstance(kind, list) else kind)


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
