"""The contract of games of layouts: values of actions, state and news."""

from __future__ import annotations

from collections.abc import Mapping

from service.api.schemas import shapes
from service.api.schemas.bounds import OWN_LAYOUT
from service.api.schemas.layout import PROOF, grid_shape, laid_hand
from service.api.schemas.shapes import Shape
from service.contract.kinds.shapes import FINAL_PLACES, THROWS, Properties, news_entry
from service.kinds.layout.game import RISK, THROW
from service.kinds.layout.variant import Layout

PHASES: tuple[str, ...] = ("throwing", "rolling", "laid", "over")
ARROW_ANSWER: str | None = None


def values(variant: Layout) -> Mapping[str, Shape]:
    """The JSON Schema of each value that an action takes, by its name."""
    del variant
    return {"layout": OWN_LAYOUT}


def die(variant: Layout, action: str) -> Shape:
    """A die that `action` rolls: the risk die, or a die with cards."""
    return shapes.COUNT if action in (THROW.name, RISK.name) else shapes.card(variant)


def state(variant: Layout) -> Properties:
    """The fields of a state that only this kind has."""
    faces = shapes.list_of(shapes.card(variant))
    laid = shapes.record(
        shapes.component(variant, "LaidInPlay"),
        {
            "points": shapes.COUNT("Points with the bonus, before the risk die."),
            "hands": shapes.list_of(laid_hand(variant), "Most points first."),
            "grid": grid_shape(variant),
            "all_dice_bonus": shapes.COUNT,
            "best_points": shapes.COUNT("Points of the best known layout."),
            **PROOF,
        },
    )
    turn = shapes.record(
        shapes.component(variant, "TurnInPlay"),
        {
            "player": shapes.TEXT,
            "rolls": shapes.list_of(
                faces, "Every roll of the turn: all dice, then those that were rolled again."
            ),
            "dice": faces("The dice as they show now, in the order of the first roll."),
            "blanks": shapes.NUMBERS("The indexes of the dice that show a blank."),
            "rolls_left": shapes.COUNT,
            "opened": shapes.FLAG.or_null("Null before the first roll."),
            "laid": laid.or_null("The layout; null until the dice are laid out."),
        },
    )
    return {
        **THROWS,
        "totals": shapes.by_player(shapes.COUNT),
        "turns_played": shapes.by_player(shapes.COUNT),
        "turn": turn.or_null(),
        "places": FINAL_PLACES,
    }


def news(variant: Layout) -> Properties:
    """The fields of an entry in the news."""
    return news_entry(
        variant,
        *("begins", "throw_again", "passed", "laid", "banked", "risked"),
        *("super_royal", "game_over"),
        players=shapes.TEXTS.optional("The players who throw again."),
        dice=shapes.list_of(shapes.card(variant)).optional(),
        missing=shapes.TEXT.optional("What the first roll lacks to open."),
        points=shapes.COUNT.optional("Points of the turn."),
        best_points=shapes.COUNT.optional("Points of the best known layout."),
        proven=shapes.FLAG.optional("Whether it is certain that no layout has more points."),
        risk=shapes.COUNT.optional("The result of the risk die."),
        total=shapes.COUNT.optional(),
    )
