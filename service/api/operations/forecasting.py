"""`forecast`: each player's chance to win, if all play as well as they can."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from service.advice import Forecast, Outlook
from service.api.operations.advice_fields import CHANCE, NO_LESS_THAN_0, rounded
from service.api.operations.operation import FORECAST, Operation
from service.api.schemas import shapes
from service.api.schemas.requests import Fields, players
from service.api.schemas.serializers import Serializer, parts
from service.rules.variant import Example, Variant

MOST_PLAYERS = 20
"""The most players of a forecast, where a game has no limit."""

Given = Mapping[str, Any]


class _Player(NamedTuple):
    """A player's id and outlook."""

    id: str
    outlook: Outlook


class Found(NamedTuple):
    """A forecast, with the outlooks of players by their ids."""

    players: Sequence[_Player]
    forecast: Forecast

    @classmethod
    def of(cls, ids: Iterable[str], forecast: Forecast) -> Found:
        """The `forecast` for the players with these `ids`."""
        return cls([*map(_Player, ids, forecast.players)], forecast)


_PLAYER = Serializer[_Player](
    "PlayerForecast",
    {
        "id": shapes.TEXT,
        "win": rounded(CHANCE("To win alone."), "outlook.win"),
        "share": rounded(CHANCE("To share the win."), "outlook.share"),
        "expected": rounded(shapes.NUMBER("The mean result."), "outlook.expected"),
        "deviation": rounded(NO_LESS_THAN_0("Of the result."), "outlook.deviation"),
    },
)


def forecast(
    variant: Variant,
    own: Fields,
    look: Callable[[Given], Forecast],
    check: Callable[[Given], object],
    example: Mapping[str, Any],
    *,
    most: int = MOST_PLAYERS,
    waits: bool = False,
    further: Fields | None = None,
) -> Operation:
    """The operation `forecast` of a variant: `look` finds the outlook of all players of a request,
    each with their `own` fields. `check` raises the same errors.
    """

    def compute(given: Given) -> Found:
        check(given)
        return Found.of([player["id"] for player in given["players"]], look(given))

    return Operation(
        variant,
        FORECAST,
        title="who is ahead",
        description="The chances of players in the order of their turns, if all play as well as "
        "they can.",
        request_fields={
            "players": players(variant, own, most, "ForecastPlayer"),
            **(further or {}),
        },
        response_fields={
            "players": parts(_PLAYER, "players"),
            "exact": shapes.FLAG.of("forecast.exact"),
            "standard_error": rounded(NO_LESS_THAN_0("Of a chance."), "forecast.standard_error"),
        },
        compute=compute,
        check=check,
        waits=waits,
        made_examples=[Example(FORECAST, "Two players", example)],
    )
