"""How tests read the contract: what it holds, and whether an answer is as it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

Contract = dict[str, Any]

SESSIONS = "/v1/sessions"


def operations(contract: Contract) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation with its path and method."""
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def of_sessions(contract: Contract) -> dict[str, dict[str, Any]]:
    """The operations of sessions, by id."""
    return {
        operation["operationId"]: operation
        for path, _, operation in operations(contract)
        if path.startswith(SESSIONS)
    }


def answer(contract: Contract, operation: dict[str, Any], status: int) -> dict[str, Any]:
    """What `operation` says of its answers with `status`."""
    said: dict[str, Any] = operation["responses"][str(status)]
    return found(contract, said)


def found(contract: Contract, part: dict[str, Any]) -> dict[str, Any]:
    """`part`, or the component that it refers to."""
    while "$ref" in part:
        _, _, kind, name = part["$ref"].split("/")
        part = contract["components"][kind][name]
    return part


def validator(contract: Contract, schema: dict[str, Any]) -> Draft202012Validator:
    """Tells whether values are as `schema` of the contract says."""
    return Draft202012Validator({**schema, "components": contract["components"]})


def conforms(contract: Contract, schema: dict[str, Any], value: object) -> bool:
    """Whether `value` is as `schema` of the contract says; raises what isn't."""
    validator(contract, schema).validate(value)
    return True


def fields_named(contract: Contract, schema: dict[str, Any], value: Any) -> bool:
    """Whether `value` has no field that `schema` doesn't name, all the way down."""
    own = list(_applied(contract, schema, value))
    if isinstance(value, list):
        items = [part["items"] for part in own if "items" in part]
        return all(fields_named(contract, part, item) for part in items for item in value)
    named = [part["properties"] for part in own if "properties" in part]
    if isinstance(value, dict) and named:
        fields = {name: field for properties in named for name, field in properties.items()}
        return set(value) <= set(fields) and all(
            fields_named(contract, fields[name], inner) for name, inner in value.items()
        )
    if isinstance(value, dict):
        each = [part["additionalProperties"] for part in own if "additionalProperties" in part]
        return all(fields_named(contract, part, inner) for part in each for inner in value.values())
    return True


def _applied(contract: Contract, schema: dict[str, Any], value: object) -> Iterator[dict[str, Any]]:
    """The schemas that `schema` comes to for `value`: of alternatives the one that it conforms to.

    There must be one alone: schemas that are told apart only by what they leave out say too little.
    """
    schema = found(contract, schema)
    if "anyOf" in schema and all("properties" in found(contract, one) for one in schema["anyOf"]):
        [chosen] = [one for one in schema["anyOf"] if validator(contract, one).is_valid(value)]
        yield from _applied(contract, chosen, value)
    elif "anyOf" in schema and schema.get("type") != "array":
        for one in schema["anyOf"]:
            if validator(contract, one).is_valid(value):
                yield from _applied(contract, one, value)
                return
    for one in schema.get("allOf", ()):
        yield from _applied(contract, one, value)
    yield schema
