"""The schemas of the catalogue, for the contract."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas import Answered, Fields, answer_part, listed, nested

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
CLAUSE = Answered(TEXT, "The number of the rule, as listed in `rules`.")


def _object(name: str, own: Fields, description: str = "") -> fields.Nested:
    return nested(answer_part(name, own), description)


_SUMMARY: Fields = {
    "id": Answered(TEXT),
    "name": Answered(TEXT),
    "summary": Answered(TEXT),
    "kind": Answered({"type": "string", "enum": ["ranking", "scorecard", "layout"]}),
    "links": Answered(
        {"type": "object", "additionalProperties": TEXT},
        "Paths: `self`, and one for each operation.",
    ),
}

_HOUSE_RULE: Fields = {
    "name": Answered(TEXT),
    "type": Answered({"type": "string", "enum": ["boolean", "integer"]}),
    "nullable": Answered({"type": "boolean"}),
    "default": Answered({"type": ["boolean", "integer", "null"]}),
    "minimum": Answered({"type": ["integer", "null"]}),
    "maximum": Answered({"type": ["integer", "null"]}),
    "step": Answered({"type": "integer", "minimum": 1}, "Whole numbers are multiples of it."),
    "meaning": Answered(TEXT),
    "clause": CLAUSE,
}

_ENTRY: Fields = {
    **_SUMMARY,
    "dice": _object(
        "Dice",
        {
            "count": Answered(COUNT, "How many dice the set holds."),
            "faces": Answered(COUNT),
            "suits": listed(_object("Suit", {"letter": Answered(TEXT), "name": Answered(TEXT)})),
            "notation": Answered(TEXT, "How a die is written."),
        },
    ),
    "rolls": Answered(COUNT, "Rolls in a turn, at most."),
    "players": _object(
        "PlayerCount",
        {
            "min": Answered(COUNT),
            "max": Answered({"type": ["integer", "null"]}, "Null: any."),
        },
    ),
    "tie_breaks": listed(
        _object(
            "TieBreakStep",
            {"id": Answered(TEXT), "text": Answered(TEXT), "clause": CLAUSE},
        ),
        "How equals are told apart, step by step.",
    ),
    "house_rules": listed(_object("HouseRule", _HOUSE_RULE)),
    "rules": listed(_object("Rule", {"clause": Answered(TEXT), "text": Answered(TEXT)})),
}

_RANK: Fields = {
    "id": Answered(TEXT),
    "name": Answered(TEXT),
    "needs": Answered(TEXT, "What dice must show."),
    "winning": Answered({"type": "boolean"}, "False for a rank that can't win."),
    "house_rule": Answered(
        {"type": ["string", "null"]},
        "The house rule without which the rank doesn't exist.",
    ),
    "strengths": _object(
        "StrengthRange",
        {"weakest": Answered(COUNT), "strongest": Answered(COUNT)},
        "The strengths of its hands, under its house rule if it has one.",
    ),
    "example": Answered({"type": "array", "items": {"type": ["integer", "string"]}}),
    "clause": CLAUSE,
}

_BOX: Fields = {
    "id": Answered(TEXT),
    "name": Answered(TEXT),
    "section": Answered({"type": "string", "enum": ["upper", "lower"]}),
    "needs": Answered(TEXT, "What dice must show."),
    "points": Answered({"type": ["integer", "null"]}, "Null where it depends on the dice."),
    "scores": Answered(TEXT, "What it scores, in words."),
    "possible": Answered(
        {"type": "array", "items": {"type": "integer"}},
        "Every score that a roll can give.",
    ),
    "clause": CLAUSE,
}


LISTING = answer_part("Catalogue", {"variants": listed(_object("CatalogueSummary", _SUMMARY))})
"""Of `GET /v1/variants`."""

ENTRIES = {
    "ranking": answer_part(
        "RankingEntry",
        {
            **_ENTRY,
            "hand_size": Answered(COUNT),
            "pocket": Answered(COUNT, "Hidden dice of each player.", required=False),
            "community": Answered(
                {"type": "array", "items": COUNT},
                "How many community dice there can be.",
                required=False,
            ),
            "ranks": listed(_object("Rank", _RANK), "From the highest down."),
        },
    ),
    "scorecard": answer_part(
        "ScorecardEntry",
        {
            **_ENTRY,
            "boxes": listed(_object("Box", _BOX), "In card order."),
            "upper_bonus": _object(
                "UpperBonus",
                {
                    "threshold": Answered(COUNT),
                    "points": Answered(COUNT),
                    "clause": CLAUSE,
                },
            ),
        },
    ),
}
"""Of `GET /v1/variants/{variant}`, by kind."""
