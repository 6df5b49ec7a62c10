"""Sessions as clients use them: create, read, act in and delete them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from secrets import token_bytes
from typing import Any

from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.sessions.action_request import ActionRequest
from service.sessions.fair import SEED_BYTES
from service.sessions.idempotency import key_record, recorded_version
from service.sessions.performing import Performed, perform
from service.sessions.repository import SessionRepository
from service.sessions.session import Event, Terms, catch_up, overdue, start
from service.sessions.store.redis_store import Store
from service.sessions.tokens import hash_token, new_id, new_token
from service.sessions.view import (
    CreatedSession,
    Crowded,
    Forbidden,
    Illegal,
    SessionView,
    Stale,
)

TRIES = 16
"""How often a change is tried again if another one came first. Somebody succeeds each time, so only
a crowd that acts in one session at once comes near that."""


class SessionService:
    """The sessions in `store`, each of one of `variants`.

    `now` returns the time in milliseconds since 1970. A session is kept for `seconds` after its
    last action.
    """

    def __init__(
        self,
        store: Store,
        variants: Mapping[str, Variant[Any]],
        seconds: int,
        now: Callable[[], int],
    ) -> None:
        self._sessions = SessionRepository(store, variants)
        self._seconds = seconds
        self.now = now

    def create(
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
        session = self._sessions.create(terms, *start(terms))
        return CreatedSession(session, tokens[0], dict(zip(players, tokens[1:], strict=True)))

    def read(self, session_id: str, token: str) -> SessionView:
        """The session as it is now. Raises `Unknown`, `Forbidden` or `NewerRelease`.

        If others keep changing it before the clock can be caught up, this is the version that the
        last of them made: only a stored version is ever returned.
        """
        token_hash = hash_token(token)
        session, _ = self._load(session_id, token_hash)
        for _ in range(TRIES):
            current = self._catch_up(session, self.now())
            if current is not None:
                return current
            session, _ = self._load(session_id, token_hash)
        return session

    def history(self, session_id: str, token: str) -> tuple[SessionView, list[Event]]:
        """The session as it is now, and all its events. Raises as `read` does."""
        session = self.read(session_id, token)
        return session, self._sessions.events(session)

    def act(self, session_id: str, request: ActionRequest) -> SessionView:
        """The session after an action. An idempotency key that was used before performs nothing:
        the session is returned in the version that its action made.

        Raises as `read` does, `KeyReused`, `Stale`, `Forbidden` if the token is another player's,
        `Illegal`, and `Crowded`.
        """
        performed = self._guess(session_id, request)
        for _ in range(TRIES):
            if performed is None:
                session, record = self._load(session_id, request.token_hash, request.key)
                if record is not None:
                    return self._sessions.at_version(
                        session, recorded_version(record, request.body)
                    )
                now = self.now()
                current = self._catch_up(session, now)
                if current is None:
                    continue
                performed = perform(current, request, now)
            saved = self._save(performed, request)
            if saved is not None:
                return saved
            performed = None  # another change came first, or the store lost one: load it
        raise Crowded

    def delete(self, session_id: str, token: str) -> None:
        """Deletes the session. Raises as `read` does, `Forbidden` for a player's token."""
        session = self.read(session_id, token)
        if session.viewer is not None:
            raise Forbidden("only the table's token can delete a session")
        self._sessions.delete(session_id)

    def changes(self, session_id: str) -> AbstractContextManager[Callable[[float], bool]]:
        """While open: a function that waits some seconds for the session to change."""
        return self._sessions.changes(session_id)

    def _load(
        self, session_id: str, token_hash: str, key: bytes = b""
    ) -> tuple[SessionView, bytes | None]:
        """The stored session for a token, and the record of an idempotency key.

        Raises `Unknown`, `Forbidden` or `NewerRelease`.
        """
        session, record = self._sessions.load(session_id, key)
        return session.for_token(token_hash), record

    def _guess(self, session_id: str, request: ActionRequest) -> Performed | None:
        """The result of the action if nobody changed the session since this process cached it.

        That saves loading it: saving fails if the guess is wrong. None if the session isn't
        cached, or if the action would be refused, which only the store can confirm. A turn that
        ran out since isn't guessed either: that would be a version that nobody stored.
        """
        session, now = self._sessions.recent(session_id), self.now()
        if session is None or request.tags is None or overdue(session.snapshot, now):
            return None
        try:
            return perform(session.for_token(request.token_hash), request, now)
        except (Forbidden, Illegal, Stale):
            return None

    def _catch_up(self, session: SessionView, now: int) -> SessionView | None:
        """The session after every turn that ran out by `now`; None if another change came first.

        It is saved before anyone sees it. Otherwise an action that was only just in time could make
        another version of the same number.
        """
        snapshot, events = catch_up(session.terms, session.snapshot, now)
        return self._sessions.save(session, snapshot, events) if events else session

    def _save(self, performed: Performed, request: ActionRequest) -> SessionView | None:
        """The session after the action, saved; None if another change came first."""
        before, after = performed.before, performed.after
        record = key_record(after.version, request.body)
        return self._sessions.save(before, after, [performed.event], request.key, record)
