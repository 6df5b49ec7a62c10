"""Sessions in Redis, or in whatever speaks its protocol: one code path for all of them.

A session is three keys with the same hash tag, so that they lie on one node of a cluster: a hash
with its terms, version and position, the list of its events, and a hash of the idempotency keys
seen. Every change is one script, which Redis runs as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

from service.sessions.redis_url import FAILURES


class Client(Protocol):
    """What is taken of redis-py: the same of a single server, of Sentinel and of Cluster."""

    def execute_command(self, *command: Any) -> Any:
        """The answer to a command."""

    def pubsub(self, **options: Any) -> Any:
        """A subscriber of its own connection."""


READ = """
return {redis.call('HMGET', KEYS[1], 't', 'v', 's'),
        ARGV[1] ~= '' and redis.call('HGET', KEYS[2], ARGV[1])}
"""
"""Terms, version and position, and what is remembered of an idempotency key."""

WRITE = """
local seen = ARGV[5] ~= '' and redis.call('HGET', KEYS[3], ARGV[5])
if seen then return seen end
local version = tonumber(redis.call('HGET', KEYS[1], 'v') or 0)
if version ~= tonumber(ARGV[1]) then return version end
redis.call('LLEN', KEYS[2])
redis.call('HLEN', KEYS[3])
redis.call('HSET', KEYS[1], 'v', ARGV[2], 's', ARGV[3])
if version == 0 then redis.call('HSET', KEYS[1], 't', ARGV[7]) end
for event = 8, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[event]) end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[3], ARGV[5], ARGV[6]) end
for key = 1, 3 do redis.call('PEXPIREAT', KEYS[key], ARGV[4]) end
redis.call('PUBLISH', KEYS[1], ARGV[2])
return -1
"""
"""A change of a session from the version ARGV[1] (0: there is none yet) to the version ARGV[2].

Answers with -1 if it was made, otherwise with the version there is, or with what is remembered of
the idempotency key. What Redis refuses it refuses before the first write, as nothing is undone: no
memory or no master at the first write only, keys of another type at LLEN and HLEN."""

WRITTEN = -1

REMOVE = """
redis.call('PUBLISH', KEYS[1], 0)
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
"""
"""Removes a session; answers with how many of its keys there were."""


class StoreUnavailable(Exception):
    """Redis can't be reached or can't answer now; whether a change was made is not known."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A session as stored; `seen` is what is remembered of the idempotency key asked about."""

    terms: bytes
    version: int
    position: bytes
    seen: bytes | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a write makes of a session: it applies if the session is still at `before`.

    `expires_at` is in milliseconds since 1970. `key` and `record` are what is remembered of an
    idempotency key, both empty without one. `terms` are those of a new session.
    """

    before: int
    version: int
    position: bytes
    events: Sequence[bytes]
    expires_at: int
    key: bytes = b""
    record: bytes = b""
    terms: bytes = b""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a change was made; if not, the version there is (0: no session), or what is
    remembered of the idempotency key.
    """

    made: bool
    version: int = 0
    seen: bytes | None = None


class Store:
    """The sessions behind `connect`, which is called once, at the first use."""

    def __init__(self, connect: Callable[[], Client]) -> None:
        self._connect = connect
        self._client: Client | None = None
        self._lock = Lock()

    def read(self, session_id: str, key: bytes = b"") -> Stored | None:
        """The session, in one round trip; None if there is none."""
        session, _, keys = _keys(session_id)
        (terms, version, position), seen = self._run(READ, [session, keys], [key])
        if version is None:
            return None
        return Stored(terms, int(version), position, seen)

    def write(self, session_id: str, change: Change) -> Outcome:
        """Makes `change` if the session is still at the version it is a change of.

        One round trip; either all of it is done or nothing.
        """
        answer = self._run(
            WRITE,
            _keys(session_id),
            [
                change.before,
                change.version,
                change.position,
                change.expires_at,
                change.key,
                change.record,
                change.terms,
                *change.events,
            ],
        )
        if isinstance(answer, bytes):
            return Outcome(False, seen=answer)
        return Outcome(True) if answer == WRITTEN else Outcome(False, version=answer)

    def events(self, session_id: str, count: int = 0) -> list[bytes]:
        """The first `count` events of the session (0: all); none if there is no session."""
        key = _keys(session_id)[1]
        with _answered():
            events: list[bytes] = self._redis().execute_command("LRANGE", key, 0, count - 1)
            return events

    def delete(self, session_id: str) -> bool:
        """Removes the session; whether there was one."""
        return bool(self._run(REMOVE, _keys(session_id), []))

    @contextmanager
    def changes(self, session_id: str) -> Iterator[Callable[[float], bool]]:
        """While open: a function that waits up to some seconds for the session to change.

        It tells whether it did. A change between opening and waiting isn't missed.
        """
        with _answered():
            subscriber = self._redis().pubsub()
        with subscriber as channel:
            with _answered():
                channel.subscribe(_keys(session_id)[0])
                if channel.get_message(timeout=1.0) is None:
                    raise StoreUnavailable("a subscription isn't answered")

            def wait(seconds: float) -> bool:
                with _answered():
                    told = channel.get_message(ignore_subscribe_messages=True, timeout=seconds)
                    return told is not None

            yield wait  # what is raised meanwhile is none of the store's

    def _run(self, script: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """The answer of a script. Its text goes along each time: no round trip to load it."""
        with _answered():
            return self._redis().execute_command("EVAL", script, len(keys), *keys, *arguments)

    def _redis(self) -> Client:
        if self._client is None:
            with self._lock:
                if self._client is None:
                    self._client = self._connect()
        return self._client


def _keys(session_id: str) -> tuple[str, str, str]:
    """The keys of a session; what is in braces alone decides where a cluster keeps them."""
    session = f"dice:{{{session_id}}}"
    return session, f"{session}:events", f"{session}:keys"


@contextmanager
def _answered() -> Iterator[None]:
    """Raises `StoreUnavailable` for whatever keeps Redis from answering: no connection, no time,
    no memory, no master.
    """
    try:
        yield
    except FAILURES as error:
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error
