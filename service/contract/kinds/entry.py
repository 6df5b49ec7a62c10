"""The fields that the catalogue entries of all kinds share, for the contract."""

from __future__ import annotations

from typing import Any

from apispec import APISpec
from marshmallow import Schema, fields

from service.api.schemas.enums import or_null
from service.api.schemas.shared import AnswerField, Fields, answer_part, listed, nested
from service.contract.kinds.shapes import (
    COUNT,
    FLAG,
    INTEGER,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    only,
)
from service.contract.parts import one_of, reference
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


def _house_rule(name: str, type_: str, default: Shape, bound: Shape) -> type[Schema]:
    """A house rule of one type: the schemas of its `default` and of each `bound`."""
    own: Fields = {
        "name": AnswerField(TEXT),
        "type": AnswerField(only(name, type_)),
        "choices": AnswerField(TEXTS, "The possible values; empty unless it is a choice."),
        "nullable": AnswerField(FLAG, "Whether null is a possible value."),
        "default": AnswerField(default),
        "minimum": AnswerField(bound),
        "maximum": AnswerField(bound),
        "step": AnswerField(ORDINAL, "An amount must be a multiple of this."),
        "meaning": AnswerField(TEXT),
        "clause": CLAUSE,
    }
    return answer_part(name, own)


_NO_BOUND: Shape = {"type": ["integer", "null"], "description": "Null: only amounts have bounds."}

HOUSE_RULES = {
    "boolean": _house_rule("SwitchHouseRule", "boolean", FLAG, _NO_BOUND),
    "integer": _house_rule("AmountHouseRule", "integer", or_null(INTEGER), INTEGER),
    "string": _house_rule("ChoiceHouseRule", "string", TEXT, _NO_BOUND),
}
"""The schemas of house rules, by their `type`."""


def declare(spec: APISpec) -> None:
    """Adds `HouseRule` to `spec`, and the schema of each house rule that it can be."""
    for part in HOUSE_RULES.values():
        spec.components.schema(part.__name__, schema=part)
    names = {type_: part.__name__ for type_, part in HOUSE_RULES.items()}
    spec.components.schema("HouseRule", one_of("type", names))


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
    "house_rules": listed(AnswerField(reference("HouseRule"))),
    "rules": listed(part("Rule", {"clause": AnswerField(TEXT), "text": AnswerField(TEXT)})),
}
"""Fields of the entries of all kinds."""


def entry_schema(variant: type[Variant[Any]], name: str, own: Fields) -> type[Schema]:
    """The schema of `GET /v1/variants/{variant}` for a kind, as the component `name`."""
    kind = AnswerField({"type": "string", "const": variant.kind})
    return answer_part(name, {**own, "kind": kind})
