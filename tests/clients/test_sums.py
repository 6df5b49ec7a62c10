"""The clients for Kotlin, Swift and Dart: choices are sum types, and no generator warns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.clients.conftest import Client
from tests.contract.openapi import Contract

UNAVOIDABLE = {
    "OpenAPI 3.1 support is still in beta": "the generator says so of every contract in 3.1",
    "Failed to get the schema name: null": "it looks up every example as if it were a reference",
}
"""The warnings that don't depend on what the contract says, each with its reason."""


class Choice(NamedTuple):
    """A named choice of the contract."""

    name: str
    tag: str
    """The field that tells the cases apart."""

    cases: dict[str, str]
    """The schema of each value of that field."""


def choices(contract: Contract) -> list[Choice]:
    """All schemas of the contract that are a choice by a discriminator."""
    return [
        Choice(
            name,
            schema["discriminator"]["propertyName"],
            {
                value: reference.rpartition("/")[2]
                for value, reference in schema["discriminator"]["mapping"].items()
            },
        )
        for name, schema in contract["components"]["schemas"].items()
        if "discriminator" in schema
    ]


def kotlin(client: Client, choice: Choice) -> tuple[set[str], dict[str, str]]:
    """A sealed interface, with a wrapper for each case, read by the value of the field."""
    source = only(client, f"{choice.name}.kt")
    sealed = re.findall(
        rf"^ +value class \w+\(val value: (\w+)\) : {choice.name}$", source, re.MULTILINE
    )
    assert f"sealed interface {choice.name} {{" in source
    assert f'["{choice.tag}"]?.jsonPrimitive' in source
    read = re.findall(
        r'"([^"]+)" -> {\s*val \w+ = \w+\.json\.decodeFromJsonElement\((\w+)\.', source
    )
    return set(sealed), dict(read)


def swift(client: Client, choice: Choice) -> tuple[set[str], dict[str, str]]:
    """An enum with a case for each schema, read by the value of the field."""
    source = only(client, f"{choice.name}.swift")
    assert f"public enum {choice.name}: " in source
    assert f'case {choice.tag} = "{choice.tag}"' in source
    sealed = re.findall(r"^    case type\w+\((\w+)\)$", source, re.MULTILINE)
    read = re.findall(
        r'^        case "([^"]+)":\n +self = \.type\w+\(try (\w+)\(from: decoder\)\)$',
        source,
        re.MULTILINE,
    )
    return set(sealed), dict(read)


def dart(client: Client, choice: Choice) -> tuple[set[str], dict[str, str]]:
    """A class that holds one of the schemas, read by the value of the field."""
    file = re.sub("(?<=.)(?=[A-Z])", "_", choice.name).lower()
    source = only(client, f"{file}.dart")
    assert "  OneOf get oneOf;" in source
    assert f"discriminatorFieldName = r'{choice.tag}'" in source
    (listed,) = re.findall(r"final oneOfTypes = \[(.*)\];", source)
    read = re.findall(r"^    r'([^']+)': (\w+),$", source, re.MULTILINE)
    return set(re.findall(r"\w+", listed)), dict(read)


def only(client: Client, name: str) -> str:
    """The text of the only generated file with that name."""
    (file,) = (path for path in client.folder.rglob(name) if "node_modules" not in path.parts)
    return file.read_text()


READERS = {
    "Kotlin: openapi-generator": kotlin,
    "Swift: openapi-generator": swift,
    "Dart: openapi-generator": dart,
}


@pytest.mark.parametrize("title", READERS)
def test_choices_are_sums(
    title: str, generate: Callable[[str], Client], contract: Contract
) -> None:
    """Sessions, actions and all other choices have one case for each schema, and no other."""
    found = choices(contract)
    assert {"Session", "NewSession", "SessionRequest", "SessionHistory", "Action"} <= {
        choice.name for choice in found
    }
    client = generate(title)
    for choice in found:
        assert READERS[title](client, choice) == (set(choice.cases.values()), choice.cases)


WORD = re.compile(r"[A-Za-z_]\w*")
TEXT = re.compile(r"""//.*$|"[^"]*"|'[^']*'""", re.MULTILINE)
KNOWN = {
    "kotlin": "coroutines decodeFromString errorBody etag headers println randomUUID runBlocking",
    "swift": "ann api created",
    "dart": "Random created deserializeWith etag newKey nextInt print",
}
"""The words of each program that it, its language or a library gives."""


@pytest.mark.parametrize("title", READERS)
def test_example_uses_what_is_generated(title: str, generate: Callable[[str], Client]) -> None:
    """The program of the page names only what is generated, or is known otherwise."""
    client = generate(title)
    language = client.section.language
    generated = {
        word
        for file in (client.folder / language).rglob("*")
        if file.suffix in {".kt", ".swift", ".dart"}
        for word in WORD.findall(file.read_text())
    }
    used = set(WORD.findall(TEXT.sub("", client.section.example)))
    assert used - generated <= set(KNOWN[language].split())


@pytest.mark.parametrize("title", READERS)
def test_generated_without_warnings(title: str, generate: Callable[[str], Client]) -> None:
    """The generator prints only information, and the warnings that are listed."""
    warnings = [
        line
        for line in generate(title).output.splitlines()
        if not re.match(r"\[main\] INFO |#|$", line)
        and not any(said in line for said in UNAVOIDABLE)
    ]
    assert warnings == []
