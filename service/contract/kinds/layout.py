"""The contract of games of layouts: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping

from service.api.schemas import shapes
from service.api.schemas.bounds import OWN_LAYOUT
from service.api.schemas.layout import PROOF, grid_shape, laid_hand
from service.api.schemas.shapes import (
    COUNT,
    FLAG,
    NUMBERS,
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
from service.contract.kinds.shapes import FINAL_PLACES, THROWS, Properties, news_entry
from service.kinds.layout.actions import RISK, THROW
from service.kinds.layout.variant import Layout

PHASES: tuple[str, ...] = ("throwing", "rolling", "laid", "over")
ARROW_ANSWER: str | None = None


def values(variant: Layout) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"layout": OWN_LAYOUT}


def die(variant: Layout, action: str) -> Shape:
    """A die that `action` rolls: the risk die, or a die with cards."""
    return COUNT if action in (THROW.name, RISK.name) else shapes.card(variant)


def state(variant: Layout) -> Properties:
    """The fields of a state that only this kind has."""
    faces = list_of(shapes.card(variant))
    laid = record(
        component(variant, "LaidInPlay"),
        {
            "points": about(COUNT, "Points with the bonus, before the risk die."),
            "hands": list_of(laid_hand(variant), "Most points first."),
            "grid": grid_shape(variant),
            "all_dice_bonus": COUNT,
            "best_points": about(COUNT, "Points of the best known layout."),
            **PROOF,
        },
    )
    turn = record(
        component(variant, "TurnInPlay"),
        {
            "player": TEXT,
            "rolls": list_of(
                faces, "Every roll of the turn: all dice, then those that were rolled again."
            ),
            "dice": about(faces, "The dice as they show now, in the order of the first roll."),
            "blanks": about(NUMBERS, "The indexes of the dice that show a blank."),
            "rolls_left": COUNT,
            "opened": about(or_null(FLAG), "Null before the first roll."),
            "laid": about(or_null(laid), "The layout; null until the dice are laid out."),
        },
    )
    return {
        **THROWS,
        "totals": by_player(COUNT),
        "turns_played": by_player(COUNT),
        "turn": or_null(turn),
        "places": FINAL_PLACES,
    }


def news(variant: Layout) -> Properties:
    """The fields of an entry in the news."""
    return news_entry(
        variant,
        *("begins", "throw_again", "passed", "laid", "banked", "risked"),
        *("super_royal", "game_over"),
        players=optional(TEXTS, "The players who throw again."),
        dice=optional(list_of(shapes.card(variant))),
        missing=optional(TEXT, "What the first roll lacks to open."),
        points=optional(COUNT, "Points of the turn."),
        best_points=optional(COUNT, "Points of the best known layout."),
        proven=optional(FLAG, "Whether it is certain that no layout has more points."),
        risk=optional(COUNT, "The result of the risk die."),
        total=optional(COUNT),
    )
