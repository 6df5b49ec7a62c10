"""Places by strength: equal strengths share a place, and the next places are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Generic, Protocol, TypeVar

from service.rules.sentences import capitalized

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
    noun: str,
    value: Callable[[EntryT], int | str],
    tied: Callable[[str], str],
) -> list[Place[EntryT]]:
    """The places of `entries`, at least one, strongest first: 1, 1, 3 if two share the first.

    `beats(stronger, weaker)` is the reason of a place above another. That of the last place names
    the `noun` that is compared, and its `value`: "a total of 12", or a hand in words. If all share
    one place, `tied` completes that to a sentence.
    """
    ordered = sorted(entries, key=strength, reverse=True)
    groups = [tuple(group) for _, group in groupby(ordered, key=strength)]
    places: list[Place[EntryT]] = []
    place = 1
    for group, below in pairwise(groups):
        places.append(Place(place, group, beats(group[0], below[0])))
        place += len(group)
    lowest = value(groups[-1][0])
    phrase = f"A {noun} of {lowest}" if isinstance(lowest, int) else capitalized(lowest)
    if places:
        reason = f"The lowest {noun} here: {lowest}."
    elif len(entries) > 1:
        reason = tied(phrase)
    else:
        reason = f"{phrase}, and nobody else to compare with."
    return [*places, Place(place, groups[-1], reason)]


def lead(noun: str, high: int, low: int) -> str:
    """How far one number is ahead of another."""
    return f"A {noun} of {high} is {high - low} more than {low}"


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
