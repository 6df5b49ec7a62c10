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
    source = model(client, choice.name)
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
    source = model(client, choice.name)
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
    source = model(client, choice.name)
    assert "  OneOf get oneOf;" in source
    assert f"discriminatorFieldName = r'{choice.tag}'" in source
    (listed,) = re.findall(r"final oneOfTypes = \[(.*)\];", source)
    read = re.findall(r"^    r'([^']+)': (\w+),$", source, re.MULTILINE)
    return set(re.findall(r"\w+", listed)), dict(read)


def model(client: Client, schema: str) -> str:
    """The source of the type that was generated for `schema`."""
    if client.section.language == "dart":
        return only(client, re.sub("(?<=.)(?=[A-Z])", "_", schema).lower() + ".dart")
    return only(client, f"{schema}.{'kt' if client.section.language == 'kotlin' else 'swift'}")


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


CONSTANTS = {
    "Kotlin: openapi-generator": r'^    (\S*)\("([^"]+)"\)[,;]$',
    "Swift: openapi-generator": r'^    case (\S*) = "([^"]+)"$',
    "Dart: openapi-generator": r"""^  @BuiltValueEnumConst\(wireName: r'([^']+)'\)
  static const \w+ (\S*) = _\$\2;$""",
}
"""A constant of an enum: its name and its value; in Dart, the value comes first."""


@pytest.mark.parametrize("title", READERS)
def test_every_value_of_an_enum_has_a_name(
    title: str, generate: Callable[[str], Client], contract: Contract
) -> None:
    """Each value of each enum is a constant with a name of its own, which is an identifier."""
    client = generate(title)
    for enum, schema in contract["components"]["schemas"].items():
        if "enum" not in schema:
            continue
        found = re.findall(CONSTANTS[title], model(client, enum), re.MULTILINE)
        if client.section.language == "dart":
            found = [(name, value) for value, name in found]
        assert [value for _, value in found] == schema["enum"]
        names = {name for name, _ in found}
        assert len(names) == len(found)
        # in Dart, a name with an underscore before it is private
        first = "[A-Za-z]" if client.section.language == "dart" else "[A-Za-z_]"
        assert {name for name in names if not re.fullmatch(rf"{first}\w*(?<!^_)", name)} == set()


WORD = re.compile(r"[A-Za-z_]\w*")
COMMENT = r"/\*.*?\*/|//[^\n]*"
TEXT = r"""\"[^"\n]*\"|'[^'\n]*'"""
DECLARED = {
    "kotlin": r"\b(?:class|interface|object|fun|package|val|var) (?:<\w+> )?([\w.]+)"
    r"|\b(\w+): |\b(\w+)\(\"[^\"]*\"\)[,;]",
    "swift": r"\b(?:class|struct|enum|func|let|var|case) (?!func|var)(\w+)|\b(\w+): ",
    "dart": r"\b(?:class|get) (\w+)|[\w>?] (\w+) ?[,;(=]",
}
"""What declares a name in each language: types, members, constants, parameters and labels."""

KNOWN = {
    "kotlin": """
        as class const false fun import suspend val
        Int UUID body coroutines decodeFromString errorBody explicitNulls java kotlinx listOf
        println randomUUID runBlocking serialization string util
        """,
    "swift": """
        _ ann async await case catch do else func guard import self throws try
        Foundation JSONDecoder OpenAPIClient fatalError print uuidString
        """,
    "dart": """
        as async await extends final if import is on return try void
        Future List OneOfDynamic Options Random Response T addAll data deserializeWith generate join
        nextInt post print refused secure typeIndex
        """,
}
"""The words that the programs of the page have from their language and from libraries."""


def declared(language: str, source: str) -> set[str]:
    """The names that `source` declares."""
    code = re.sub(COMMENT, "", source, flags=re.DOTALL)
    found = re.finditer(DECLARED[language], code)
    return {word for name in found for word in WORD.findall(name[name.lastindex or 0])}


@pytest.mark.parametrize("title", READERS)
def test_example_uses_what_is_generated(title: str, generate: Callable[[str], Client]) -> None:
    """The code of the page names only what the client or the code itself declares, or what is known
    otherwise.
    """
    client = generate(title)
    language = client.section.language
    names = {
        name
        for file in (client.folder / language).rglob("*")
        if file.suffix in {".kt", ".swift", ".dart"}
        for name in declared(language, file.read_text())
    }
    code = re.sub(f"{TEXT}|{COMMENT}", "", client.section.example + client.section.more)
    used = set(WORD.findall(code))
    assert used - names - declared(language, code) == set(KNOWN[language].split())


LEFT_OUT = {
    "Kotlin: openapi-generator": ("Serializer.kt", "apply(kotlinxSerializationJsonConfiguration)"),
    "Swift: openapi-generator": ("DicePokerHouseRules.swift", "encodeIfPresent(turnSeconds, "),
    "Dart: openapi-generator": ("dice_poker_house_rules.dart", "if (object.turnSeconds != null)"),
}
"""Where the code is that leaves out fields that aren't set; in Kotlin, the page sets this."""


@pytest.mark.parametrize("title", READERS)
def test_fields_that_are_not_set_are_left_out(
    title: str, generate: Callable[[str], Client]
) -> None:
    """No client sends null for `turn_seconds`, where null means no limit."""
    client = generate(title)
    name, code = LEFT_OUT[title]
    assert code in only(client, name)
    if client.section.language == "kotlin":
        setting = "Serializer.kotlinxSerializationJsonConfiguration = { explicitNulls = false }"
        assert setting in client.section.example


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
