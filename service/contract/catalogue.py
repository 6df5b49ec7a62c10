"""The schemas of the catalogue, for the contract."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.shared import Answered, Fields, answer_part, listed, nested
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
CLAUSE = Answered(TEXT, "The number of the rule, as listed in `rules`.")


def _object(name: str, own: Fields, description: str = "") -> fields.Nested:
    return nested(answer_part(name, own), description)


_SUMMARY: Fields = {
    "id": Answered(TEXT),
    "name": Answered(TEXT),
    "summary": Answered(TEXT),
    "kind": Answered(
        {"type": "string", "enum": ["ranking", "community", "scorecard", "layout"]},
        "How a hand counts: as a ranked roll, as the best of own and community dice, in a box of "
        "a score card, or as a layout of crossing lines.",
    ),
    "links": Answered(
        {"type": "object", "additionalProperties": TEXT},
        "Paths: `self`, and one for each operation.",
    ),
}

_HOUSE_RULE: Fields = {
    "name": Answered(TEXT),
    "type": Answered({"type": "string", "enum": ["boolean", "integer", "string"]}),
    "choices": Answered({"type": "array", "items": TEXT}, "The words to choose from, if any."),
    "nullable": Answered({"type": "boolean"}),
    "default": Answered({"type": ["boolean", "integer", "string", "null"]}),
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
    "counts": Answered({"type": "boolean"}, "False for a roll that is rolled again."),
    "above": nested(
        answer_part("RankAbove", {"house_rule": Answered(TEXT), "rank": Answered(TEXT)}),
        "The house rule that moves it, and the rank that it is then just above; null for none.",
        nullable=True,
    ),
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

_RANKING: Fields = {
    **_ENTRY,
    "hand_size": Answered(COUNT, "How many dice make a hand."),
    "ranks": listed(_object("Rank", _RANK), "From the highest down."),
}

_COMMUNITY: Fields = {
    "pocket": Answered(COUNT, "Hidden dice of each player."),
    "community": Answered(
        {"type": "array", "items": COUNT}, "How many community dice there can be."
    ),
}

_REPEATS: Fields = {
    "box": Answered(TEXT, "The box that is used already."),
    "card_field": Answered(TEXT, "Where a card counts what earned the bonus."),
    "bonus_rule": Answered(TEXT, "The house rule with the points for each."),
    "joker_rule": Answered(TEXT, "The house rule that lets the dice fill other boxes."),
    "joker_fills": Answered({"type": "array", "items": TEXT}),
    "clause": CLAUSE,
}

_TIER: Fields = {
    "threshold": Answered(COUNT, "The least upper section that earns it."),
    "points": Answered(COUNT),
}

_UPPER_BONUS: Fields = {
    **_TIER,
    "tiers": listed(
        _object("UpperBonusTier", _TIER),
        "From the lowest threshold up; the highest reached counts.",
    ),
    "clause": CLAUSE,
}

_SCORECARD: Fields = {
    **_ENTRY,
    "boxes": listed(_object("Box", _BOX), "In card order."),
    "upper_bonus": nested(
        answer_part("UpperBonus", _UPPER_BONUS),
        "What the sum of the upper section earns, by its lowest tier; null for nothing.",
        nullable=True,
    ),
    "repeats": nested(
        answer_part("Repeats", _REPEATS),
        "What rolling once more for a used box can earn; null for nothing.",
        nullable=True,
    ),
}

_LINE_HAND: Fields = {
    "id": Answered(TEXT),
    "name": Answered(TEXT),
    "needs": Answered(TEXT, "What a line must show."),
    "points": Answered(COUNT),
    "further": Answered(COUNT, "Points for each card beyond the base."),
    "doubles": Answered({"type": "boolean"}, "Whether the base counts twice on the first roll."),
    "clause": CLAUSE,
}

_LAYOUT: Fields = {
    **_ENTRY,
    "hands": listed(_object("LineHand", _LINE_HAND), "From the most points down."),
    "all_dice_bonus": Answered(COUNT, "For all dice in one group of hands."),
    "risk_faces": Answered({"type": "array", "items": COUNT}, "Of the risk die; 0 is a blank."),
    "dice_set": Answered(
        {"type": "array", "items": {"type": "array", "items": TEXT}},
        "The faces of each die of the published set.",
    ),
}


def _entry_of(variant: type[Variant[Any]], name: str, own: Fields) -> type[Schema]:
    kind = Answered({"type": "string", "const": variant.kind})
    return answer_part(name, {**own, "kind": kind})


ENTRIES: dict[type[Variant[Any]], type[Schema]] = {
    Ranking: _entry_of(Ranking, "RankingEntry", _RANKING),
    CommunityRanking: _entry_of(
        CommunityRanking, "CommunityRankingEntry", {**_RANKING, **_COMMUNITY}
    ),
    ScoreCard: _entry_of(ScoreCard, "ScorecardEntry", _SCORECARD),
    Layout: _entry_of(Layout, "LayoutEntry", _LAYOUT),
}
"""Of `GET /v1/variants/{variant}`, by the class of the variant."""
