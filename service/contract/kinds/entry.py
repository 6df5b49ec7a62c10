"""What the entries of all kinds hold in the catalogue, for the contract."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.shared import Answered, Fields, answer_part, listed, nested
from service.contract.kinds.shapes import COUNT, TEXT
from service.rules.variant import Variant

CLAUSE = Answered(TEXT, "The number of a clause in `rules`.")


def part(name: str, own: Fields, description: str = "") -> fields.Nested:
    """An object in an entry, as the component `name`."""
    return nested(answer_part(name, own), description)


SUMMARY: Fields = {
    "id": Answered(TEXT),
    "name": Answered(TEXT),
    "summary": Answered(TEXT),
    "kind": Answered(TEXT),
    "links": Answered(
        {"type": "object", "additionalProperties": TEXT},
        "The paths of this entry (`self`) and of each operation.",
    ),
}
"""Of every variant in the list; `kind` says more there, and is one word in each entry."""

_HOUSE_RULE: Fields = {
    "name": Answered(TEXT),
    "type": Answered({"type": "string", "enum": ["boolean", "integer", "string"]}),
    "choices": Answered({"type": "array", "items": TEXT}, "The possible values of a choice."),
    "nullable": Answered({"type": "boolean"}),
    "default": Answered({"type": ["boolean", "integer", "string", "null"]}),
    "minimum": Answered({"type": ["integer", "null"]}),
    "maximum": Answered({"type": ["integer", "null"]}),
    "step": Answered({"type": "integer", "minimum": 1}, "An integer must be a multiple of this."),
    "meaning": Answered(TEXT),
    "clause": CLAUSE,
}

COMMON: Fields = {
    **SUMMARY,
    "dice": part(
        "Dice",
        {
            "count": Answered(COUNT, "The number of dice in the set."),
            "faces": Answered(COUNT),
            "suits": listed(part("Suit", {"letter": Answered(TEXT), "name": Answered(TEXT)})),
            "names": Answered(
                {"type": "array", "items": TEXT},
                "The names of the faces, lowest first; empty if faces are numbers.",
            ),
            "colours": Answered(
                {"type": "array", "items": TEXT}, "The colour of each face; empty without colours."
            ),
            "notation": Answered(TEXT, "How to write a die."),
        },
    ),
    "rolls": Answered(COUNT, "The most rolls in a turn."),
    "players": part(
        "PlayerCount",
        {
            "min": Answered(COUNT),
            "max": Answered({"type": ["integer", "null"]}, "Null: no limit."),
        },
    ),
    "tie_breaks": listed(
        part(
            "TieBreakStep",
            {"id": Answered(TEXT), "text": Answered(TEXT), "clause": CLAUSE},
        ),
        "Tie-breaks, in order.",
    ),
    "house_rules": listed(part("HouseRule", _HOUSE_RULE)),
    "rules": listed(part("Rule", {"clause": Answered(TEXT), "text": Answered(TEXT)})),
}
"""Of every entry, whatever its kind."""


def entry_schema(variant: type[Variant[Any]], name: str, own: Fields) -> type[Schema]:
    """Of `GET /v1/variants/{variant}` for a kind of variants, as the component `name`."""
    kind = Answered({"type": "string", "const": variant.kind})
    return answer_part(name, {**own, "kind": kind})
