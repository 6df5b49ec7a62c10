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
from service.sessions.recent import Recent
from service.sessions.seen import Forbidden, Illegal, KeyReused, Made, Seen, Stale, Unknown
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


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for an action, and on what condition.

    `token` as the client sent it; `versions` are those that it takes the session to be at, None
    for any. `key` is its idempotency key, "" for none.
    """

    token: str
    versions: frozenset[int] | None
    key: str = ""


@dataclass(frozen=True, slots=True)
class _Done:
    """An action done, but for the store: what was seen `before`, the position after it, the change
    to make, and what is remembered of what was asked for.
    """

    before: Seen
    position: Position
    change: Change
    asked_for: bytes


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
        self._recent.put(terms, position)
        return Made(
            _seen(terms, position, None), tokens[0], dict(zip(players, tokens[1:], strict=True))
        )

    def read(self, session_id: str, token: str) -> Seen:
        """The session as it is now. Raises `Unknown`, `Forbidden` or `NewerRelease`."""
        while True:
            terms, position = self._standing(session_id, self._stored(session_id))
            seen, by_clock = self._caught_up(terms, position, token, self.now())
            if self._clock_written(position, seen, by_clock):
                return seen

    def history(self, session_id: str, token: str) -> tuple[Seen, list[Event]]:
        """The session as it is now, and all that happened. Raises as `read` does."""
        seen = self.read(session_id, token)
        return seen, self._events(seen.terms, seen.position.version)

    def act(self, session_id: str, asked: Asked, body: Mapping[str, Any], wish: Wish) -> Seen:
        """Does what is wished, once: asked again with the same key, it tells what came of it then.

        `body` is what the client sent, to tell whether it is the same. Raises as `read` does,
        `KeyReused`, `Stale`, `Forbidden` if the token is another player's, and `Illegal`.
        """
        key = (
            _digest(f"{hashed(asked.token)}:{asked.key}".encode(), KEY_BYTES) if asked.key else b""
        )
        done = self._guessed(session_id, asked, body, wish)
        while True:
            if done is None:
                stored = self._stored(session_id, key)
                terms, position = self._standing(session_id, stored)
                now = self.now()
                seen, by_clock = self._caught_up(terms, position, asked.token, now)
                if stored.seen:
                    return self._as_it_was(seen, stored.seen, _asked_for(body, seen))
                try:
                    done = self._done(position, seen, by_clock, asked, body, wish, now)
                except (Illegal, Stale):
                    if self._clock_written(position, seen, by_clock):
                        raise
                    continue
            change = done.change
            if key:
                made = change.version.to_bytes(VERSION_BYTES, "big")
                change = replace(change, key=key, record=made + done.asked_for)
            outcome = self._store.write(session_id, change)
            if outcome.made:
                self._recent.put(done.before.terms, done.position)
                return _seen(done.before.terms, done.position, done.before.viewer)
            self._recent.forget(session_id)
            if outcome.seen:
                return self._as_it_was(done.before, outcome.seen, done.asked_for)
            if not outcome.version:
                raise Unknown(session_id)
            if asked.versions is not None and outcome.version not in asked.versions:
                raise Stale(outcome.version)
            done = None  # someone was faster, but the client takes that version too

    def _guessed(
        self, session_id: str, asked: Asked, body: Mapping[str, Any], wish: Wish
    ) -> _Done | None:
        """What comes of the action if the session is as it was last seen here.

        That saves reading it. None if it isn't remembered, or something speaks against the
        action: whether that still holds, the store has to say.
        """
        recent = self._recent.get(session_id)
        if recent is None or asked.versions is None:
            return None
        terms, position = recent
        now = self.now()
        try:
            seen, by_clock = self._caught_up(terms, position, asked.token, now)
            return self._done(position, seen, by_clock, asked, body, wish, now)
        except (Forbidden, Illegal, Stale):
            return None

    def _done(
        self,
        position: Position,
        seen: Seen,
        by_clock: Sequence[Event],
        asked: Asked,
        body: Mapping[str, Any],
        wish: Wish,
        now: int,
    ) -> _Done:
        """What comes of an action at `now`, when the clock has made `seen` of `position`.

        Raises as `act` does.
        """
        asked_for = _asked_for(body, seen)
        version = seen.position.version
        if asked.versions is not None and version not in asked.versions:
            raise Stale(version, to_come=min(asked.versions, default=0) > version)
        try:
            wish = _for_someone(seen, wish)
            after, event = acted(seen.terms, seen.position, wish, now)
        except Refused as refused:
            raise Illegal(refused, seen) from None
        change = self._change(seen.terms, position.version, after, [*by_clock, event])
        return _Done(seen, after, change, asked_for)

    def _clock_written(self, before: Position, seen: Seen, by_clock: Sequence[Event]) -> bool:
        """Writes what the clock did since `before`; False if somebody was faster.

        It is written before it is told: else an action that was only just in time could make
        another version of the same number.
        """
        if not by_clock:
            return True
        change = self._change(seen.terms, before.version, seen.position, by_clock)
        made = self._store.write(seen.terms.id, change).made
        if made:
            self._recent.put(seen.terms, seen.position)
        return made

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

    def _standing(self, session_id: str, stored: Stored) -> tuple[Terms, Position]:
        """The session as it is stored. Raises `NewerRelease`."""
        terms = self._terms(session_id, stored.terms)
        position = record.position_read(terms, stored.version, stored.position)
        self._recent.put(terms, position)
        return terms, position

    def _caught_up(
        self, terms: Terms, position: Position, token: str, now: int
    ) -> tuple[Seen, list[Event]]:
        """The session at `now`, and what the clock did since `position`. Raises `Forbidden`."""
        try:
            viewer = terms.viewer(hashed(token))
        except LookupError:
            raise Forbidden("the token is none of this session's") from None
        position, events = caught_up(terms, position, now)
        return _seen(terms, position, viewer), events

    def _events(self, terms: Terms, count: int) -> list[Event]:
        written = self._store.events(terms.id, count)
        if not written:  # removed since it was read
            raise Unknown(terms.id)
        return [record.event_read(terms, event) for event in written]

    def _as_it_was(self, seen: Seen, remembered: bytes, asked_for: bytes) -> Seen:
        """The session in the version that an action, asked for again, made.

        That is mostly the one `seen`. Only where others have acted since is the game played again.
        """
        if remembered[VERSION_BYTES:] != asked_for:
            raise KeyReused("the key was used for another action")
        version = int.from_bytes(remembered[:VERSION_BYTES], "big")
        if version == seen.position.version:
            return seen
        position = as_it_was(seen.terms, self._events(seen.terms, version))
        return _seen(seen.terms, position, seen.viewer)

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
            expires_at=_expires_at(terms, position),
        )


def _expires_at(terms: Terms, position: Position) -> int:
    """When the session is forgotten if nobody acts, in milliseconds since 1970."""
    return position.acted_at + terms.seconds * 1000


def _seen(terms: Terms, position: Position, viewer: str | None) -> Seen:
    return Seen(terms, position, viewer, _expires_at(terms, position))


def _for_someone(seen: Seen, wish: Wish) -> Wish:
    """`wish` with the player it is for, if that was left out: who can act, by preference oneself.

    Raises `Forbidden` if the token is another player's, `Refused` for nobody at the table.
    """
    player, players = wish.player, seen.terms.players
    if player is not None and player not in players:
        raise Refused(Fault(("player",), f"must be one of {', '.join(players)}"))
    if player is None:
        moves = seen.terms.game.legal(seen.position.state)
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
