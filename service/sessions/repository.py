"""Loads and saves sessions, replays earlier versions, and says what a backend learns of sessions
without asking: whose turn it is, and how games came out.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from operator import ne
from threading import Lock
from typing import Any

import orjson

from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.sessions.computers import Choose
from service.sessions.requests import CREATION, CREATION_SECONDS, IS_ID
from service.sessions.result import Result
from service.sessions.session import Event, Snapshot, Terms, replay
from service.sessions.store import codec
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import Change, CreationLimit, is_kept
from service.sessions.take_back import TAKE_BACK, recall
from service.sessions.view import SessionView, Unknown

TERMS_KEPT = 1024
"""For how many sessions a worker caches the decoded terms and the game, with what it precomputes.
They never change, and a session is read again and again while it is played."""

KEPT = 512
"""How many sessions are cached; each takes a few KiB."""


TURN, OVER = "turn", "over"
"""The types of entries of the feed."""

ResultJson = Callable[[Result], Mapping[str, Any]]
"""Writes the result of a game that is over."""


class Recent:
    """The sessions that were read or written last, as they were then.

    Other processes may have changed them since, so a result that is based on them is a guess until
    the store confirms it. The entry put last counts, even if its version is lower: a store that
    lost its last changes is at an older version.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, SessionView] = OrderedDict()
        self._lock = Lock()

    def get(self, session_id: str) -> SessionView | None:
        """The cached session, whoever it was read for; None if there is none."""
        return self._sessions.get(session_id)

    def put(self, session: SessionView) -> None:
        """Caches a session as the store has it."""
        with self._lock:
            self._sessions[session.terms.id] = session
            self._sessions.move_to_end(session.terms.id)
            if len(self._sessions) > KEPT:
                self._sessions.popitem(last=False)

    def forget(self, session_id: str) -> None:
        """Removes a session that may have changed."""
        with self._lock:
            self._sessions.pop(session_id, None)


class SessionRepository:
    """The sessions in `store`, each of one of `variants`.

    They are returned as the table sees them (`SessionView.for_token` narrows that). `recent` has
    those that this process has read or written. With a `feed`, which writes the results of games,
    the store gets entries for its stream. All methods raise `StoreUnavailable` if the store can't
    be used.
    """

    def __init__(
        self,
        store: Store,
        variants: Mapping[str, Variant],
        feed: ResultJson | None = None,
        choose: Choose | None = None,
    ) -> None:
        self._store, self._feed = store, feed
        decode = partial(codec.decode_terms, variants=variants, choose=choose)
        self._terms = lru_cache(TERMS_KEPT)(decode)
        self.recent = Recent()

    def load(self, session_id: str, key: bytes = b"") -> tuple[SessionView, bytes | None]:
        """Returns the stored session, and the record of an idempotency key, None if unused.

        Raises `Unknown` or `NewerRelease`.
        """
        stored = self._store.read(session_id, key) if IS_ID(session_id) else None
        if stored is None:
            raise Unknown(session_id)
        terms = self._terms(session_id, stored.terms)
        snapshot = codec.decode_snapshot(terms, stored.version, stored.snapshot)
        session = SessionView(terms, snapshot, None, codec.digest(stored.snapshot))
        self.recent.put(session)
        return session, stored.key_record

    def create(
        self,
        terms: Terms,
        snapshot: Snapshot,
        event: Event,
        key_record: bytes = b"",
        limit: CreationLimit | None = None,
    ) -> SessionView | None:
        """Stores a new session with its first event, and returns it.

        With a `key_record`, that is stored for the idempotency key that the id is derived from.
        Returns None if the id is taken, maybe by a session that is gone: then the key was used
        before. Raises `StoreFull` or `TooManySessions` (`limit`).
        """
        nothing = SessionView(terms, Snapshot(0, 0, 0, 0, None), None, "")
        encoded, until = codec.encode_terms(terms), terms.created_at + CREATION_SECONDS * 1000
        if not key_record:
            return self.save(nothing, [snapshot], [event], terms=encoded, limit=limit)
        return self.save(nothing, [snapshot], [event], CREATION, key_record, encoded, until, limit)

    def save(
        self,
        before: SessionView,
        snapshots: Sequence[Snapshot],
        events: Sequence[Event],
        key: bytes = b"",
        key_record: bytes = b"",
        terms: bytes = b"",
        taken_until: int = 0,
        limit: CreationLimit | None = None,
    ) -> SessionView | None:
        """Stores `events` and the last of the `snapshots` that they led to; returns the session.

        Returns None if the stored session is no longer `before`. With a `key`, `key_record` is
        stored for it. The other arguments are for a new session (see `Change`).
        """
        *passed, snapshot = snapshots
        encoded = codec.encode_snapshot(before.terms, snapshot)
        kept = [each for each in passed if is_kept(each.version)][-1:]
        session = SessionView(before.terms, snapshot, before.viewer, codec.digest(encoded))
        change = Change(
            expected_version=before.snapshot.version,
            expected_digest=before.digest,
            version=snapshot.version,
            snapshot=encoded,
            events=[codec.encode_event(before.terms, event) for event in events],
            kept=[(each.version, codec.encode_snapshot(before.terms, each)) for each in kept],
            expires_at=session.expires_at,
            key=key,
            key_record=key_record,
            terms=terms,
            taken_until=taken_until,
            limit=limit,
            entry=self._entry(before, snapshots, events),
        )
        session_id = session.terms.id
        self.recent.forget(session_id)  # until the store answers, nobody knows what it has
        if not self._store.write(session_id, change):
            return None
        self.recent.put(session)
        return session

    def _entry(
        self, before: SessionView, snapshots: Sequence[Snapshot], events: Sequence[Event]
    ) -> Sequence[bytes | str | int]:
        """The entry of the feed for the last of the `snapshots`; empty if there is no news.

        It is also empty if the stored events don't lead to `before`: then the store has another
        history, and refuses the change.
        """
        terms, first, snapshot = before.terms, before.snapshot, snapshots[-1]
        if self._feed is None or not has_news(terms, first, snapshots, events):
            return ()
        if not snapshot.state.over:
            return entry_of(terms, snapshot, None)
        earlier = self._store.events(terms.id, first.version) if first.version else []
        if len(earlier) < first.version:
            return ()
        history = [*_decoded(terms, earlier, first.version), *events]
        try:
            result = Result.of(terms, snapshot, history)
        except InvalidInput:
            return ()
        return entry_of(terms, snapshot, self._feed(result))

    def events(self, session: SessionView) -> list[Event]:
        """All events up to this version. Raises `Unknown` if it was removed since."""
        version = session.snapshot.version
        return _decoded(session.terms, self._store.events(session.terms.id, version), version)

    def at_version(self, session: SessionView, version: int) -> SessionView:
        """The session as it was at an earlier `version`, replayed from the last snapshot before.

        Raises `Unknown` if it was removed since.
        """
        if version == session.snapshot.version:
            return session
        snapshot, _ = self._replayed(session.terms, version, version)
        digest = codec.digest(codec.encode_snapshot(session.terms, snapshot))
        return replace(session, snapshot=snapshot, digest=digest)

    def recall(self, session: SessionView, version: int) -> dict[str, Any]:
        """What going back to an earlier `version` needs (see `recall`), in one round trip.

        Raises `Unknown` if it was removed since.
        """
        terms, until = session.terms, session.snapshot.version
        return recall(terms, *self._replayed(terms, version, until))

    def _replayed(self, terms: Terms, version: int, until: int) -> tuple[Snapshot, list[Event]]:
        """The snapshot of `version`, and the events from there to the version `until`."""
        stored = self._store.replay(terms.id, version, until)
        earlier = None
        if stored.snapshot is not None:
            earlier = codec.decode_snapshot(terms, stored.from_version, stored.snapshot)
        events = _decoded(terms, stored.events, until - stored.from_version)
        count = version - stored.from_version
        return replay(terms, events[:count], earlier), events[count:]

    def join(self, session: SessionView) -> list[str]:
        """Adds the viewer to the players who have joined; returns all of them, in seat order.

        Raises `Unknown` if the session was removed since.
        """
        terms, viewer = session.terms, session.viewer
        seat = None if viewer is None else terms.players.index(viewer)
        joined = self._store.join(terms.id, seat)
        if joined is None:
            raise Unknown(terms.id)
        return [terms.players[each] for each in sorted(joined)]

    def delete(self, session: SessionView, *, any_version: bool) -> bool:
        """Deletes the session. Returns False if the stored one is no longer this version, and not
        `any_version` may be deleted.
        """
        expected = None if any_version else (session.snapshot.version, session.digest)
        return self._store.delete(session.terms.id, expected) or any_version


def _decoded(terms: Terms, encoded: Sequence[bytes], count: int) -> list[Event]:
    """Decodes events. Raises `Unknown` or `StoreUnavailable` unless there are `count` of them."""
    if not encoded and count:
        raise Unknown(terms.id)
    if len(encoded) < count:
        raise StoreUnavailable("it has lost events since the session was read")
    return [codec.decode_event(terms, event) for event in encoded]


def has_news(
    terms: Terms, before: Snapshot, snapshots: Sequence[Snapshot], events: Sequence[Event]
) -> bool:
    """Whether, at one of the `snapshots` after `before`, others can act, a turn, hand or round has
    ended, or the game has. A new session has news, and so has one in which something was taken
    back: a game that is over may have another result.

    Only the last version that the clock made in a row has a snapshot; each of them ended a turn.
    """
    if not before.version or len(events) > len(snapshots):
        return True
    if events[0].steps[0].action == TAKE_BACK.name:
        return True
    game = terms.game
    turns = [
        (each.state.over, game.ended(each.state), game.to_act(each.state))
        for each in (before, *snapshots)
    ]
    return any(map(ne, turns, turns[1:]))


def entry_of(
    terms: Terms, snapshot: Snapshot, result: Mapping[str, Any] | None
) -> tuple[bytes | str | int, ...]:
    """Fields and values of the entry for `snapshot`, with the `result` if the game is over. It has
    nothing that a player of the session may not see.
    """
    to_act = terms.game.to_act(snapshot.state)
    return (
        *("type", OVER if snapshot.state.over else TURN),
        *("id", terms.id),
        *("variant", terms.variant.id),
        *("version", snapshot.version),
        *("to_act", orjson.dumps(to_act)),
        *(() if result is None else ("result", orjson.dumps(result))),
    )
