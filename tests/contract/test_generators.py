"""The contract has only shapes that generators of clients take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.openapi import Contract, operations

VALUES = ("example", "examples")
"""The keys of values, which are no schemas."""

NULL = {"type": "null"}


UNTAGGED = {
    r"/components/schemas/(Roll|Throw|Example)Dice": "games write their dice as numbers or as "
    "words, and all of them have the same field; no other field tells which",
    "/components/schemas/ActionRequest": "an action and a list of them have different fields",
    r"/components/schemas/\w+Hand": "a hand of a batch is a list or a text, and no object",
    r"/paths/.*/contentSchema/items": "lines have no tag, and no generator reads contentSchema",
}
"""The choices without a discriminator, each with its reason."""


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
def test_enums_have_names(contract: Contract) -> None:
    """Generators can make a name of each value of an enum, or find a name for each in the contract.

    They take the names of the contract unchanged, so each is an identifier.
    """
    for path, schema in schemas(contract):
        if "x-enum-varnames" in schema:
            names = schema["x-enum-varnames"]
            assert len(set(names)) == len(names) == len(schema["enum"]), path
            assert [name for name in names if not re.fullmatch(r"[a-z]\w*", name)] == [], path
        else:
            words = schema.get("enum", ())
            assert [word for word in words if not re.fullmatch(r"\w[\w-]*", word)] == [], path


@pytest.mark.general
def test_choices_have_a_discriminator(contract: Contract) -> None:
    """Every choice of schemas but those listed is named, and has a field that tells them apart."""
    untagged = set()
    for path, schema in schemas(contract):
        for word in {"oneOf", "anyOf"} & schema.keys():
            if len([choice for choice in schema[word] if choice != NULL]) < 2:
                continue
            if "discriminator" in schema:
                assert path == f"/components/schemas/{path.rsplit('/', 1)[1]}", path
                tags = schema["discriminator"]["mapping"].values()
                assert {choice["$ref"] for choice in schema[word]} == set(tags), path
            else:
                untagged.add(path)
    found = {path: [each for each in UNTAGGED if re.fullmatch(each, path)] for path in untagged}
    assert {path: len(reasons) for path, reasons in found.items()} == dict.fromkeys(untagged, 1)
    assert {reason for reasons in found.values() for reason in reasons} == set(UNTAGGED)


@pytest.mark.general
def test_values_have_one_type(contract: Contract) -> None:
    """No value has several types, except that it may be null."""
    for path, schema in schemas(contract):
        if isinstance(schema.get("type"), list):
            assert len(schema["type"]) == 2, path
            assert "null" in schema["type"], path


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
