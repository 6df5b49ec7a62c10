"""The contract of games of layouts: catalogue entry, values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping

from marshmallow import Schema, fields

from service.api.schemas import enums
from service.api.schemas.component import component
from service.api.schemas.enums import DIRECTION, or_null
from service.api.schemas.layout import line_schema
from service.api.schemas.layout_responses import grid, laid_hand, proof_fields
from service.api.schemas.shared import AnswerField, Fields, answer_part, listed, nested
from service.contract.kinds import bounds
from service.contract.kinds.entry import CLAUSE, COMMON, entry_schema, part
from service.contract.kinds.shapes import (
    COUNT,
    FINAL_PLACE,
    FLAG,
    NUMBERS,
    TEXT,
    TEXTS,
    Shape,
    by_player,
    news_entry,
    optional,
    several,
    throws,
)
from service.engine.parameters import Bound
from service.kinds.layout.card_roll import OwnLines
from service.kinds.layout.game import RISK, THROW
from service.kinds.layout.variant import Layout

HAND_COUNTS = "as a layout of crossing lines"
LAYOUT: Shape = {
    "type": ["array", "null"],
    "items": {
        "title": "LineToLay",
        **line_schema(
            {"type": "array", "items": {"type": "integer", "minimum": 0}}, or_null(DIRECTION)
        ),
        "additionalProperties": False,
    },
}
"""The lines of a player's own layout, null for the best one."""
_POSITION = bounds.bounds(
    "PositionBounds",
    TEXTS,
    {
        "minimum": {"type": "integer"},
        "maximum": {"type": "integer"},
        "enum": {"type": "array", "items": {"type": ["string", "null"]}},
    },
    [],
)

_LINE = bounds.bounds(
    "LineBounds",
    TEXT,
    {
        "properties": {
            "title": "LineProperties",
            "type": "object",
            "properties": {
                "dice": bounds.LIST,
                **dict.fromkeys(("direction", "row", "column"), _POSITION),
            },
            "required": ["dice", "direction", "row", "column"],
        },
        "required": TEXTS,
    },
    ["properties", "required"],
)
_LAYOUT = bounds.bounds(
    "LayoutBounds",
    TEXTS,
    {"items": _LINE, "maxItems": COUNT, "default": LAYOUT},
    ["items", "maxItems", "default"],
)

BOUNDS: Mapping[type[Bound], Shape] = {
    OwnLines: {
        **_LAYOUT,
        "description": "Lines, or null: `type` has two words, so these bounds are none of "
        "`Bounds`.",
    },
}
"""The bounds of values in legal actions, by the class of bounds."""
PHASES: tuple[str, ...] = ("throwing", "rolling", "laid", "over")
ARROW_ANSWER: str | None = None

_LINE_HAND: Fields = {
    "id": AnswerField(TEXT),
    "name": AnswerField(TEXT),
    "needs": AnswerField(TEXT, "What a line must show."),
    "points": AnswerField(COUNT),
    "further": AnswerField(COUNT, "Points for each card beyond the base hand."),
    "doubles": AnswerField(
        {"type": "boolean"}, "Whether the base hand counts twice on the first roll."
    ),
    "clause": CLAUSE,
}

_ENTRY: Fields = {
    **COMMON,
    "hands": listed(part("LineHand", _LINE_HAND), "Most points first."),
    "all_dice_bonus": AnswerField(
        COUNT, "Points for using all dice in one connected group of hands."
    ),
    "risk_faces": AnswerField(
        {"type": "array", "items": COUNT}, "The faces of the risk die; 0 is a blank."
    ),
    "dice_set": AnswerField(
        {"type": "array", "items": {"type": "array", "items": TEXT}},
        "The faces of each die of the published set.",
    ),
}

_ENTRY_SCHEMA = entry_schema(Layout, "LayoutEntry", _ENTRY)


def entry(variant: Layout) -> type[Schema]:
    """The schema of `GET /v1/variants/{variant}`."""
    del variant
    return _ENTRY_SCHEMA


def values(variant: Layout) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"layout": LAYOUT}


def die(variant: Layout, action: str) -> Shape:
    """A die that `action` rolls: the risk die, or a die with cards."""
    return COUNT if action in (THROW.name, RISK.name) else enums.card(variant)


def state(variant: Layout) -> Fields:
    """The fields of a state that only this kind has."""
    faces = several(enums.card(variant))
    laid: Fields = {
        "points": AnswerField(COUNT, "Points with the bonus, before the risk die."),
        "hands": listed(nested(laid_hand(variant)), "Most points first."),
        "grid": grid(variant),
        "all_dice_bonus": AnswerField(COUNT),
        "best_points": AnswerField(COUNT, "Points of the best known layout."),
        **proof_fields(),
    }
    turn: Fields = {
        "player": AnswerField(TEXT),
        "rolls": AnswerField(
            {"type": "array", "items": faces},
            "Every roll of the turn: all dice, then those that were rolled again.",
        ),
        "dice": AnswerField(faces, "The dice as they show now, in the order of the first roll."),
        "blanks": AnswerField(NUMBERS, "The indexes of the dice that show a blank."),
        "rolls_left": AnswerField(COUNT),
        "opened": AnswerField(or_null(FLAG), "Null before the first roll."),
        "laid": nested(
            answer_part(component(variant, "LaidInPlay"), laid),
            "The layout; null until the dice are laid out.",
            nullable=True,
        ),
    }
    return {
        **throws(),
        "totals": AnswerField(by_player(COUNT)),
        "turns_played": AnswerField(by_player(COUNT)),
        "turn": nested(answer_part(component(variant, "TurnInPlay"), turn), nullable=True),
        "places": fields.List(
            nested(FINAL_PLACE),
            metadata={"description": "Present once the game is over."},
        ),
    }


def news(variant: Layout) -> Fields:
    """The fields of an entry in the news."""
    faces = several(enums.card(variant))
    return news_entry(
        variant,
        *("begins", "throw_again", "passed", "laid", "banked", "risked"),
        *("super_royal", "game_over"),
        players=optional(TEXTS, "The players who throw again."),
        dice=optional(faces),
        missing=optional(TEXT, "What the first roll lacks to open."),
        points=optional(COUNT, "Points of the turn."),
        best_points=optional(COUNT, "Points of the best known layout."),
        proven=optional(FLAG, "Whether it is certain that no layout has more points."),
        risk=optional(COUNT, "The result of the risk die."),
        total=optional(COUNT),
    )
