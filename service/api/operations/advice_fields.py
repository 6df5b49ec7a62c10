"""The fields that requests and responses of `advise` share, whatever the kind of game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, whole
from service.api.schemas.serializers import Fields, OneOf, Serializer
from service.api.schemas.shapes import Field, Get, Shape
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant

SourceT = TypeVar("SourceT")
OptionT = TypeVar("OptionT")

CHANCE = Shape(type="number", minimum=0, maximum=1)
NO_LESS_THAN_0 = Shape(type="number", minimum=0)
LOSS = NO_LESS_THAN_0("Against the best option.")

DECIMALS = 9
"""The decimals of means and chances. Further ones depend on the order of additions, which differs
between a table and a card that is solved at once."""

MOST_OPTIONS = 500
"""The most options in a response."""


def rounded(shape: Shape, get: Get[SourceT]) -> Field[SourceT]:
    """A mean or a chance in a response, or None."""
    return shape.of(get, lambda value: round(value, DECIMALS))


def limit() -> StrictField:
    """The field of a request with the most options to return."""
    description = "The most options, the best first. Default: `10`."
    return whole(1, MOST_OPTIONS, load_default=10, description=description)


def rolls_left(variant: Variant, **kwargs: Any) -> StrictField:
    """The field of a request with the rolls that are left in the turn."""
    most = variant.rolls - 1
    description = f"After these dice. Default: `{most}`."
    return whole(0, most, description=description, **kwargs)


def kept_fields(variant: Ranking | ScoreCard, keep: str, dice: str) -> Fields[Any]:
    """The fields of an option to roll: the dice that it keeps, by place and by face.

    `keep` and `dice` are the paths of their places and numbers.
    """
    place = Shape(type="integer", minimum=0, maximum=variant.dice.count - 1)
    return {
        "keep": shapes.list_of(place)("By index. Of equal dice, the first are kept.").of(keep),
        "dice": shapes.list_of(shapes.die(variant)).of(dice, variant.dice.named),
    }


def options_of(
    variant: Variant, by_action: Mapping[str, Fields[OptionT]], action: Callable[[OptionT], str]
) -> OneOf[OptionT]:
    """An option of a response: the fields of each by its action.

    Each action has its own component in the contract, and `action` is their discriminator.
    """

    def option(name: str, own: Fields[OptionT]) -> Serializer[OptionT]:
        word = "".join(part.capitalize() for part in name.split("_"))
        shape = Shape(type="string", enum=[name])
        named: Field[OptionT] = shape.of(lambda _: name)
        return Serializer(shapes.component(variant, f"{word}Option"), {"action": named, **own})

    choices = {name: option(name, own) for name, own in by_action.items()}
    return OneOf(shapes.component(variant, "Option"), "action", choices, action)
