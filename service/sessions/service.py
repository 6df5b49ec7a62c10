"""Sessions kept in the store: made, read, acted in, and removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from secrets import token_bytes
from typing import Any

from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation
from service.sessions.cache import Recent
from service.sessions.fair import SEED_BYTES
from service.sessions.repeats import body_digest, key_digest, recorded_version, remembered
from service.sessions.session import (
    ActionRequest,
    Event,
    Snapshot,
    Terms,
    apply_action,
    catch_up,
    overdue,
    replay,
    start,
)
from service.sessions.store import codec
from service.sessions.store.redis_store import Change, Store, StoreUnavailable
from service.sessions.tokens import hash_token, new_id, new_token
from service.sessions.view import (
    CreatedSession,
    Crowded,
    Forbidden,
    Illegal,
    SessionView,
    Stale,
    Unknown,
)

TERMS_KEPT = 1024
"""Of how many sessions a worker keeps the terms, with what their games make of them, once read:
they never change, and a session that is played is read again and again."""


TRIES = 16
"""How often something is tried again that others were faster with. Each time one of them has got
ahead, so only a crowd that acts in one session at once comes near that."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for an action, and on what condition.

    `token` as the client sent it; `tags` are those of the versions that it takes the session to be
    at (see `SessionView.is_one_of`), None for any. `key` is its idempotency key, "" for none.
    """

    token: str
    tags: frozenset[str] | None
    key: str = ""


@dataclass(frozen=True, slots=True)
class _Done:
    """An action done in `before`, but for the store: the snapshot after it, and its event."""

    before: SessionView
    after: Snapshot
    event: Event


class SessionService:
    """The sessions in `store`, of any of `variants`; `now` is the time in milliseconds since 1970.

    Sessions are kept for `seconds` after their last action.
    """

    def __init__(
        self,
        store: Store,
        variants: Mapping[str, Variant[Any]],
        seconds: int,
        now: Callable[[], int],
    ) -> None:
        self._store, self._seconds = store, seconds
        self._terms = lru_cache(TERMS_KEPT)(partial(codec.decode_terms, variants=variants))
        self._recent = Recent()
        self.now = now

    def make(
        self,
        variant: Variant[Any],
        players: Sequence[str],
        rules: HouseRules,
        *,
        typed_dice: bool,
        client_seed: str,
    ) -> CreatedSession:
        """A new session. Raises `InvalidInput` for house rules that exclude each other."""
        tokens = [new_token() for _ in range(len(players) + 1)]
        terms = Terms(
            id=new_id(),
            variant=variant,
            players=tuple(players),
            rules=rules,
            seed=None if typed_dice else token_bytes(SEED_BYTES),
            client_seed=client_seed,
            tokens=tuple(map(hash_token, tokens)),
            created_at=self.now(),
            seconds=self._seconds,
        )
        snapshot, event = start(terms)
        session, change = _change(SessionView(terms, NOWHERE, None, ""), snapshot, [event])
        self._store.write(terms.id, replace(change, terms=codec.encode_terms(terms)))
        self._recent.put(session)
        return CreatedSession(session, tokens[0], dict(zip(players, tokens[1:], strict=True)))

    def read(self, session_id: str, token: str) -> SessionView:
        """The session as it is now. Raises `Unknown`, `Forbidden` or `NewerRelease`.

        Where others are faster time and again with what the clock does, it is the version that the
        last of them made, for them to go on with: a version that is told is always one that stays.
        """
        session, _ = self._stored(session_id, token)
        for _ in range(TRIES):
            current = self._catch_up(session, self.now())
            if current is not None:
                return current
            session, _ = self._stored(session_id, token)
        return session

    def history(self, session_id: str, token: str) -> tuple[SessionView, list[Event]]:
        """The session as it is now, and all that happened. Raises as `read` does."""
        session = self.read(session_id, token)
        written = self._store.events(session_id, session.snapshot.version)
        return session, self._events(session, written, session.snapshot.version)

    def act(
        self, session_id: str, asked: Asked, body: Mapping[str, Any], request: ActionRequest
    ) -> SessionView:
        """Does what is wished, once: asked again with the same key, it tells what came of it then.

        `body` is what the client sent, to tell whether it is the same. Raises as `read` does,
        `KeyReused`, `Stale`, `Forbidden` if the token is another player's, `Illegal` and `Crowded`.
        """
        key, asked_for = key_digest(asked.token, asked.key), body_digest(body)
        done = self._guessed(session_id, asked, asked_for, request)
        for _ in range(TRIES):
            if done is None:
                stored, key_record = self._stored(session_id, asked.token, key)
                if key_record is not None:
                    return self._replayed(stored, key_record, asked_for)
                now = self.now()
                session = self._catch_up(stored, now)
                if session is None:
                    continue
                done = _done(session, asked, asked_for, request, now)
            made = self._written(done.before, done.after, [done.event], key, asked_for)
            if made is not None:
                return made
            done = None  # someone was faster, or the store isn't what it was: ask it
        raise Crowded

    def remove(self, session_id: str, token: str) -> None:
        """Removes the session for good. Raises as `read` does, `Forbidden` for a player's token."""
        session = self.read(session_id, token)
        if session.viewer is not None:
            raise Forbidden("only the table's token can delete a session")
        self._store.delete(session_id)

    def changes(self, session_id: str) -> AbstractContextManager[Callable[[float], bool]]:
        """While open: a function that waits some seconds for the session to change."""
        return self._store.changes(session_id)

    def _stored(
        self, session_id: str, token: str, key: bytes = b""
    ) -> tuple[SessionView, bytes | None]:
        """The session as it is stored, and what is remembered of the idempotency key.

        Raises `Unknown`, `Forbidden` or `NewerRelease`.
        """
        stored = self._store.read(session_id, key)
        if stored is None:
            raise Unknown(session_id)
        terms = self._terms(session_id, stored.terms)
        snapshot = codec.decode_snapshot(terms, stored.version, stored.snapshot)
        session = SessionView(terms, snapshot, None, codec.digest(stored.snapshot))
        self._recent.put(session)
        return _seen_by(session, token), stored.key_record

    def _guessed(
        self, session_id: str, asked: Asked, asked_for: bytes, request: ActionRequest
    ) -> _Done | None:
        """What comes of the action if the session is as it was last seen here.

        That saves reading it. None if it isn't remembered, or something speaks against the
        action: whether that still holds, the store has to say. What the clock has done since isn't
        guessed, either: it would be a version that nobody has written.
        """
        session, now = self._recent.get(session_id), self.now()
        if session is None or asked.tags is None or overdue(session.snapshot, now):
            return None
        try:
            return _done(_seen_by(session, asked.token), asked, asked_for, request, now)
        except (Forbidden, Illegal, Stale):
            return None

    def _catch_up(self, session: SessionView, now: int) -> SessionView | None:
        """The session once the clock has done what it has to by `now`; None if someone was faster.

        What the clock did is written before it is told: else an action that was only just in time
        could make another version of the same number.
        """
        snapshot, events = catch_up(session.terms, session.snapshot, now)
        return self._written(session, snapshot, events) if events else session

    def _written(
        self,
        before: SessionView,
        snapshot: Snapshot,
        events: Sequence[Event],
        key: bytes = b"",
        asked_for: bytes = b"",
    ) -> SessionView | None:
        """The session once `events` have made `snapshot` of it; None if it is another by now.

        With a `key`, what is remembered of it is the version and `asked_for`.
        """
        session, change = _change(before, snapshot, events)
        if key:
            change = replace(change, key=key, key_record=remembered(change.version, asked_for))
        self._recent.forget(session.terms.id)  # what there is then is known when it is answered
        if not self._store.write(session.terms.id, change):
            return None
        self._recent.put(session)
        return session

    def _replayed(
        self, session: SessionView, record_of_key: bytes, asked_for: bytes
    ) -> SessionView:
        """The session in the version that an action, asked for again, made.

        That is mostly the one that is stored. Only where others have acted since is the game
        replayed, from the last snapshot before it.
        """
        version = recorded_version(record_of_key, asked_for)
        if version == session.snapshot.version:
            return session
        terms = session.terms
        recorded = self._store.replay(terms.id, version)
        earlier = None
        if recorded.snapshot is not None:
            earlier = codec.decode_snapshot(terms, recorded.from_version, recorded.snapshot)
        events = self._events(session, recorded.events, version - recorded.from_version)
        snapshot = replay(terms, events, earlier)
        mark = codec.digest(codec.encode_snapshot(terms, snapshot))
        return replace(session, snapshot=snapshot, digest=mark)

    def _events(self, session: SessionView, written: Sequence[bytes], count: int) -> list[Event]:
        """`count` events as they were `written`, once it is sure that the store has them all."""
        if not written and count:  # removed since the session was read
            raise Unknown(session.terms.id)
        if len(written) < count:
            raise StoreUnavailable("it has lost events since the session was read")
        return [codec.decode_event(session.terms, event) for event in written]


NOWHERE = Snapshot(0, 0, 0, 0, None)
"""The snapshot of a session before its first version."""


def _change(
    before: SessionView, snapshot: Snapshot, events: Sequence[Event]
) -> tuple[SessionView, Change]:
    """The session once `events` have made `snapshot` of it, and the change that writes them."""
    terms = before.terms
    written = codec.encode_snapshot(terms, snapshot)
    session = replace(before, snapshot=snapshot, digest=codec.digest(written))
    return session, Change(
        expected_version=before.snapshot.version,
        expected_digest=before.digest,
        version=snapshot.version,
        snapshot=written,
        events=[codec.encode_event(terms, event) for event in events],
        expires_at=session.expires_at,
    )


def _done(
    session: SessionView, asked: Asked, asked_for: bytes, request: ActionRequest, now: int
) -> _Done:
    """What comes of an action at `now` in a session that is caught up. Raises as `act` does."""
    if not asked_for:
        raise Illegal(InvalidInput(Violation((), "is nested too deeply for an action")), session)
    if asked.tags is not None and not session.is_one_of(asked.tags):
        raise Stale(session, asked.tags)
    try:
        after, event = apply_action(
            session.terms, session.snapshot, _for_someone(session, request), now
        )
    except InvalidInput as refused:
        raise Illegal(refused, session) from None
    return _Done(session, after, event)


def _seen_by(session: SessionView, token: str) -> SessionView:
    """The session as the `token` may see it. Raises `Forbidden`."""
    try:
        viewer = session.terms.viewer(hash_token(token))
    except LookupError:
        raise Forbidden("the token is none of this session's") from None
    return replace(session, viewer=viewer)


def _for_someone(view: SessionView, request: ActionRequest) -> ActionRequest:
    """`request` with a player: by default the viewer if they can act, else whoever can.

    Raises `Forbidden` if the token is another player's, `InvalidInput` for nobody at the table.
    """
    player, players = request.player, view.terms.players
    if player is not None and player not in players:
        raise InvalidInput(Violation(("player",), f"must be one of {', '.join(players)}"))
    if player is None:
        moves = view.terms.game.legal_moves(view.snapshot.state)
        can = {move.player: None for move in moves if move.action == request.action}
        can = can or {move.player: None for move in moves}
        player = view.viewer if view.viewer in can or not can else next(iter(can))
    if player is not None and view.viewer not in (None, player):
        raise Forbidden(f"the token acts for {view.viewer}, and this is for {player} to do")
    return ActionRequest(request.action, player, request.values, request.dice)
