"""The tables of what is wrong with a value, and of why something isn't possible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from service.api.http.causes import Cause, Staleness
from service.contract.errors import schemas
from service.rules.breaches import Breach, TooMuch
from service.rules.sentences import Wording, fill_in, names_in
from service.tables import NotYet
from service.texts import Language, languages
from tests.live import ROOT

TABLES: list[type[Wording]] = [Breach, TooMuch, NotYet, Staleness]
IN_ERRORS = {"pointer", "body"}
"""What the text of a problem repeats of its `errors`."""


def properties(schema: str) -> dict[str, Any]:
    """The fields of a problem or a violation, as the contract has them."""
    found: dict[str, Any] = by_name()[schema]["properties"]
    return found


@cache
def by_name() -> Mapping[str, Mapping[str, Any]]:
    """The schemas of problems and violations, by their names."""
    return {schema["title"]: schema for schema in schemas()}


def templates() -> list[tuple[str, str]]:
    """Every template, and the schema that has to have its values."""
    of_violations = [each.value for each in (*Breach, *TooMuch)]
    of_problems = [cause.template for cause in Cause] + [
        each.value for each in (*NotYet, *Staleness)
    ]
    return [(each, "Violation") for each in of_violations] + [
        (each, "Problem") for each in of_problems
    ]


def test_every_code_is_used() -> None:
    """The service names each code outside of its table."""
    text = "\n".join(path.read_text() for path in (ROOT / "service").rglob("*.py"))
    used = set(re.findall(r"\b([A-Z]\w+\.[A-Z_]+)\b", text))
    codes = [f"{table.__name__}.{each.name}" for table in TABLES for each in table]
    assert [code for code in codes if code not in used] == []


@pytest.mark.parametrize("tables", [(Breach, TooMuch), (Staleness, NotYet)], ids=["errors", "why"])
def test_codes_are_unique(tables: Iterable[type[Wording]]) -> None:
    """No code means two things where a client sees the codes of several tables."""
    codes = [each.code for table in tables for each in table]
    assert len(codes) == len({*codes})


@pytest.mark.parametrize(
    ("outer", "table"),
    [
        (Cause.TABLE_IN_THE_MAKING.template, NotYet),
        (Breach.TOO_MANY_OPEN.value, TooMuch),
        (Breach.DIE_OF_STRING.value, Breach),
    ],
    ids=["table", "advice", "die"],
)
def test_values_within(outer: str, table: type[Wording]) -> None:
    """The values of a sentence within another one are beside those of that one, so they have other
    names.
    """
    names = {*names_in(outer)} - {"why", "die"}
    assert [each for each in table if names.intersection(names_in(each.value))] == []


def test_values_are_in_the_contract() -> None:
    """Each value in a text is a field in the contract, with a type."""
    typed = {"type", "$ref", "allOf"}
    assert [
        (template, name)
        for template, schema in templates()
        for name in {*names_in(template)} - IN_ERRORS
        if not properties(schema).get(name, {}).keys() & typed
    ] == []


def sample(name: str, schema: Mapping[str, Any]) -> Any:
    """A value with the schema of a field."""
    shared = by_name()
    while "$ref" in schema:
        schema = shared[schema["$ref"].rpartition("/")[2]]
    if schema["type"] == "array":
        return [sample(name, schema["items"])] * 2
    kind: str = schema["type"]
    return {"integer": 1234, "number": 0.5, "boolean": True, "string": f"some_{name}"}[kind]


@pytest.mark.parametrize("language", languages().values(), ids=lambda language: language.code)
def test_texts_show_values(language: Language) -> None:
    """Each template becomes a text with values as the contract has them, in every language."""
    for template, schema in templates():
        fields = {**properties(schema), "pointer": {"type": "string"}, "body": {"type": "boolean"}}
        values = {name: sample(name, fields[name]) for name in names_in(template)}
        text = fill_in(template, values, language)
        assert "{" not in text
        for name, value in values.items():
            if isinstance(value, str):
                assert value in text or value.replace("_", " ") in text, (name, text)
