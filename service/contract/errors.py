"""The schemas of problems and violations: their codes, and the values in their texts."""

from __future__ import annotations

from service.api.http.causes import Cause, Staleness
from service.api.http.problem_details import PROBLEMS
from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
from service.rules.breaches import Breach, TooMuch
from service.rules.sentences import names_in
from service.tables import NotYet

_SHAPES: dict[str, Shape] = {
    **dict.fromkeys(
        (
            *("minimum", "maximum", "step", "count", "limit", "quota", "version"),
            *("length", "failed", "percent", "age", "die", "place", "row", "column", "rolls"),
            *("score", "other_row", "other_column", "other_die"),
        ),
        shapes.INTEGER,
    ),
    "seconds": shapes.NUMBER,
    **dict.fromkeys(("whole", "nullable", "missing", "changes"), shapes.FLAG),
    **dict.fromkeys(("allowed", "suits", "others", "cards", "present", "offered"), shapes.TEXTS),
    **dict.fromkeys(("numbers", "dice"), shapes.NUMBERS),
    "groups": shapes.list_of(shapes.TEXTS),
}
"""The schemas of the values that aren't texts."""

_DESCRIPTIONS = {
    "other": "A JSON pointer.",
    "others": "JSON pointers.",
    "clause": "As in the catalogue.",
    "why": "A further code, or a text.",
}

_INNER = frozenset(("pointer", "body"))
"""The values of a template that a problem has in `errors` alone."""


def schemas() -> list[Shape]:
    """The schemas of problems, of those in lines of a batch, and of violations."""
    reasons = (*NotYet, *Staleness)
    problem = {
        "type": shapes.reference("ProblemType")("The path of a page that explains it."),
        "title": shapes.TEXT,
        "status": Shape(type="integer", minimum=400, maximum=599),
        "detail": shapes.TEXT("In a sentence."),
        "instance": shapes.TEXT("The path."),
        "errors": shapes.list_of(shapes.reference("Violation")).optional(
            "Every violation; present if values are wrong."
        ),
        **_values(*(cause.template for cause in Cause), *(why.value for why in reasons)),
    }
    line = {"line": shapes.ORDINAL("From 1; missing if the body ended early.")}
    violation = {
        "pointer": shapes.TEXT("A JSON pointer."),
        "code": shapes.reference("ViolationCode"),
        "detail": shapes.TEXT,
        **_values(*(each.value for each in (*Breach, *TooMuch))),
    }
    types = shapes.named_enum("ProblemType", [PROBLEMS + cause.code for cause in Cause])
    return [
        Shape({**types, "x-enum-varnames": [cause.name.lower() for cause in Cause]}),
        shapes.named_enum("ViolationCode", [breach.code for breach in Breach]),
        shapes.record("Problem", problem),
        Shape(
            title="LineProblem",
            allOf=[shapes.reference("Problem"), {"type": "object", "properties": line}],
        ),
        shapes.record("Violation", violation),
    ]


def _values(*templates: str) -> dict[str, Shape]:
    """The schema of each value in `templates`."""
    names = sorted({name for template in templates for name in names_in(template)} - _INNER)
    return {
        name: _SHAPES.get(name, shapes.TEXT).optional(_DESCRIPTIONS.get(name, "")) for name in names
    }
