"""The contract has only shapes that generators of clients take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.openapi import Contract, operations

VALUES = ("example", "examples", "x-request")
"""The keys of values, which are no schemas."""


def schemas(part: Any, path: str = "", *, named: bool = False) -> Iterator[tuple[str, Any]]:
    """Every object in `part` of the contract with its path; with `named`, its keys are names."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from schemas(item, f"{path}/{index}")
    elif isinstance(part, dict):
        if not named:
            yield path, part
        for key, value in part.items():
            if named or key not in VALUES:
                names = key == "properties" and not named
                yield from schemas(value, f"{path}/{key}", named=names)


@pytest.mark.general
def test_lists_are_plain(contract: Contract) -> None:
    """No list has items of its own at its beginning, and none is a choice of lengths."""
    for path, schema in schemas(contract):
        assert "prefixItems" not in schema, path
        lengths = [choice.keys() & {"minItems", "maxItems"} for choice in schema.get("anyOf", ())]
        assert sum(map(bool, lengths)) <= 1, path


@pytest.mark.general
def test_enums_are_typed(contract: Contract) -> None:
    """Every enum has a type and no null among its values; enums of several words have names."""
    for path, schema in schemas(contract):
        if "enum" in schema:
            assert schema["type"] == "string", path
            if len(schema["enum"]) > 1:
                assert path == f"/components/schemas/{path.rsplit('/', 1)[1]}", path


@pytest.mark.general
def test_optional_fields_have_no_default(contract: Contract) -> None:
    """Only parameters have the keyword: fields with it are required in generated types."""
    parameters = {
        id(parameter["schema"])
        for _, _, operation in operations(contract)
        for parameter in operation["parameters"]
        if "schema" in parameter
    }
    for path, schema in schemas(contract):
        assert "default" not in schema or id(schema) in parameters, path


@pytest.mark.general
def test_no_field_has_the_name_of_a_generated_one(contract: Contract) -> None:
    """No field is called additionalProperties: generators call that what the schema doesn't name.

    Such a client of openapi-python-client fails when it reads the field.
    """
    for path, schema in schemas(contract):
        names = {name.replace("_", "").lower() for name in schema.get("properties", ())}
        assert "additionalproperties" not in names, path


@pytest.mark.general
def test_lines_are_texts(contract: Contract) -> None:
    """Bodies that are no JSON are texts, so that no client sends them as JSON."""
    for path, _, operation in operations(contract):
        for media_type, media in operation.get("requestBody", {}).get("content", {}).items():
            if not media_type.endswith("json") or media_type.endswith("ndjson"):
                assert media["schema"]["type"] == "string", (path, media_type)
