"""The places at the end of a game that is won by totals, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from service.rules.places import Place


class HasId(Protocol):
    """A player with a result."""

    @property
    def id(self) -> str:
        """The name of the player."""


PlayerT = TypeVar("PlayerT", bound=HasId)


def places_json(
    places: Iterable[Place[PlayerT]], total: Callable[[PlayerT], int]
) -> list[dict[str, Any]]:
    """`places` as JSON, each with its players, their common `total` and the reason."""
    return [
        {
            "place": place.place,
            "players": [player.id for player in place.entries],
            "total": total(place.entries[0]),
            "reason": place.reason,
        }
        for place in places
    ]
