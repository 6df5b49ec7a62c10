"""The contract of games on score cards: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping

from service.api.operations.scorecard import best_box
from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
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


def values(variant: ScoreCard) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    return {"keep": KEPT_DICE, "box": shapes.box(variant)}


def die(variant: ScoreCard, action: str) -> Shape:
    """A die that `action` rolls: all of them roll the same dice."""
    del action
    return shapes.die(variant)


def state(variant: ScoreCard) -> Properties:
    """The fields of a state that only this kind has."""
    scores = dict.fromkeys([box.id for box in variant.boxes], shapes.COUNT.or_null())
    repeats = variant.repeats
    counted = [repeats.counter, repeats.points_field] if repeats else []
    card = shapes.record(
        shapes.component(variant, "CardInPlay"),
        {
            "scores": shapes.record(shapes.component(variant, "CardScores"), scores)(
                "The score in each box, in card order; null while it is open."
            ),
            **dict.fromkeys(["upper", "bonus", "lower", "total"], shapes.COUNT),
            **dict.fromkeys(counted, shapes.COUNT.optional()),
        },
    )
    turn = shapes.record(
        shapes.component(variant, "TurnInPlay"),
        {
            "player": shapes.TEXT,
            "round": shapes.ORDINAL,
            "rolls_left": shapes.COUNT,
            "dice": shapes.list_of(shapes.die(variant)).or_null("Null before the first roll."),
            "scores": shapes.by_player(shapes.COUNT).or_null(
                "The score of the dice in each open box; null before the first roll."
            ),
            "best": best_box(variant).schema.or_null(
                "The open box with the highest score; if several have it, the first. Null before "
                "the first roll."
            ),
            "ends_at": Shape({"type": "integer", "format": "int64"}).or_null(
                "The end of the turn in milliseconds since 1970; null without a clock."
            ),
        },
    )
    return {
        **THROWS,
        "turn": turn.optional("The current turn."),
        "cards": shapes.by_player(card)("Each player's card."),
        "places": FINAL_PLACES,
    }


def news(variant: ScoreCard) -> Properties:
    """The fields of an entry in the news."""
    return news_entry(
        variant,
        *("begins", "throw_again", "written", "crossed_out", "time_up"),
        *("upper_bonus", "repeat_bonus", "game_over"),
        players=shapes.TEXTS.optional("The players who throw again."),
        dice=shapes.list_of(shapes.die(variant)).optional(),
        box=shapes.box(variant).optional(),
        score=shapes.COUNT.optional(),
        points=shapes.COUNT.optional("The points of the bonus."),
        places=FINAL_PLACES,
    )
