"""Places by strength: equal strengths share a place, and the next places are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Generic, Protocol, TypeVar

from service.rules.reasons import Because

EntryT = TypeVar("EntryT")
EntryT_co = TypeVar("EntryT_co", covariant=True)


@dataclass(frozen=True)
class Place(Generic[EntryT_co]):
    """The entries that share a place, in the order of the request.

    `because` is the reason why they are above the next place.
    """

    place: int
    entries: tuple[EntryT_co, ...]
    because: Because


def in_places(
    entries: Sequence[EntryT],
    *,
    strength: Callable[[EntryT], int | tuple[int, ...]],
    beats: Callable[[EntryT, EntryT], Because],
    lowest: Callable[[EntryT], Because],
    tied: Callable[[EntryT], Because],
    alone: Callable[[EntryT], Because],
) -> list[Place[EntryT]]:
    """The places of `entries`, at least one, strongest first: 1, 1, 3 if two share the first.

    The `strength` of all is a number, or a tuple of which the first numbers that differ decide.
    `beats(stronger, weaker)` is the reason of a place above another. That of the last place is
    `lowest`; `tied` if all entries share one place, and `alone` for a single entry.
    """
    ordered = sorted(entries, key=strength, reverse=True)
    groups = [tuple(group) for _, group in groupby(ordered, key=strength)]
    places: list[Place[EntryT]] = []
    place = 1
    for group, below in pairwise(groups):
        places.append(Place(place, group, beats(group[0], below[0])))
        place += len(group)
    last = lowest if places else tied if len(entries) > 1 else alone
    return [*places, Place(place, groups[-1], last(groups[-1][0]))]


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
            "because": place.because,
        }
        for place in places
    ]
