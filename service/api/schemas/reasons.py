"""Reasons in responses: what each is made of, and its text in the language of the response."""

from __future__ import annotations

from typing import Any

from service.api.http.languages import words
from service.api.schemas import shapes
from service.api.schemas.shapes import Field, Get, Shape, SourceT
from service.rules.reasons import Because, Reason, spoken, with_texts
from service.rules.sentences import names_in

_SHAPES: dict[str, Shape] = {
    **dict.fromkeys(
        (
            *("ahead", "best", "bonus", "cards", "chips", "count", "equity", "further", "next"),
            *("often", "percent", "points", "price", "risk", "round", "score", "target"),
            *("threshold", "thrown", "to", "total", "turn", "turns", "undone", "upper"),
        ),
        shapes.INTEGER,
    ),
    **dict.fromkeys(("expected", "loss", "luck", "most"), shapes.NUMBER),
    **dict.fromkeys(("players", "winners"), shapes.TEXTS),
}
"""The schemas of the values that aren't texts."""

DECIDED_BY = shapes.named_enum("DecidedBy", [reason.code for reason in Reason])
"""The code of a reason."""


BECAUSE = shapes.record(
    "Because",
    {
        "decided_by": DECIDED_BY,
        **{
            value: _SHAPES.get(value, shapes.TEXT).optional()
            for value in sorted({value for reason in Reason for value in names_in(reason.value)})
        },
        "by": DECIDED_BY.optional(),
    },
)
"""What a reason is made of."""

REASON: dict[str, Shape] = {"reason": shapes.TEXT, "because": BECAUSE}
"""The fields of a reason."""

REASON_OR_NULL: dict[str, Shape] = {name: shape.or_null() for name, shape in REASON.items()}


def text(because: Because) -> str:
    """The text of a reason in the language of the response."""
    return spoken(because, words())


def with_reasons(value: Any) -> Any:
    """`value`, which is JSON, with the text of each reason in it, as in `text`."""
    return with_texts(value, words())


def missing(get: Get[SourceT], description: str) -> dict[str, Field[SourceT]]:
    """The fields about what `get` says that a turn lacks to open; they are left out for None."""
    return {
        "missing": shapes.TEXT.optional(description).of(get, text),
        "lacks": BECAUSE.optional("What `missing` is made of.").of(get),
    }
