"""Sessions as clients use them: create, read, act in and delete them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from secrets import token_bytes

from service.engine.game import GameTable
from service.metrics.declared import ACTIONS
from service.rules.variant import Variant
from service.sessions.computers import Choose, Enough, budget
from service.sessions.fair import SEED_BYTES
from service.sessions.performing import Performed, perform
from service.sessions.repository import ResultJson, SessionRepository
from service.sessions.requests import (
    CREATION,
    ActionRequest,
    CreationKey,
    hash_token,
    key_record,
    new_id,
    new_token,
    recorded_version,
)
from service.sessions.session import Event, Snapshot, Terms, catch_up, overdue, start
from service.sessions.store.deadline import limited
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store, channel
from service.sessions.store.scripts import CreationLimit
from service.sessions.store.subscription import SessionWatch, Subscription
from service.sessions.view import (
    ANY_VERSION,
    CreatedSession,
    Crowded,
    Ended,
    Forbidden,
    Illegal,
    NotTheTable,
    SessionGone,
    SessionView,
    Stale,
    Unknown,
    Versions,
)
from service.settings import Settings

MAX_ATTEMPTS = 16
"""How often a change is attempted if others come first. One of them succeeds each time, so only a
crowd that acts in one session at once comes near this number."""


class SessionService:
    """The sessions in `store`, each of one of `variants`.

    `now` returns the time in milliseconds since 1970. A session is kept for `seconds` after its
    last action unless its creator has chosen otherwise, and may have `max_events` events. The store
    gets entries for its stream if `feed` writes the results for them. `choose` plays for
    computers. Each method waits for the store for at most a second in all.
    """

    def __init__(
        self,
        store: Store,
        variants: Mapping[str, Variant],
        seconds: int,
        now: Callable[[], int],
        max_events: int = Settings.max_events,
        feed: ResultJson | None = None,
        choose: Choose | None = None,
    ) -> None:
        self._sessions = SessionRepository(store, variants, feed, choose)
        self._subscription = Subscription(store.subscriber)
        self._seconds, self._max_events = seconds, max_events
        self._choose, self.now = choose, now

    @limited
    def create(
        self,
        variant: Variant,
        table: GameTable,
        *,
        client_seed: str,
        advice: bool = False,
        computers: Mapping[str, str] | None = None,
        seconds: int | None = None,
        key: CreationKey | None = None,
        limit: CreationLimit | None = None,
    ) -> CreatedSession:
        """Creates a session. If its idempotency key was used before, it creates nothing, and
        returns the session that the key created as it was then, with the same tokens.

        Raises `InvalidInput` for house rules that exclude each other and for what can't be on
        `paper`, `OtherBody` if the key was used with another body, and `SessionGone` if its session
        is gone. Raises `StoreFull` if the store has no room for it, and `TooManySessions` if the
        client's `limit` doesn't allow it.
        """
        count = len(table.players) + 1
        record = key.new_record() if key else b""
        tokens = key.tokens(record, count) if key else [new_token() for _ in range(count)]
        terms = Terms(
            id=key.session_id if key else new_id(),
            variant=variant,
            players=table.players,
            rules=table.rules,
            seed=None if table.typed_dice else token_bytes(SEED_BYTES),
            client_seed=client_seed,
            tokens=tuple(map(hash_token, tokens)),
            created_at=self.now(),
            seconds=seconds or self._seconds,
            advice=advice,
            paper=table.paper,
            computers=computers or {},
            choose=self._choose,
        )
        if limit is not None:
            limit = replace(limit, counts=max(1, terms.seconds // self._seconds))
        first, event = start(terms)
        session = self._sessions.create(terms, first, event, record, limit)
        if session is None:
            assert key is not None, "no random id is taken"
            return self._created_before(key)
        if computers:
            with suppress(StoreUnavailable):  # the session is there: the next request goes on
                self._catch_up(session, terms.created_at, budget())
        return _with_tokens(session, tokens)

    @limited
    def read(self, session_id: str, token: str) -> SessionView:
        """Returns the current session. Raises `Unknown`, `Forbidden` or `NewerRelease`.

        If others keep changing it before the clock can be caught up, this returns the version of
        the last of them: a version is never returned before it is stored.
        """
        token_hash = hash_token(token)
        session, _ = self._load(session_id, token_hash)
        enough = budget()
        for _ in range(MAX_ATTEMPTS):
            current = self._catch_up(session, self.now(), enough)
            if current is not None:
                return current
            session, _ = self._load(session_id, token_hash)
        return session

    @limited
    def history(self, session_id: str, token: str) -> tuple[SessionView, list[Event]]:
        """Returns the current session and all its events. Raises what `read` raises."""
        session = self.read(session_id, token)
        return session, self._sessions.events(session)

    @limited
    def act(self, session_id: str, request: ActionRequest) -> SessionView:
        """Performs all actions of a request, or none, and returns the session after the last. If
        its idempotency key was used before, it performs nothing, and returns the version that the
        key's last action created.

        Raises what `read` raises, `KeyReused`, `Stale`, `Illegal`, `Crowded`, `Ended`, and
        `Forbidden` if the token is another player's.
        """
        enough = budget()
        performed = self._guess(session_id, request, enough)
        for _ in range(MAX_ATTEMPTS):
            if performed is None:
                session, used = self._load(session_id, request.token_hash, request.key)
                if used is not None:
                    version = recorded_version(used, request.body)
                    repeated = self._sessions.at_version(session, version)
                    ACTIONS.of("repeated").add()
                    return repeated
                now = self.now()
                current = self._catch_up(session, now, enough)
                if current is None:
                    continue
                performed = self._perform(current, request, now, enough)
            before, snapshots, events = performed
            version = snapshots[-1].version
            if version > self._max_events:
                raise Ended
            record = key_record(version, request.body)
            saved = self._sessions.save(before, snapshots, events, request.key, record)
            if saved is not None:
                ACTIONS.of("performed").add(len(events))
                return saved
            performed = None  # another change came first, or the store lost one: load it
        raise Crowded

    @limited
    def join(self, session_id: str, token: str) -> list[str]:
        """Adds the player of the token to those who have joined, and returns all of them in seat
        order. The table's token adds nobody.

        Raises `Unknown`, `Forbidden` or `NewerRelease`.
        """
        session, _ = self._load(session_id, hash_token(token))
        return self._sessions.join(session)

    @limited
    def delete(self, session_id: str, token: str, versions: Versions = ANY_VERSION) -> None:
        """Deletes the session at one of `versions`.

        Raises what `read` raises, `Forbidden` for a player's token, `Stale` and `Crowded`.
        """
        for _ in range(MAX_ATTEMPTS):
            session = self.read(session_id, token)
            if session.viewer is not None:
                raise NotTheTable
            versions.check(session)
            if self._sessions.delete(session, any_version=versions == ANY_VERSION):
                return
        raise Crowded

    def deadline(self, session: SessionView) -> int | None:
        """When the clock decides next, in milliseconds since 1970; None without a clock, and in a
        session that has as many events as it may have.
        """
        full = session.snapshot.version >= self._max_events
        deadline: int | None = session.snapshot.state.deadline
        return None if full else deadline

    def watch(self, session_id: str, wake: Callable[[], None]) -> SessionWatch:
        """Has `wake` called when the session may have changed (see `SessionWatch`)."""
        return self._subscription.watch(channel(session_id), wake)

    def join_watch(self, session_id: str, wake: Callable[[], None]) -> SessionWatch | None:
        """Like `watch`, if the store need not be asked as the session is watched already.

        Then no change from now on is missed, without any call of `wake` to say so.
        """
        return self._subscription.join(channel(session_id), wake)

    def _created_before(self, key: CreationKey) -> CreatedSession:
        """The session that an idempotency key created before, as it was then.

        Raises `OtherBody` and `SessionGone` as `create` does, and `NewerRelease`.
        """
        try:
            session, record = self._sessions.load(key.session_id, CREATION)
            if record is None:
                raise Unknown(key.session_id)
            tokens = key.tokens(record, len(session.terms.players) + 1)
            return _with_tokens(self._sessions.at_version(session, 1), tokens)
        except Unknown:
            raise SessionGone from None

    def _load(
        self, session_id: str, token_hash: str, key: bytes = b""
    ) -> tuple[SessionView, bytes | None]:
        """The stored session for a token, and the record of an idempotency key.

        Raises `Unknown`, `Forbidden` or `NewerRelease`.
        """
        session, record = self._sessions.load(session_id, key)
        return session.for_token(token_hash), record

    def _guess(self, session_id: str, request: ActionRequest, enough: Enough) -> Performed | None:
        """Performs the actions in the cached session, as if nobody had changed it since.

        This saves loading the session; saving fails if the guess is wrong. Returns None if the
        session isn't cached, if a turn has run out since (that version has to be stored first), or
        if an action would be refused (only the store can confirm that).
        """
        session, now = self._sessions.recent.get(session_id), self.now()
        if session is None or request.versions.match is None:
            return None
        if request.takes_back:  # it reads the history, so nothing is saved
            return None
        if overdue(session.snapshot, now):
            return None
        if session.snapshot.version + len(request.actions) > self._max_events:
            return None
        try:
            return self._perform(session.for_token(request.token_hash), request, now, enough)
        except (Forbidden, Illegal, Stale):
            return None

    def _perform(
        self, session: SessionView, request: ActionRequest, now: int, enough: Enough
    ) -> Performed:
        """Performs the actions, and the moves of computers that follow (see `perform`)."""
        terms = session.terms

        def follow(snapshot: Snapshot) -> tuple[Snapshot, Sequence[Event]]:
            if not terms.computers:
                return snapshot, ()
            return catch_up(terms, snapshot, now, self._max_events, enough)

        return perform(session, request, now, self._sessions.recall, follow)

    def _catch_up(self, session: SessionView, now: int, enough: Enough) -> SessionView | None:
        """Ends every turn that has run out by `now`, and makes the moves of computers until it is
        `enough` for one request; returns None if another change came first.

        The result is saved before anyone sees it. Otherwise an action that was just in time could
        create another version with the same number.
        """
        terms, before = session.terms, session.snapshot
        snapshot, events = catch_up(terms, before, now, self._max_events, enough)
        return self._sessions.save(session, [snapshot], events) if events else session


def _with_tokens(session: SessionView, tokens: Sequence[str]) -> CreatedSession:
    """A session with the table token and then each player's."""
    table, *players = tokens
    return CreatedSession(session, table, dict(zip(session.terms.players, players, strict=True)))
