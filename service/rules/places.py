"""Places by strength: equal strengths share a place, and the next places are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Generic, Protocol, TypeVar

EntryT = TypeVar("EntryT")


@dataclass(frozen=True)
class Place(Generic[EntryT]):
    """The entries that share a place, in the order of the request.

    `reason` is a sentence on why they are above the next place.
    """

    place: int
    entries: tuple[EntryT, ...]
    reason: str


def in_places(
    entries: Sequence[EntryT],
    *,
    strength: Callable[[EntryT], int],
    beats: Callable[[EntryT, EntryT], str],
    last: Callable[[tuple[EntryT, ...], bool], str],
) -> list[Place[EntryT]]:
    """The places of `entries`, strongest first: 1, 1, 3 if two share the first.

    `beats(stronger, weaker)` returns the reason of a place above another; `last(entries, alone)`
    that of the last place, which is `alone` if there is no other.
    """
    ordered = sorted(entries, key=strength, reverse=True)
    groups = [tuple(group) for _, group in groupby(ordered, key=strength)]
    places: list[Place[EntryT]] = []
    place = 1
    for group, below in zip(groups, [*groups[1:], None], strict=True):
        reason = beats(group[0], below[0]) if below else last(group, len(groups) == 1)
        places.append(Place(place, group, reason))
        place += len(group)
    return places


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
