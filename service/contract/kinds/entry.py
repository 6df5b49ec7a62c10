"""The fields that the catalogue entries of all kinds share, for the contract."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.enums import named_enum
from service.api.schemas.shared import AnswerField, Fields, answer_part, listed, nested
from service.contract.kinds.shapes import COUNT, TEXT
from service.rules.variant import Variant

CLAUSE = AnswerField(TEXT, "The number of a clause in `rules`.")


def part(name: str, own: Fields, description: str = "") -> fields.Nested:
    """An object in an entry, as the component `name`."""
    return nested(answer_part(name, own), description)


SUMMARY: Fields = {
    "id": AnswerField(TEXT),
    "name": AnswerField(TEXT),
    "summary": AnswerField(TEXT),
    "kind": AnswerField(TEXT),
    "links": AnswerField(
        {"type": "object", "additionalProperties": TEXT},
        "The paths of this entry (`self`) and of each operation.",
    ),
}
"""Fields of each item in the list."""

_HOUSE_RULE: Fields = {
    "name": AnswerField(TEXT),
    "type": AnswerField(named_enum("HouseRuleType", ["boolean", "integer", "string"])),
    "choices": AnswerField({"type": "array", "items": TEXT}, "The possible values of a choice."),
    "nullable": AnswerField({"type": "boolean"}),
    "default": AnswerField({"type": ["boolean", "integer", "string", "null"]}),
    "minimum": AnswerField({"type": ["integer", "null"]}),
    "maximum": AnswerField({"type": ["integer", "null"]}),
    "step": AnswerField(
        {"type": "integer", "minimum": 1}, "An integer must be a multiple of this."
    ),
    "meaning": AnswerField(TEXT),
    "clause": CLAUSE,
}

COMMON: Fields = {
    **SUMMARY,
    "dice": part(
        "Dice",
        {
            "count": AnswerField(COUNT, "The number of dice in the set."),
            "faces": AnswerField(COUNT),
            "suits": listed(part("Suit", {"letter": AnswerField(TEXT), "name": AnswerField(TEXT)})),
            "names": AnswerField(
                {"type": "array", "items": TEXT},
                "The names of the faces, lowest first; empty if faces are numbers.",
            ),
            "colours": AnswerField(
                {"type": "array", "items": TEXT}, "The colour of each face; empty without colours."
            ),
            "notation": AnswerField(TEXT, "How to write a die."),
        },
    ),
    "rolls": AnswerField(COUNT, "The most rolls in a turn."),
    "players": part(
        "PlayerCount",
        {
            "min": AnswerField(COUNT),
            "max": AnswerField({"type": ["integer", "null"]}, "Null: no limit."),
        },
    ),
    "tie_breaks": listed(
        part(
            "TieBreakStep",
            {"id": AnswerField(TEXT), "text": AnswerField(TEXT), "clause": CLAUSE},
        ),
        "Tie-breaks, in order.",
    ),
    "house_rules": listed(part("HouseRule", _HOUSE_RULE)),
    "rules": listed(part("Rule", {"clause": AnswerField(TEXT), "text": AnswerField(TEXT)})),
}
"""Fields of the entries of all kinds."""


def entry_schema(variant: type[Variant[Any]], name: str, own: Fields) -> type[Schema]:
    """The schema of `GET /v1/variants/{variant}` for a kind, as the component `name`."""
    kind = AnswerField({"type": "string", "const": variant.kind})
    return answer_part(name, {**own, "kind": kind})
