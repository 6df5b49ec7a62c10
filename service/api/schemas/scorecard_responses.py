"""The schemas of the responses about score cards, for the contract."""

from __future__ import annotations

from functools import cache
from typing import Any

from marshmallow import Schema

from service.api.schemas.component import component
from service.api.schemas.enums import box, or_null
from service.api.schemas.numbers import among
from service.api.schemas.shared import (
    PLACE,
    WINNERS,
    AnswerField,
    Fields,
    answer_part,
    answer_schema,
    listed,
    nested,
)
from service.kinds.scorecard.variant import ScoreCard

POINTS = {"type": "integer", "minimum": 0}


def evaluate_response(variant: ScoreCard[Any]) -> Schema:
    """The scores of a roll in the open boxes."""
    scores = {
        box: AnswerField(among(possible), required=False)
        for box, possible in variant.possible.items()
    }
    repeats = variant.repeats
    earned = (
        {
            repeats.points_field: AnswerField(
                POINTS,
                "The bonus that the roll earns in addition, whatever the box; present if the "
                f"request has {repeats.box.id} and the house rule {repeats.bonus} is in force.",
                required=False,
            )
        }
        if repeats
        else {}
    )
    return answer_schema(
        variant,
        "EvaluateAnswer",
        {
            "scores": nested(
                answer_part(component(variant, "Scores"), scores),
                "The score in each open box, in card order.",
            ),
            "best": nested(
                best_box(variant),
                "The box with the highest score; if several have it, the first in card order.",
            ),
            **earned,
        },
    )


@cache
def best_box(variant: ScoreCard[Any]) -> type[Schema]:
    """The box where a roll scores the most."""
    best = {"box": AnswerField(box(variant)), "score": AnswerField(POINTS)}
    return answer_part(component(variant, "BestBox"), best)


def _totals_fields(variant: ScoreCard[Any]) -> Fields:
    repeats = variant.repeats
    bonuses = sorted(variant.upper_bonus.tiers.values()) if variant.upper_bonus else []
    declared = {
        "upper": AnswerField(POINTS, "The sum of the upper section, without its bonus."),
        "bonus": AnswerField(among([0, *bonuses])),
        "lower": AnswerField(POINTS),
        "total": AnswerField(POINTS),
    }
    if repeats:
        declared[repeats.points_field] = AnswerField(
            POINTS,
            f"The points for {repeats.counter}; present if the house rule {repeats.bonus} is in "
            "force.",
            required=False,
        )
    return declared


_PLACE = answer_part(
    "ScorecardPlace",
    {**PLACE, "total": AnswerField(POINTS, "The total of every card in this place.")},
)


def rank_response(variant: ScoreCard[Any]) -> Schema:
    """The places of players by the totals of their cards."""
    places = listed(nested(_PLACE))
    return answer_schema(variant, "RankAnswer", {"places": places, "winners": WINNERS})


def score_response(variant: ScoreCard[Any]) -> Schema:
    """A card with its totals."""
    written: dict[str, AnswerField] = {
        box: AnswerField(or_null(among(possible))) for box, possible in variant.possible.items()
    }
    if variant.repeats:
        written[variant.repeats.counter] = AnswerField(
            {"type": "integer", "minimum": 0},
            f"Rolls that earned the bonus; present if the house rule {variant.repeats.bonus} is "
            "in force.",
            required=False,
        )
    return answer_schema(
        variant,
        "ScoreAnswer",
        {
            "card": nested(
                answer_part(component(variant, "Card"), written),
                "The score in each box; null while it is open.",
            ),
            **_totals_fields(variant),
            "open_boxes": AnswerField({"type": "array", "items": box(variant)}, "In card order."),
            "complete": AnswerField({"type": "boolean"}, "Whether every box is used."),
        },
    )
