"""The fields that requests and responses of `advise` share, whatever the kind of game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from service.api.schemas.component import component
from service.api.schemas.enums import die
from service.api.schemas.fields import StrictField, whole
from service.api.schemas.shared import AnswerField
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant

Shape = Mapping[str, Any]
"""A JSON Schema."""

CHANCE: Shape = {"type": "number", "minimum": 0, "maximum": 1}
NUMBER: Shape = {"type": "number"}
LOSS: Shape = {
    "type": "number",
    "minimum": 0,
    "description": "What it loses against the best option; 0 for options as good as the best.",
}

DECIMALS = 9
"""The decimals of means and chances. Further ones depend on the order of additions, which differs
between a table and a card that is solved at once."""

MOST_OPTIONS = 500
"""The most options in a response."""


def limit() -> StrictField:
    """The field of a request with the most options to return."""
    description = "The most options in the response, the best first. Default: `10`."
    return whole(1, MOST_OPTIONS, load_default=10, metadata={"description": description})


def rolls_left(variant: Variant[Any], **kwargs: Any) -> StrictField:
    """The field of a request with the rolls that are left in the turn."""
    most = variant.rolls - 1
    description = f"The rolls left in this turn, after these dice. Default: `{most}`."
    return whole(0, most, metadata={"description": description}, **kwargs)


def kept(variant: Ranking[Any] | ScoreCard[Any]) -> Mapping[str, Shape]:
    """The fields of an option to roll: the dice that it keeps, by place and by face."""
    place = {"type": "integer", "minimum": 0, "maximum": variant.dice.count - 1}
    return {
        "keep": {
            "type": "array",
            "items": place,
            "description": "The indexes of the dice to keep. Of equal dice, the first are kept.",
        },
        "dice": {"type": "array", "items": die(variant), "description": "The dice to keep."},
    }


def options(
    variant: Variant[Any],
    by_action: Mapping[str, Mapping[str, Shape]],
    optional: Collection[str] = (),
) -> AnswerField:
    """The options of a response, best first: the fields of each by its action.

    Those named in `optional` may be left out. Each action has its own component in the
    contract, and `action` is their discriminator.
    """
    schemas = {action: _option(variant, action, own, optional) for action, own in by_action.items()}
    mapping = {name: f"#/components/schemas/{made['title']}" for name, made in schemas.items()}
    option = {
        "title": component(variant, "Option"),
        "oneOf": [*schemas.values()],
        "discriminator": {"propertyName": "action", "mapping": mapping},
    }
    return AnswerField({"type": "array", "items": option}, "The best option first.")


def _option(
    variant: Variant[Any], action: str, own: Mapping[str, Shape], optional: Collection[str]
) -> dict[str, Any]:
    word = "".join(part.capitalize() for part in action.split("_"))
    properties = {"action": {"type": "string", "enum": [action]}, **own}
    return {
        "title": component(variant, f"{word}Option"),
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }
