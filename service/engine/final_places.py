"""The places at the end of a game that is won by totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from service.rules.places import Place


class Named(Protocol):
    """A player with a result."""

    @property
    def id(self) -> str:
        """The player."""


NamedT = TypeVar("NamedT", bound=Named)


def places_json(
    places: Iterable[Place[NamedT]], total: Callable[[NamedT], int]
) -> list[dict[str, Any]]:
    """`places` as JSON, each with its players, their common `total` and the reason."""
    return [
        {
            "place": place.place,
            "players": [entry.id for entry in place.entries],
            "total": total(place.entries[0]),
            "reason": place.reason,
        }
        for place in places
    ]
