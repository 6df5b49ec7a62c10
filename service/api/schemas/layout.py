"""The fields of requests for layouts, and the JSON Schemas of layouts in responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, whole, word
from service.api.schemas.reasons import REASON
from service.api.schemas.requests import Objects, object_schema
from service.api.schemas.shapes import Shape
from service.kinds.layout.cards import Turn
from service.kinds.layout.own_layout import FURTHEST, OwnLine, most_lines, read_die_numbers
from service.kinds.layout.variant import Layout


def rolls(variant: Layout, *, least: int = 1, **kwargs: Any) -> StrictField:
    """A turn with cards: its rolls, parsed into a `Turn`. With `least` 0, no rolls are None."""
    count = variant.dice.count
    empty = "" if least else " Empty before the first roll."
    json_schema = shapes.list_of(
        shapes.list_of(shapes.card(variant), maxItems=count),
        f"The first roll has all {count} dice. Each further roll has a face for every blank of the "
        f"previous roll. A face is {variant.dice.how_written}.{empty}",
        minItems=least,
        maxItems=variant.rolls,
    )

    def read(value: object) -> Turn | None:
        none = not least and isinstance(value, list | tuple) and not value
        return None if none else variant.read_rolls(value, least)

    return StrictField(read, json_schema, **kwargs)


def die_numbers_schema(count: int) -> Shape:
    """The JSON Schema of the dice of a line, of `count` dice in all.

    It leaves out that they differ: generators make `uniqueItems` a set, which has no order.
    """
    return shapes.list_of(shapes.index(count), minItems=2, maxItems=count)


_IF_PLACED = "Required unless `max_uses` is above 2; then it is ignored."
_OF_FIRST_DIE = f"The position of the first die. {_IF_PLACED}"

_POSITION = {
    "direction": word(shapes.DIRECTION, nullable=True, description=_IF_PLACED),
    "row": whole(-FURTHEST, FURTHEST, nullable=True, description=_OF_FIRST_DIE),
    "column": whole(-FURTHEST, FURTHEST, nullable=True, description=_OF_FIRST_DIE),
}
"""Where a line lies: all fields of a line but its dice."""

POSITION_SHAPES: Mapping[str, Shape] = {
    name: field.json_schema for name, field in _POSITION.items()
}


def own_layout(variant: Layout, description: str = "", **kwargs: Any) -> Objects:
    """A player's own layout in a request, parsed into its lines."""
    count = variant.dice.count
    dice = StrictField(
        lambda value: read_die_numbers(value, count),
        die_numbers_schema(count),
        "Indexes in the first roll, in the order they lie.",
        required=True,
    )
    line = object_schema(variant, "Line", {"dice": dice, **_POSITION}, OwnLine)
    return Objects(line, most_lines(count, variant.most_uses), "lines", description, **kwargs)


def laid_hand(variant: Layout) -> Shape:
    """A hand of a layout in responses, as `hands_json` makes it."""
    of_first_die = shapes.INTEGER.or_null("Of its first die.")
    return shapes.record(
        shapes.component(variant, "Hand"),
        {
            "hand": shapes.hand_name(variant),
            "dice": shapes.NUMBERS("Indexes in the first roll, left to right or top to bottom."),
            "cards": shapes.list_of(shapes.card(variant)),
            "points": shapes.COUNT,
            "first_roll": shapes.FLAG("It counts twice, as it came on the first roll."),
            **REASON,
            "clause": shapes.TEXT,
            "direction": shapes.DIRECTION.or_null("Null: any."),
            "row": of_first_die,
            "column": of_first_die,
        },
    )


def grid_shape(variant: Layout) -> Shape:
    """The grid of a layout in responses, as `grid_json` makes it."""
    die = shapes.record(
        shapes.component(variant, "GridDie"),
        {
            "die": shapes.INTEGER("Its index in the first roll."),
            "card": shapes.card(variant),
            "row": shapes.INTEGER,
            "column": shapes.INTEGER,
        },
    )
    return shapes.list_of(die).or_null("Null if `max_uses` is above 2.")


PROOF: Mapping[str, Shape] = {
    "proven": shapes.FLAG("Whether no layout has more points."),
    "upper_bound": shapes.COUNT.optional("No layout has more points than this."),
}
"""Whether a layout is proven to be the best, in responses."""
