"""The schemas of problems and violations: their codes, and the values in their texts."""

from __future__ import annotations

from typing import Any

from service.api.http.causes import Cause, Staleness
from service.api.http.problem_details import PROBLEMS
from service.api.schemas import shapes
from service.rules.breaches import Breach, TooMuch
from service.rules.sentences import names_in
from service.tables import NotYet

_INTEGERS = frozenset(
    (
        *("minimum", "maximum", "step", "count", "limit", "quota", "version"),
        *("length", "failed", "percent", "age", "die", "place", "row", "column", "rolls", "score"),
        *("other_row", "other_column", "other_die"),
    )
)
_FLAGS = frozenset(("whole", "nullable", "missing", "changes"))
_LISTS = frozenset(("suits", "others", "cards", "present", "offered"))
_INNER = frozenset(("pointer", "body"))
"""The values of a template that a problem has in `errors` alone."""

_SHAPES: dict[str, dict[str, Any]] = {
    "allowed": shapes.TEXTS,
    "numbers": shapes.NUMBERS,
    "dice": shapes.NUMBERS,
    "groups": {"type": "array", "items": shapes.TEXTS},
    "seconds": shapes.NUMBER,
}

_DESCRIPTIONS = {
    "other": "A JSON pointer.",
    "others": "JSON pointers.",
    "clause": "As in the catalogue.",
    "why": "A further code, or a text.",
}


def components() -> dict[str, Any]:
    """The schemas of problems, of those in lines of a batch, and of violations."""
    members = {
        "type": shapes.reference("ProblemType")("The path of a page that explains it."),
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "description": "In a sentence."},
        "instance": {"type": "string", "description": "The path."},
    }
    required = [*members]
    problem = {
        **members,
        "errors": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Violation"},
            "description": "Every violation; present if values are wrong.",
        },
        **_values(
            *(cause.template for cause in Cause), *(why.value for why in (*NotYet, *Staleness))
        ),
    }
    line = {
        "type": "integer",
        "minimum": 1,
        "description": "From 1; missing if the body ended early.",
    }
    violation = {
        "pointer": {"type": "string", "description": "A JSON pointer."},
        "code": shapes.reference("ViolationCode"),
        "detail": {"type": "string"},
    }
    fields = {**violation, **_values(*(each.value for each in (*Breach, *TooMuch)))}
    return {
        "ProblemType": {
            "type": "string",
            "enum": [PROBLEMS + cause.code for cause in Cause],
            "x-enum-varnames": [cause.name.lower() for cause in Cause],
        },
        "ViolationCode": {"type": "string", "enum": [breach.code for breach in Breach]},
        "Problem": _record(problem, required),
        "LineProblem": {
            "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"type": "object", "properties": {"line": line}},
            ]
        },
        "Violation": _record(fields, [*violation]),
    }


def _record(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


def _values(*templates: str) -> dict[str, Any]:
    """The schema of each value in `templates`."""
    names = sorted({name for template in templates for name in names_in(template)} - _INNER)
    return {name: _shape(name) for name in names}


def _shape(name: str) -> dict[str, Any]:
    shape = _SHAPES.get(name, {"type": "string"})
    if name in _INTEGERS:
        shape = {"type": "integer"}
    elif name in _FLAGS:
        shape = {"type": "boolean"}
    elif name in _LISTS:
        shape = {"type": "array", "items": {"type": "string"}}
    described = {"description": _DESCRIPTIONS[name]} if name in _DESCRIPTIONS else {}
    return {**shape, **described}
