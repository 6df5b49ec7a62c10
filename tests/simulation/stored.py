"""What the store has of a session, replayed from its first event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from service.rules.variant import TIME_UP
from service.sessions.requests import CREATION, VERSION_BYTES
from service.sessions.session import Event, Snapshot, Terms, overdue, replay_event
from service.sessions.store import codec
from service.sessions.view import SessionView
from service.variants import variants
from tests.sessions.taking_back import bare
from tests.simulation.records import Violated
from tests.simulation.redis_server import Value
from tests.whole_games.invariants import by_computer, check_event
from tests.whole_games.legal_player import TAKE_BACK
from tests.whole_games.playing import CHOOSE

VARIANTS = variants()


@dataclass
class Stored:
    """A session with its events, and every version as the table sees it, replayed from the seed.

    `keys` has the version that each idempotency key has made, by the digest of the key.
    """

    terms: Terms
    events: list[Event]
    views: list[SessionView]
    keys: Mapping[bytes, int]

    def at(self, version: int, viewer: str | None) -> SessionView | None:
        """A version as `viewer` sees it, None if there is no such version."""
        if not 1 <= version <= len(self.views):
            return None
        return replace(self.views[version - 1], viewer=viewer)

    def by_computer(self, version: int) -> bool:
        """Whether a computer made a version, without a client that typed in dice for it."""
        step = self.events[version - 1].steps[0]
        return by_computer(step) and not (self.terms.seed is None and step.dice)

    def acted(self, version: int) -> int:
        """The version in which a client acted, if moves of computers up to this one followed."""
        while self.by_computer(version):
            version -= 1
        return version

    def made_by(self, version: int) -> list[bytes]:
        """The digests of the keys that have made versions up to this one."""
        return sorted(key for key, made in self.keys.items() if made <= version)


def read(session_id: str, values: Mapping[bytes, Value]) -> Stored | None:
    """The session in the values of the store, None if it isn't there.

    Raises `Violated` if its events and snapshots aren't what the replay gives.
    """
    session = f"dice:{{{session_id}}}".encode()
    if session not in values:
        return None
    stored = cast("dict[bytes, bytes]", values[session])
    encoded = cast("list[bytes]", values.get(session + b":events", []))
    keys = cast("dict[bytes, bytes]", values.get(session + b":keys", {}))
    if int(stored[b"v"]) != len(encoded):
        raise Violated(f"version {int(stored[b'v'])} has {len(encoded)} events")
    terms = codec.decode_terms(session_id, stored[b"t"], VARIANTS, CHOOSE)
    events = [codec.decode_event(terms, event) for event in encoded]
    views: list[SessionView] = []
    snapshot: Snapshot | None = None
    for version, event in enumerate(events, start=1):
        if snapshot is not None and event.at < snapshot.at:
            raise Violated(f"version {version} is earlier than version {version - 1}")
        if snapshot is not None:
            _check_event(terms, snapshot, event)
        snapshot, replayed = replay_event(terms, snapshot, event)
        if codec.encode_event(terms, replayed) != encoded[version - 1]:
            raise Violated(f"the replay of version {version} is {replayed}, not {event}")
        state = codec.encode_snapshot(terms, snapshot)
        last = stored[b"s"] if version == len(events) else state
        if state != last or state != stored.get(b"s%d" % version, state):
            raise Violated(f"the snapshot of version {version} isn't that of its events")
        step = event.steps[0]
        if step.action == TAKE_BACK:
            earlier = views[step.values["to"] - 1].snapshot
            if bare(snapshot) != bare(earlier):
                raise Violated(f"version {version} goes back to another state: {event}")
        views.append(SessionView(terms, snapshot, None, codec.digest(state)))
    made = {
        key: int.from_bytes(record[:VERSION_BYTES], "big")
        for key, record in keys.items()
        if key != CREATION
    }
    return Stored(terms, events, views, made)


def _check_event(terms: Terms, before: Snapshot, event: Event) -> None:
    """The clock, or a computer, decides in time; no time is up for a computer."""
    try:
        computer = check_event(terms, before, event)
    except AssertionError as wrong:
        raise Violated(f"version {before.version + 1}: {wrong}") from None
    if overdue(before, event.at) and not computer and event.steps[0].action != TIME_UP:
        raise Violated(f"version {before.version + 1} comes after the time was up")


def read_lost(session_id: str, archive: Iterable[Mapping[bytes, Value]]) -> list[Stored]:
    """The session before it was deleted, expired or got lost, each time, as in `read`."""
    session = f"dice:{{{session_id}}}".encode()
    lost = [
        read(session_id, values)
        for values in archive
        if session in values and session + b":events" in values
    ]
    return [stored for stored in lost if stored is not None]
