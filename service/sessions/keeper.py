"""Sessions kept in the store: made, read, acted in, and removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import orjson

from service.dice.house_rules import HouseRules
from service.dice.refusal import Fault, Refused
from service.dice.variant import Variant
from service.sessions import record
from service.sessions.fair import SEED_BYTES
from service.sessions.session import (
    Event,
    Position,
    Terms,
    Wish,
    acted,
    as_it_was,
    begun,
    caught_up,
)
from service.sessions.store import Change, Store, Stored
from service.sessions.tokens import hashed, new_id, new_token

KEY_BYTES = 9
"""What is kept of an idempotency key's hash: enough that no two of a session are alike."""

BODY_BYTES = 4
"""What is kept of the hash of what was asked with it, to tell when a key is used for another."""


VERSION_BYTES = 3
"""What the version takes that an action made, in what is remembered of its key."""

TERMS_KEPT = 1024
"""Of how many sessions a worker keeps the terms, with what their games make of them, once read:
they never change, and a session that is played is read again and again."""


class Unknown(LookupError):
    """There is no such session."""


class Forbidden(PermissionError):
    """The token doesn't allow that; the message says why not."""


class Stale(ValueError):
    """The session isn't at the version that was asked for; it is at `version`.

    `to_come`: no version was asked for but such as haven't come yet.
    """

    def __init__(self, version: int, *, to_come: bool = False) -> None:
        super().__init__(f"the session is at version {version}")
        self.version, self.to_come = version, to_come


class KeyReused(ValueError):
    """An idempotency key was used before, for another action."""


class Illegal(Refused):
    """What was asked for isn't legal in the version `seen`; nothing has changed."""

    def __init__(self, refused: Refused, seen: Seen) -> None:
        super().__init__(*refused.faults, untold=refused.untold)
        self.seen = seen


@dataclass(frozen=True, slots=True)
class Seen:
    """A session in one of its versions, as the player `viewer` may see it (None: the table).

    `expires_at` is in milliseconds since 1970.
    """

    terms: Terms
    position: Position
    viewer: str | None
    expires_at: int


@dataclass(frozen=True, slots=True)
class Made:
    """A new session with its tokens: the table's, and each player's."""

    seen: Seen
    table_token: str
    player_tokens: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for an action, and on what condition.

    `token` as the client sent it; `versions` are those that it takes the session to be at, None
    for any. `key` is its idempotency key, "" for none.
    """

    token: str
    versions: frozenset[int] | None
    key: str = ""


class Keeper:
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
        self._terms = lru_cache(TERMS_KEPT)(partial(record.terms_read, variants=variants))
        self.now = now

    def make(
        self,
        variant: Variant[Any],
        players: Sequence[str],
        rules: HouseRules,
        *,
        typed_dice: bool,
        client_seed: str,
    ) -> Made:
        """A new session. Raises `Refused` for house rules that exclude each other."""
        tokens = [new_token() for _ in range(len(players) + 1)]
        terms = Terms(
            id=new_id(),
            variant=variant,
            players=tuple(players),
            rules=rules,
            seed=None if typed_dice else token_bytes(SEED_BYTES),
            client_seed=client_seed,
            tokens=tuple(map(hashed, tokens)),
            created_at=self.now(),
            seconds=self._seconds,
        )
        position, event = begun(terms)
        change = replace(
            self._change(terms, 0, position, [event]), terms=record.terms_written(terms)
        )
        self._store.write(terms.id, change)
        seen = Seen(terms, position, None, change.expires_at)
        return Made(seen, tokens[0], dict(zip(players, tokens[1:], strict=True)))

    def read(self, session_id: str, token: str) -> Seen:
        """The session as it is now. Raises `Unknown`, `Forbidden` or `NewerRelease`."""
        seen, _, _ = self._caught_up(session_id, token, self._stored(session_id))
        return seen

    def history(self, session_id: str, token: str) -> tuple[Seen, list[Event]]:
        """The session as it is now, and all that happened. Raises as `read` does."""
        stored = self._stored(session_id)
        seen, _, by_clock = self._caught_up(session_id, token, stored)
        events = self._events(seen.terms, stored.version)
        return seen, [*events, *by_clock]

    def act(self, session_id: str, asked: Asked, body: Mapping[str, Any], wish: Wish) -> Seen:
        """Does what is wished, once: asked again with the same key, it tells what came of it then.

        `body` is what the client sent, to tell whether it is the same. Raises as `read` does,
        `KeyReused`, `Stale`, `Forbidden` if the token is another player's, and `Illegal`.
        """
        token_hash = hashed(asked.token)
        key = _digest(f"{token_hash}:{asked.key}".encode(), KEY_BYTES) if asked.key else b""
        stored = self._stored(session_id, key)
        seen, before, by_clock = self._caught_up(session_id, asked.token, stored)
        asked_for = _asked_for(body, seen)
        if stored.seen:
            return self._as_it_was(seen, stored.seen, asked_for)
        version = seen.position.version
        if asked.versions is not None and version not in asked.versions:
            raise Stale(version, to_come=min(asked.versions, default=0) > version)
        try:
            wish = _for_someone(seen, wish)
            position, event = acted(seen.terms, seen.position, wish, self.now())
        except Refused as refused:
            raise Illegal(refused, seen) from None
        change = self._change(seen.terms, before, position, [*by_clock, event])
        if key:
            made = position.version.to_bytes(VERSION_BYTES, "big")
            change = replace(change, key=key, record=made + asked_for)
        outcome = self._store.write(session_id, change)
        if outcome.seen:
            return self._as_it_was(seen, outcome.seen, asked_for)
        if not outcome.made:
            if not outcome.version:
                raise Unknown(session_id)
            raise Stale(outcome.version)
        return Seen(seen.terms, position, seen.viewer, change.expires_at)

    def remove(self, session_id: str, token: str) -> None:
        """Removes the session for good. Raises as `read` does, `Forbidden` for a player's token."""
        seen = self.read(session_id, token)
        if seen.viewer is not None:
            raise Forbidden("only the table's token can delete a session")
        self._store.delete(session_id)

    def changes(self, session_id: str) -> AbstractContextManager[Callable[[float], bool]]:
        """While open: a function that waits some seconds for the session to change."""
        return self._store.changes(session_id)

    def _stored(self, session_id: str, key: bytes = b"") -> Stored:
        stored = self._store.read(session_id, key)
        if stored is None:
            raise Unknown(session_id)
        return stored

    def _caught_up(
        self, session_id: str, token: str, stored: Stored
    ) -> tuple[Seen, int, list[Event]]:
        """The session now, the version stored, and what the clock has done since."""
        terms = self._terms(session_id, stored.terms)
        try:
            viewer = terms.viewer(hashed(token))
        except LookupError:
            raise Forbidden("the token is none of this session's") from None
        position = record.position_read(terms, stored.version, stored.position)
        expires_at = position.at + terms.seconds * 1000
        position, events = caught_up(terms, position, self.now())
        return Seen(terms, position, viewer, expires_at), stored.version, events

    def _events(self, terms: Terms, count: int) -> list[Event]:
        written = self._store.events(terms.id, count)
        if not written:  # removed since it was read
            raise Unknown(terms.id)
        return [record.event_read(terms, event) for event in written]

    def _as_it_was(self, seen: Seen, remembered: bytes, asked_for: bytes) -> Seen:
        """The session in the version that an action, asked for again, made."""
        if remembered[VERSION_BYTES:] != asked_for:
            raise KeyReused("the key was used for another action")
        version = int.from_bytes(remembered[:VERSION_BYTES], "big")
        position = as_it_was(seen.terms, self._events(seen.terms, version))
        expires_at = position.at + seen.terms.seconds * 1000
        return Seen(seen.terms, position, seen.viewer, expires_at)

    def _change(
        self,
        terms: Terms,
        before: int,
        position: Position,
        events: Sequence[Event],
    ) -> Change:
        return Change(
            before=before,
            version=position.version,
            position=record.position_written(terms, position),
            events=[record.event_written(terms, event) for event in events],
            expires_at=position.at + terms.seconds * 1000,
        )


def _for_someone(seen: Seen, wish: Wish) -> Wish:
    """`wish` with the player it is for, if that was left out: who can act, by preference oneself.

    Raises `Forbidden` if the token is another player's, `Refused` for nobody at the table.
    """
    player, players = wish.player, seen.terms.players
    if player is not None and player not in players:
        raise Refused(Fault(("player",), f"must be one of {', '.join(players)}"))
    if player is None:
        moves = seen.terms.game.moves(seen.position.state)
        can = {move.player: None for move in moves if move.action == wish.action}
        can = can or {move.player: None for move in moves}
        player = seen.viewer if seen.viewer in can or not can else next(iter(can))
    if player is not None and seen.viewer not in (None, player):
        raise Forbidden(f"the token acts for {seen.viewer}, and this is for {player} to do")
    return Wish(wish.action, player, wish.values, wish.dice)


def _asked_for(body: Mapping[str, Any], seen: Seen) -> bytes:
    """What is remembered of what a client sent.

    Raises `Illegal` for what is nested deeper than can be written; no action is.
    """
    try:
        written = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        raise Illegal(Refused(Fault((), "is nested too deeply for an action")), seen) from None
    return _digest(written, BODY_BYTES)


def _digest(data: bytes, size: int) -> bytes:
    return sha256(data).digest()[:size]
