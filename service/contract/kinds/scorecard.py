"""The contract of games on score cards: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.operations.scorecard import best_box
from service.api.schemas import shapes
from service.api.schemas.shapes import (
    COUNT,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    about,
    by_player,
    component,
    list_of,
    optional,
    or_null,
    record,
)
from service.contract.kinds.shapes import (
    FINAL_PLACES,
    KEPT_DICE,
    THROWS,
    Properties,
    news_entry,
)
from service.kinds.scorecard.variant import ScoreCard

PHASES: tuple[str, ...] = ("throwing", "playing", "over")
ARROW_ANSWER: str | None = "an int16 column for each box"


def values(variant: ScoreCard[Any]) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    return {"keep": KEPT_DICE, "box": shapes.box(variant)}


def die(variant: ScoreCard[Any], action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return shapes.die(variant)


def state(variant: ScoreCard[Any]) -> Properties:
    """The fields of a state that only this kind has."""
    scores = dict.fromkeys([box.id for box in variant.boxes], or_null(COUNT))
    repeats = variant.repeats
    counted = [repeats.counter, repeats.points_field] if repeats else []
    card = record(
        component(variant, "CardInPlay"),
        {
            "scores": about(
                record(component(variant, "CardScores"), scores),
                "The score in each box, in card order; null while it is open.",
            ),
            **dict.fromkeys(["upper", "bonus", "lower", "total"], COUNT),
            **dict.fromkeys(counted, optional(COUNT)),
        },
    )
    turn = record(
        component(variant, "TurnInPlay"),
        {
            "player": TEXT,
            "round": ORDINAL,
            "rolls_left": COUNT,
            "dice": about(or_null(list_of(shapes.die(variant))), "Null before the first roll."),
            "scores": about(
                or_null(by_player(COUNT)),
                "The score of the dice in each open box; null before the first roll.",
            ),
            "best": about(
                or_null(best_box(variant).schema),
                "The open box with the highest score; if several have it, the first. Null before "
                "the first roll.",
            ),
            "ends_at": about(
                or_null({"type": "integer", "format": "int64"}),
                "The end of the turn in milliseconds since 1970; null without a clock.",
            ),
        },
    )
    return {
        **THROWS,
        "turn": optional(turn, "The current turn."),
        "cards": about(by_player(card), "Each player's card."),
        "places": FINAL_PLACES,
    }


def news(variant: ScoreCard[Any]) -> Properties:
    """The fields of an entry in the news."""
    return news_entry(
        variant,
        *("begins", "throw_again", "written", "crossed_out", "time_up"),
        *("upper_bonus", "repeat_bonus", "game_over"),
        players=optional(TEXTS, "The players who throw again."),
        dice=optional(list_of(shapes.die(variant))),
        box=optional(shapes.box(variant)),
        score=optional(COUNT),
        points=optional(COUNT, "The points of the bonus."),
        places=FINAL_PLACES,
    )
