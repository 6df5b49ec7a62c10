"""The contract of games on score cards: catalogue entry, values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields

from service.api.schemas import enums
from service.api.schemas.component import component
from service.api.schemas.scorecard_responses import best_box
from service.api.schemas.shared import AnswerField, Fields, answer_part, listed, nested
from service.contract.kinds import bounds
from service.contract.kinds.entry import CLAUSE, COMMON, entry_schema, part
from service.contract.kinds.shapes import (
    COUNT,
    FINAL_PLACE,
    KEPT_DICE,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    keyed,
    news_entry,
    optional,
    several,
    throws,
)
from service.engine.parameters import Bound, Keep, OneOf
from service.kinds.scorecard.variant import ScoreCard

HAND_COUNTS = "in a box of a score card"
BOUNDS: Mapping[type[Bound], Shape] = {Keep: bounds.LIST, OneOf: bounds.WORD}
"""The bounds of values in legal actions, by the class of bounds."""
PHASES: tuple[str, ...] = ("throwing", "playing", "over")
ARROW_ANSWER: str | None = "an int16 column for each box"

_BOX: Fields = {
    "id": AnswerField(TEXT),
    "name": AnswerField(TEXT),
    "section": AnswerField(enums.named_enum("BoxSection", ["upper", "lower"])),
    "needs": AnswerField(TEXT, "What the dice must show."),
    "points": AnswerField({"type": ["integer", "null"]}, "Null if it depends on the dice."),
    "scores": AnswerField(TEXT, "How the box scores, in words."),
    "possible": AnswerField(
        {"type": "array", "items": {"type": "integer"}},
        "Every score that a roll can have in this box.",
    ),
    "clause": CLAUSE,
}

_REPEATS: Fields = {
    "box": AnswerField(TEXT, "The box that must already be used."),
    "card_field": AnswerField(TEXT, "The field of a card that counts the rolls with a bonus."),
    "bonus_rule": AnswerField(TEXT, "The house rule that sets the points of the bonus."),
    "joker_rule": AnswerField(TEXT, "The house rule that lets the dice fill other boxes."),
    "joker_fills": AnswerField({"type": "array", "items": TEXT}),
    "clause": CLAUSE,
}

_TIER: Fields = {
    "threshold": AnswerField(COUNT, "The minimum upper total."),
    "points": AnswerField(COUNT),
}

_UPPER_BONUS: Fields = {
    **_TIER,
    "tiers": listed(
        part("UpperBonusTier", _TIER),
        "Lowest threshold first. The highest tier that is reached counts.",
    ),
    "clause": CLAUSE,
}

_ENTRY: Fields = {
    **COMMON,
    "boxes": listed(part("Box", _BOX), "In card order."),
    "upper_bonus": nested(
        answer_part("UpperBonus", _UPPER_BONUS),
        "The bonus for the upper section; null for none. `threshold` and `points` are those of the "
        "lowest tier.",
        nullable=True,
    ),
    "repeats": nested(
        answer_part("Repeats", _REPEATS),
        "The bonus for rolling a used box again; null for none.",
        nullable=True,
    ),
    "clock": AnswerField(
        {"type": ["string", "null"]},
        "The house rule that sets how many seconds a turn of a session lasts; null for no clock.",
    ),
}

_ENTRY_SCHEMA = entry_schema(ScoreCard, "ScorecardEntry", _ENTRY)


def entry(variant: ScoreCard[Any]) -> type[Schema]:
    """The schema of `GET /v1/variants/{variant}`."""
    del variant
    return _ENTRY_SCHEMA


def values(variant: ScoreCard[Any]) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    return {"keep": KEPT_DICE, "box": enums.box(variant)}


def die(variant: ScoreCard[Any], action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return enums.die(variant)


def state(variant: ScoreCard[Any]) -> Fields:
    """The fields of a state that only this kind has."""
    boxes = [box.id for box in variant.boxes]
    score = AnswerField({"type": ["integer", "null"], "minimum": 0})
    card: dict[str, Any] = {
        "scores": nested(
            answer_part(component(variant, "CardScores"), dict.fromkeys(boxes, score)),
            "The score in each box, in card order; null while it is open.",
        ),
        "upper": AnswerField(COUNT),
        "bonus": AnswerField(COUNT),
        "lower": AnswerField(COUNT),
        "total": AnswerField(COUNT),
    }
    if variant.repeats:
        counter = variant.repeats.counter
        card[counter] = AnswerField(COUNT, required=False)
        card[variant.repeats.points_field] = AnswerField(COUNT, required=False)
    cards = answer_part(component(variant, "CardInPlay"), card)
    turn: Fields = {
        "player": AnswerField(TEXT),
        "round": AnswerField(ORDINAL),
        "rolls_left": AnswerField(COUNT),
        "dice": AnswerField(
            enums.or_null(several(enums.die(variant))), "Null before the first roll."
        ),
        "scores": AnswerField(
            {"type": ["object", "null"], "additionalProperties": COUNT},
            "The score of the dice in each open box; null before the first roll.",
        ),
        "best": nested(
            best_box(variant),
            "The open box with the highest score; if several have it, the first. Null before the "
            "first roll.",
            nullable=True,
        ),
        "ends_at": AnswerField(
            enums.or_null({"type": "integer", "format": "int64"}),
            "The end of the turn in milliseconds since 1970; null without a clock.",
        ),
    }
    return {
        **throws(),
        "turn": nested(
            answer_part(component(variant, "TurnInPlay"), turn),
            "The current turn.",
            required=False,
        ),
        "cards": keyed(cards, "Each player's card."),
        "places": fields.List(
            nested(FINAL_PLACE),
            metadata={"description": "Present once the game is over."},
        ),
    }


def news(variant: ScoreCard[Any]) -> Fields:
    """The fields of an entry in the news."""
    places = nested(FINAL_PLACE)
    return news_entry(
        variant,
        *("begins", "throw_again", "written", "crossed_out", "time_up"),
        *("upper_bonus", "repeat_bonus", "game_over"),
        players=optional(TEXTS, "The players who throw again."),
        dice=optional(several(enums.die(variant))),
        box=optional(enums.box(variant)),
        score=optional(COUNT),
        points=optional(COUNT, "The points of the bonus."),
        places=fields.List(places, metadata={"description": "Present once the game is over."}),
    )
