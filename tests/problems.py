"""Problems and violations as tests write them: with their texts, in English.

The tables of the service make the codes and the values of a text, so that a test that names the
text asserts all of it. That the tables themselves are right is tested where each cause is raised.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from string import Formatter
from typing import Any

from service.api.http.causes import Cause, Staleness
from service.api.http.problem_details import PROBLEMS, Problem
from service.rules.breaches import Breach, TooMuch
from service.rules.sentences import ENGLISH, Sentence, Wording, Words, fill_in
from service.rules.violations import Violation
from service.tables import NotYet

NUMBERS = (
    *("minimum", "maximum", "step", "count", "limit", "seconds", "quota", "version", "length"),
    *("failed", "die", "row", "column", "rolls", "score", "other_row", "other_column"),
    *("other_die", "percent"),
)

LISTS = ("numbers", "allowed", "suits", "others", "dice", "cards", "groups", "present", "offered")


def breach(path: Iterable[str | int], text: str, rests_on: tuple[str, ...] = ()) -> Violation:
    """The violation with this English text."""
    return Violation(tuple(path), sentence(text), rests_on)


@cache
def sentence(text: str, table: type[Wording] = Breach) -> Sentence:
    """The sentence of `table` with this English text."""
    found = [(each, values) for each in table for values in _values(each.value, text)]
    return Sentence(*_most_literal(found, text))


def error(pointer: str, text: str, words: Words = ENGLISH) -> dict[str, Any]:
    """An entry of `errors` with this English text, in the language of `words`."""
    found = sentence(text)
    return {"pointer": pointer, **found.json, "detail": found.text(words)}


def problem(
    status: int,
    detail: str,
    instance: str,
    errors: Iterable[tuple[str, str]] | None = None,
    code: str | None = None,
    *,
    words: Words = ENGLISH,
    **more: object,
) -> dict[str, Any]:
    """The problem details with these English texts, in the language of `words`, and `more` members.

    `code` is only needed if several causes have the same text.
    """
    found = [
        (cause, values)
        for cause in Cause
        if cause.status == status and cause.code == (code or cause.code)
        for values in _values(cause.template, detail)
    ]
    if code is None:  # illegal actions have the same texts as invalid bodies
        alike = (Cause.ILLEGAL_ACTION,)
        found = [each for each in found if each[0] not in alike]
    cause, values = _most_literal(found, detail)
    shown = {name: value for name, value in values.items() if name not in ("pointer", "body")}
    if errors is not None:
        shown.pop("why")
        more = {"errors": [error(*each, words) for each in errors], **more}
    said = fill_in(cause.template, values, words)
    return {**Problem(cause, shown).body(instance, words), "detail": said, **more}


def by_the_tables(body: dict[str, Any]) -> dict[str, Any]:
    """What `body`, a problem with English texts, must be by these texts.

    Members that are not about the cause, such as the actions that are legal, stay as they are.
    """
    own = {name: value for name, value in body.items() if name in ("actions", "line")}
    errors = body.get("errors")
    pairs = None if errors is None else [(each["pointer"], each["detail"]) for each in errors]
    code = body["type"].removeprefix(PROBLEMS)
    return problem(body["status"], body["detail"], body["instance"], pairs, code, **own)


def _values(template: str, text: str) -> Iterator[dict[str, Any]]:
    """The values with which `template` makes `text`, if there are any."""
    pattern, specs = _pattern(template)
    found = re.fullmatch(pattern, text, re.DOTALL)
    if found is None:
        return
    values: dict[str, Any] = {}
    for group, written in found.groupdict().items():
        name, spec = specs[group]
        if "|" in spec:
            values.setdefault(name, None)
        elif written and not (spec.startswith("?") and name in values):
            values[name] = _read(name, spec, written)
    for name, value in values.items():
        if value is None:  # it only chooses between singular and plural
            values[name] = max(values["numbers"])
    if fill_in(template, values) == text:
        yield values


@cache
def _pattern(template: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """A regular expression for the texts of `template`, and the placeholder of each group."""
    parts = []
    specs = {}
    for number, (literal, name, spec, _) in enumerate(Formatter().parse(template)):
        parts.append(re.escape(literal))
        if name is None:
            continue
        group = f"g{number}"
        specs[group] = name, spec or ""
        parts.append(f"(?P<{group}>{_alternatives(name, spec or '')})")
    return "".join(parts), specs


def _alternatives(name: str, spec: str) -> str:
    """What a placeholder may be filled with."""
    if spec.startswith("?"):
        return f"(?:{re.escape(spec[1:])})?"
    if "|" in spec:
        return "|".join(map(re.escape, spec.split("|")))
    if spec == "cited":
        return r"(?: \(\w+\))?"
    if spec == "dice":
        return r"(?:die|dice) \d+(?:(?:, | and )\d+)*"
    if name == "numbers":
        return r"(?:-?\d+(?:, | or | and )?)+"
    return "-?[0-9,.]*" if name in NUMBERS else ".*?"


def _most_literal(found: list[tuple[Any, dict[str, Any]]], text: str) -> tuple[Any, dict[str, Any]]:
    """The one of `found` (templates and values) that has most of `text` in its template."""

    def literal(template: str) -> int:
        return sum(len(part) for part, *_ in Formatter().parse(template))

    found = sorted(found, key=lambda each: literal(_template(each[0])), reverse=True)
    assert found, f"no sentence with the text {text!r}"
    assert len({literal(_template(each[0])) for each in found[:2]}) == len(found[:2]), found[:2]
    return found[0]


def _template(wording: Wording | Cause) -> str:
    return wording.template if isinstance(wording, Cause) else str(wording.value)


def _read(name: str, spec: str, written: str) -> Any:
    """The value that a placeholder shows as `written`."""
    if spec.startswith("?"):
        return True
    if name == "groups":
        return [_listed(group) for group in written.split("; ")]
    if name == "face":
        return written
    if name in LISTS:
        bare = written.removeprefix("die ").removeprefix("dice ")
        items = written.split() if spec == "spaced" else _listed(bare)
        return [int(item) for item in items] if name in ("numbers", "dice") else items
    if name == "why":
        return _inner(written)
    match spec:
        case "name":
            return written.replace(" ", "_")
        case "Name":
            return written[0].lower() + written[1:].replace(" ", "_")
        case "quoted":
            return ast.literal_eval(written)
        case "cited":
            return written[2:-1]
        case ",":
            written = written.replace(",", "")
    return _number(written)


def _listed(written: str) -> list[str]:
    return [] if written == "none" else re.split(", | or | and ", written)


def _number(written: str) -> float | str:
    if re.fullmatch(r"-?\d+", written):
        return int(written)
    return float(written) if re.fullmatch(r"\d+\.\d+", written) else written


def _inner(written: str) -> Sentence | str:
    """The sentence within another one, or what a parser says."""
    for table in (Breach, TooMuch, Staleness, NotYet):
        found = [
            (wording, values)
            for wording in table
            if wording is not NotYet.FAILED
            for values in _values(wording.value, written)
        ]
        if found:
            return Sentence(*_most_literal(found, written))
    return written
