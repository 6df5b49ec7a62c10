"""What `advise`, `choose` and `forecast` have in common, whatever the kind of game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, TypeVar

from service.advice import Forecast, Outlook
from service.advice.choosing import Chosen, Strength
from service.api.operations.operation import CHOOSE, FORECAST, Operation
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, whole, word
from service.api.schemas.reasons import BECAUSE, text
from service.api.schemas.requests import Fields as RequestFields
from service.api.schemas.requests import players
from service.api.schemas.serializers import Fields, OneOf, Serializer, inlined, parts
from service.api.schemas.shapes import Field, Get, Shape
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Example, Variant

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
    places = shapes.list_of(shapes.index(variant.dice.count))
    return {
        "keep": places("By index. Of equal dice, the first are kept.").of(keep),
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


Take = Callable[[Mapping[str, Any], Strength, Random], Chosen]
"""Returns what a player of a strength does in the position of a request, with a source of chance.
"""

MAX_SEED = 2**53 - 1
"""The greatest seed: JavaScript has no greater whole numbers that are exact."""

STRENGTH = shapes.named_enum("PlayerStrength", [each.value for each in Strength])


class _Taken(NamedTuple):
    """The choice of a player, with their strength."""

    strength: str
    chosen: Chosen


def choose(advise: Operation, take: Take) -> Operation:
    """The operation `choose` of a variant with this operation `advise`."""

    def compute(given: Mapping[str, Any]) -> _Taken:
        strength, source = given["strength"], Random(given.get("seed"))
        return _Taken(strength, take(given, Strength(strength), source))

    return Operation(
        advise.variant,
        CHOOSE,
        title="take a player's turn",
        description="What a player of this strength does here, and why.",
        request_fields={
            **advise.request_fields,
            "strength": word(STRENGTH, required=True),
            "seed": whole(0, MAX_SEED, description="Repeats the choice. Default: chance."),
        },
        response_fields={
            "strength": STRENGTH,
            "action": shapes.reference("Action").of("chosen.action"),
            "reason": shapes.TEXT.of("chosen.because", text),
            "because": BECAUSE.of("chosen.because"),
        },
        compute=compute,
        check=advise.check,
        waits=advise.waits,
        made_examples=[
            replace(each, operation=CHOOSE, request={**each.request, "strength": "best", "seed": 1})
            for each in advise.examples
        ],
    )


MOST_PLAYERS = 20
"""The most players of a forecast, where a game has no limit."""


class Found(NamedTuple):
    """A forecast, with the outlooks of players by their ids, in order."""

    players: Mapping[str, Outlook]
    exact: bool
    standard_error: float


_OUTLOOK: Fields[Outlook] = {
    "win": rounded(CHANCE("To win alone."), "win"),
    "share": rounded(CHANCE("To share the win."), "share"),
    "expected": rounded(shapes.NUMBER("The mean result."), "expected"),
    "deviation": rounded(NO_LESS_THAN_0("Of the result."), "deviation"),
}
_PLAYER = Serializer[tuple[str, Outlook]](
    "PlayerForecast",
    {"id": shapes.TEXT.of(lambda player: player[0]), **inlined(lambda player: player[1], _OUTLOOK)},
)


def forecast(
    variant: Variant,
    own: RequestFields,
    look: Callable[[Mapping[str, Any]], Forecast],
    check: Callable[[Mapping[str, Any]], object],
    example: Mapping[str, Any],
    *,
    most: int = MOST_PLAYERS,
    waits: bool = False,
    further: RequestFields | None = None,
) -> Operation:
    """The operation `forecast` of a variant: `look` finds the outlook of all players of a request,
    each with their `own` fields. `check` raises the same errors.
    """

    def compute(given: Mapping[str, Any]) -> Found:
        check(given)
        ids, found = [player["id"] for player in given["players"]], look(given)
        outlooks = dict(zip(ids, found.players, strict=True))
        return Found(outlooks, found.exact, found.standard_error)

    return Operation(
        variant,
        FORECAST,
        title="who is ahead",
        description="The chances of players in the order of their turns, if all play as well as "
        "they can.",
        request_fields={
            "players": players(variant, own, most=most, part="ForecastPlayer"),
            **(further or {}),
        },
        response_fields={
            "players": parts(_PLAYER, lambda found: found.players.items()),
            "exact": shapes.FLAG,
            "standard_error": rounded(NO_LESS_THAN_0("Of a chance."), "standard_error"),
        },
        compute=compute,
        check=check,
        waits=waits,
        made_examples=[Example(FORECAST, "Two players", example)],
    )
