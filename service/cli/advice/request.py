"""Requests of operations, from files or from options on the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marshmallow import ValidationError, fields

from service.api.http.problems import Problem, violations_of
from service.api.operations.operation import Answer, Operation
from service.api.operations.registry import operations
from service.cli.advice.values import parse_value
from service.cli.command_error import CommandError
from service.cli.own_settings import own_settings
from service.cli.saved import read_saved
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode
from service.tables import NotReady
from service.tables.blocking import wait_for_table
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
    for name, field in operation.request.load_fields.items():
        parser.add_argument(
            _flag(name),
            dest=name,
            metavar=_METAVARS.get(_kind(field), "WORD"),
            help=_description(field).replace("%", "%%"),
        )


def given_fields(options: Namespace, operation: Operation) -> dict[str, object]:
    """The fields of the request in `options`. Raises `CommandError` for values that no field has.

    The schema of the request isn't checked yet.
    """
    given: dict[str, object] = {}
    for name, field in operation.request.load_fields.items():
        text = getattr(options, name)
        if text is not None:
            try:
                given[name] = parse_value(text, _kind(field))
            except CommandError as error:
                raise CommandError(f"{_flag(name)}: {error}") from None
    return given


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


def run(operation: Operation, body: Mapping[str, object]) -> Answer:
    """The response to `body`, once the table that it needs is made.

    Raises `CommandError` with a line for each violation, or if the table can't be made.
    """
    variant = operation.variant
    if isinstance(variant, ScoreCard):
        shared_tables(own_settings(), starts_makers=False)  # or the operation would have them made
    try:
        try:
            return operation.run(body)
        except Problem:  # there is no table yet
            rules = operation.read(body)["house_rules"]
        _make_table(variant, rules)
        return operation.run(body)
    except (ValidationError, InvalidInput) as error:
        lines = [f"{pointer} {detail}".lstrip() for pointer, detail in violations_of(error)]
        raise CommandError(*lines) from None
    except Problem as problem:
        raise CommandError(problem.detail) from None


def _make_table(variant: Any, rules: HouseRules) -> None:
    """Waits until the table of a score card is made. Raises `CommandError` if it can't be made."""
    try:
        wait_for_table(variant, rules, own_settings())
    except NotReady as why:
        raise CommandError(f"The table of {variant.id} can't be made: {why}.") from None


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _kind(field: fields.Field[Any]) -> str:
    """The JSON type of a field, such as "array"; "arrays" for a list of lists."""
    if isinstance(field, fields.Nested):
        return "object"
    json_schema = getattr(field, "json_schema", {})
    if json_schema.get("items", {}).get("type") == "array":
        return "arrays"
    kind = json_schema.get("type", "string")
    return str(kind[0] if isinstance(kind, list) else kind)


def _description(field: fields.Field[Any]) -> str:
    own = field.metadata.get("description")
    return str(own or getattr(field, "json_schema", {}).get("description", ""))
