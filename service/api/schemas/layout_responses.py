"""The schemas of the responses about layouts, for the contract."""

from __future__ import annotations

from functools import cache
from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.component import component
from service.api.schemas.enums import DIRECTION, card, hand_name, or_null
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
from service.kinds.layout.variant import Layout

POINTS = {"type": "integer", "minimum": 0}


@cache
def laid_hand(variant: Layout) -> type[Schema]:
    """A hand of a layout, in responses."""
    place = {"type": ["integer", "null"]}
    return answer_part(
        component(variant, "Hand"),
        {
            "hand": AnswerField(hand_name(variant)),
            "dice": AnswerField(
                {"type": "array", "items": {"type": "integer"}},
                "Dice by their index in the first roll, left to right or top to bottom.",
            ),
            "cards": AnswerField({"type": "array", "items": card(variant)}),
            "points": AnswerField(POINTS),
            "first_roll": AnswerField(
                {"type": "boolean"},
                "Whether the base hand counts twice because it came on the first roll.",
            ),
            "reason": AnswerField({"type": "string"}, "How the points add up."),
            "clause": AnswerField({"type": "string"}),
            "direction": AnswerField(
                or_null(DIRECTION),
                "Null if hands may run in any direction.",
            ),
            "row": AnswerField(place, "The position of its first die."),
            "column": AnswerField(place, "The position of its first die."),
        },
    )


def _turn_fields(variant: Layout) -> Fields:
    """The fields of a response about any turn."""
    bonus = among({0, variant.all_dice_bonus})
    return {
        "opened": AnswerField(
            {"type": "boolean"}, "Whether the first roll opened; if not, the turn scores zero."
        ),
        "missing": AnswerField(
            {"type": "string"},
            "What the first roll lacks to open; present if `opened` is false.",
            required=False,
        ),
        "hands": listed(nested(laid_hand(variant)), "Most points first."),
        "all_dice_bonus": AnswerField(bonus),
        "points": AnswerField(POINTS, "The points of the hands and the bonus."),
        "score": AnswerField(POINTS, "The points after the risk die."),
        "wins_game": AnswerField(
            {"type": "boolean"}, "Whether the turn is a super royal, which wins the game."
        ),
    }


def proof_fields() -> Fields:
    """Whether a layout is proven to be the best, in responses."""
    return {
        "proven": AnswerField(
            {"type": "boolean"}, "Whether it is certain that no layout has more points."
        ),
        "upper_bound": AnswerField(
            POINTS,
            "No layout has more points than this; present if `proven` is false.",
            required=False,
        ),
    }


def evaluate_response(variant: Layout) -> Schema:
    """The best layout of a turn."""
    own = {**_turn_fields(variant), "grid": grid(variant), **proof_fields()}
    return answer_schema(variant, "EvaluateAnswer", own)


def grid(variant: Layout) -> fields.List[Any]:
    """The grid of a layout, in responses."""
    die = nested(_grid_die(variant))
    made = listed(die, "The position of each die of the layout; null if `max_uses` is above 2.")
    made.allow_none = True
    return made


@cache
def _grid_die(variant: Layout) -> type[Schema]:
    return answer_part(
        component(variant, "GridDie"),
        {
            "die": AnswerField({"type": "integer"}, "The index of the die in the first roll."),
            "card": AnswerField(card(variant)),
            "row": AnswerField({"type": "integer"}),
            "column": AnswerField({"type": "integer"}),
        },
    )


_PLACE = answer_part(
    "LayoutPlace",
    {
        **PLACE,
        "points": AnswerField(
            {"type": "array", "items": POINTS},
            "The points of each player in this place, before the risk die.",
        ),
        "score": AnswerField(POINTS),
        "wins_game": AnswerField(
            {"type": "boolean"}, "Whether the turn is a super royal, which wins the game."
        ),
        "proven": AnswerField(
            {"type": "boolean"},
            "Whether it is certain that no layout of these players has more points.",
        ),
        "upper_bound": AnswerField(
            {"type": "array", "items": POINTS},
            "For each player, the most points that a layout could have before the risk die; "
            "present if `proven` is false.",
            required=False,
        ),
    },
)


def rank_response(variant: Layout) -> Schema:
    """The places of players by their best layouts."""
    places = listed(nested(_PLACE))
    return answer_schema(variant, "RankAnswer", {"places": places, "winners": WINNERS})


_BEST = answer_part(
    "BestLayout",
    {
        "points": AnswerField(
            POINTS,
            "The points of the best known layout, with the bonus; 0 if the turn didn't open.",
        ),
        "beats_by": AnswerField(POINTS, "How many more points it has than your layout."),
        **proof_fields(),
    },
)


def score_response(variant: Layout) -> Schema:
    """The score of a player's own layout, and the best one."""
    return answer_schema(variant, "ScoreAnswer", {**_turn_fields(variant), "best": nested(_BEST)})


def batch_columns(variant: Layout) -> dict[str, dict[str, Any]]:
    """The columns of a batch: the best layout of each turn."""
    flag = {"type": "boolean"}
    columns: dict[str, dict[str, Any]] = {
        "opened": flag,
        "points": POINTS,
        "all_dice_bonus": among({0, variant.all_dice_bonus}),
        "wins_game": flag,
        "proven": flag,
        "hands": {"type": "array", "items": hand_name(variant)},
    }
    return {name: {"type": "array", "items": items} for name, items in columns.items()}
