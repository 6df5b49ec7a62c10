"""Sessions in Redis, or in any server with its protocol.

A session is three keys with the same hash tag, so that a cluster keeps them on one node: a hash
with its terms, version and snapshot, the list of its events, and a hash of the idempotency keys
used. Every change is one script, which Redis runs completely or not at all.

A fourth key marks an id as taken, if the id is derived from the idempotency key of a request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

from redis import ReadOnlyError, ResponseError

from service.metrics.declared import STORE, STORE_ERRORS
from service.sessions.store import admission
from service.sessions.store.admission import CreationLimit, StoreFull, TooManySessions
from service.sessions.store.breaker import Breaker
from service.sessions.store.census import count_sessions
from service.sessions.store.codec import digest
from service.sessions.store.connect import FAILURES, forget_server, never_ran
from service.sessions.store.replication import CONFIRM, one_trip, run_on_replicas


class Client(Protocol):
    """The methods of redis-py that are used, for a single server, Sentinel or Cluster."""

    def execute_command(self, *command: Any) -> Any:
        """Returns the reply to a command."""

    def pubsub(self, **options: Any) -> Any:
        """Returns a subscriber with a connection of its own."""


READ = """
return {redis.call('HMGET', KEYS[1], 't', 'v', 's'),
        ARGV[1] ~= '' and redis.call('HGET', KEYS[2], ARGV[1])}
"""
"""Terms, version and snapshot, and the record of an idempotency key."""

REPLAY = """
local from = ARGV[1] - ARGV[1] % ARGV[2]
while from > 0 do
  local snapshot = redis.call('HGET', KEYS[1], 's' .. from)
  if snapshot then return {from, snapshot, redis.call('LRANGE', KEYS[2], from, ARGV[1] - 1)} end
  from = from - ARGV[2]
end
return {0, false, redis.call('LRANGE', KEYS[2], 0, ARGV[1] - 1)}
"""
"""The last snapshot up to the version ARGV[1], of those that are kept every ARGV[2] versions: its
version (0 if there is none), the snapshot, and the events from there up to version ARGV[1]."""

WRITE = f"""{admission.MEMORY}
if redis.acl_check_cmd and not (redis.acl_check_cmd('RPUSH', KEYS[2], '')
    and redis.acl_check_cmd('PEXPIREAT', KEYS[1], 0)
    and redis.acl_check_cmd('PUBLISH', KEYS[1], '')) then
  return redis.error_reply('NOPERM RPUSH, PEXPIREAT or PUBLISH')
end
if ARGV[7] ~= '' and redis.call('HEXISTS', KEYS[3], ARGV[7]) == 1 then return 0 end
if KEYS[4] and redis.call('HLEN', KEYS[4]) > 0 then return 0 end
local version, snapshot = unpack(redis.call('HMGET', KEYS[1], 'v', 's'))
if (version or '0') ~= ARGV[1] then return 0 end
if version and redis.sha1hex(snapshot) ~= ARGV[2] then return 0 end
if redis.call('LLEN', KEYS[2]) >= {admission.LONG} and uses_more_than(0.9, 0) then return 'full' end
redis.call('HLEN', KEYS[3])
redis.call('HSET', KEYS[1], 'v', ARGV[3], 's', ARGV[4])
if not version then redis.call('HSET', KEYS[1], 't', ARGV[9]) end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], ARGV[5], ARGV[4]) end
for event = 11, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[event]) end
if ARGV[7] ~= '' then redis.call('HSET', KEYS[3], ARGV[7], ARGV[8]) end
for key = 1, 3 do redis.call('PEXPIREAT', KEYS[key], ARGV[6]) end
if KEYS[4] then
  redis.call('HSET', KEYS[4], 'v', ARGV[3])
  redis.call('PEXPIREAT', KEYS[4], ARGV[10])
end
redis.call('PUBLISH', KEYS[1], ARGV[3])
return 1
"""
"""Changes a session from the version ARGV[1] (0: there is none yet), whose snapshot has the digest
ARGV[2], to the version ARGV[3]. Returns 1 if it did, 'full' if the session is long and the store
has hardly any room, and 0 if the session is at another version or snapshot, or if the idempotency
key ARGV[7] was used before. KEYS[4] marks the id of a new session
as taken until ARGV[10]; nothing is changed if it was taken before, whether or not the session is
still there. The mark is a hash because that needs no further permission.

Redis undoes nothing, so whatever it refuses must be refused before the first write. It checks its
memory and that it is a master at the first write only. LLEN and HLEN fail for keys of another type,
and acl_check_cmd (from Redis 7 on) for missing permissions."""

REMOVE = """
redis.call('PUBLISH', KEYS[1], 0)
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
"""
"""Deletes a session; returns how many of its keys there were. Its id remains taken."""


_NAMES = {READ: "read", REPLAY: "replay", REMOVE: "delete"}

SNAPSHOT_EVERY = 128
"""How many versions apart snapshots are kept, so that no long history is replayed from the start. A
game of `dice-poker` for two has fewer versions."""


class StoreUnavailable(Exception):
    """Redis can't be reached, or refuses the command; nothing was done."""


class NotAsked(StoreUnavailable):
    """Redis hasn't answered lately, so it wasn't asked."""


class ReplyLost(StoreUnavailable):
    """A change was sent, but no reply came; nobody knows whether it was made."""


_WORDS = {StoreUnavailable: "unavailable", ReplyLost: "reply_lost"}


class NotReplicated(StoreUnavailable):
    """A change was made, but too few replicas have it yet; a failover may lose it."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A session as stored, with the record of an idempotency key if that was used."""

    terms: bytes
    version: int
    snapshot: bytes
    key_record: bytes | None


@dataclass(frozen=True, slots=True)
class Change:
    """A write, made only if the session is at `expected_version` with a snapshot of
    `expected_digest`.

    Both are of what is stored now (see `codec.digest`); 0 and "" for a session that isn't there.
    `expires_at` is in milliseconds since 1970. `key` and `key_record` are stored for an
    idempotency key, both empty without one. `terms` are those of a new session. `taken_until` (0
    for a random id) is when its id may be used again, in milliseconds since 1970. `limit` is that
    of the client who creates the session, None for no limit.
    """

    expected_version: int
    expected_digest: str
    version: int
    snapshot: bytes
    events: Sequence[bytes]
    expires_at: int
    key: bytes = b""
    key_record: bytes = b""
    terms: bytes = b""
    taken_until: int = 0
    limit: CreationLimit | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """How a session came to a version: the snapshot of `from_version`, and the events since then.

    Without such a snapshot it is None, `from_version` is 0, and the events are all there are.
    """

    from_version: int
    snapshot: bytes | None
    events: Sequence[bytes]


class Store:
    """The sessions behind `connect`, which is called once, at the first use.

    A change counts once `replicas` replicas have it.
    """

    def __init__(self, connect: Callable[[], Client], replicas: int = 0) -> None:
        self._connect = connect
        self._replicas = replicas
        self._client: Client | None = None
        self._lock = Lock()
        self._breaker = Breaker()

    def read(self, session_id: str, key: bytes = b"") -> Stored | None:
        """Reads the session in one round trip; None if there is none.

        Raises `NotReplicated` if the idempotency key was used, but too few replicas have that: to
        return what the key did is to acknowledge it.
        """
        session, _, keys = _keys(session_id)
        (terms, version, snapshot), key_record = self._run(READ, [session, keys], [key])
        if version is None:
            return None
        if key_record is not None and self._replicas:
            self._confirm(session_id, key)
        if not version.isdigit():
            raise StoreUnavailable(f"a session has the version {version!r}")
        return Stored(terms, int(version), snapshot, key_record)

    def write(self, session_id: str, change: Change) -> bool:
        """Makes `change` if the session is as expected; returns whether it did.

        One round trip. Either all of it is done or nothing; raises `ReplyLost` if nobody knows
        which, and `NotReplicated` if it was done, but too few replicas have it. Raises `StoreFull`
        for a new session or a long one that finds no room, and `TooManySessions` for a new one
        that its client may not create.
        """
        keys = _keys(session_id)
        if change.taken_until:
            keys += (f"{keys[0]}:taken",)
        kept_as = "" if change.version % SNAPSHOT_EVERY else f"s{change.version}"
        arguments = [
            change.expected_version,
            change.expected_digest,
            change.version,
            change.snapshot,
            kept_as,
            change.expires_at,
            change.key,
            change.key_record,
            change.terms,
            change.taken_until,
            *change.events,
        ]

        def write(client: Client) -> tuple[Any, int]:
            command = _script(WRITE, keys, arguments)
            if not change.expected_version:
                made, quota = keys[0], 0
                if change.limit is not None and one_trip(client):
                    made, quota = change.limit.key, change.limit.quota
                elif change.limit is not None:  # its key may be on another node
                    asked = _script(admission.ASK, [change.limit.key], [change.limit.quota])
                    if (reply := client.execute_command(*asked)) != 1:
                        return reply, -1
                command = _script(admission.ADMIT + WRITE, [*keys, made], [*arguments, quota])
            if self._replicas and one_trip(client):
                return run_on_replicas(client, self._replicas, keys[0], command)
            return client.execute_command(*command), -1

        changed, reached = self._ask("write", write, changes=True)
        _check_admitted(changed, change.limit)
        if changed and reached >= 0:
            self._check_replicas("write", reached)
        elif changed and self._replicas:
            self._confirm(session_id, change.key, change.version, digest(change.snapshot))
        return bool(changed)

    def events(self, session_id: str, count: int = 0) -> list[bytes]:
        """Reads the first `count` events of the session (0: all); none if there is no session."""
        command = ("LRANGE", _keys(session_id)[1], 0, count - 1)
        events: list[bytes] = self._ask("events", lambda client: client.execute_command(*command))
        return events

    def replay(self, session_id: str, version: int) -> Replay:
        """Reads how the session came to `version` in one round trip; no events if there is none."""
        session, events, _ = _keys(session_id)
        return Replay(*self._run(REPLAY, [session, events], [version, SNAPSHOT_EVERY]))

    def delete(self, session_id: str) -> bool:
        """Deletes the session; returns whether there was one."""
        return bool(self._run(REMOVE, _keys(session_id), [], changes=True))

    def count(self) -> int:
        """How many sessions there are; beyond some thousand, an estimate."""
        counted: int = self._ask("count", count_sessions)
        return counted

    def check(self) -> None:
        """Reads a session that isn't there. Raises `StoreUnavailable` if that isn't possible."""
        self.read("-" * 22)

    def subscriber(self) -> Any:
        """A subscriber of redis-py with a connection of its own, for the channels of sessions."""
        try:
            return self._redis().pubsub()
        except FAILURES as error:
            raise _failure(error, changes=False) from error

    def _run(
        self, script: str, keys: Sequence[str], arguments: Sequence[Any], *, changes: bool = False
    ) -> Any:
        """Runs a script and returns its result; `changes` says whether it may write.

        The text of the script is sent each time, which saves a round trip to load it.
        """
        command = _script(script, keys, arguments)
        return self._ask(
            _NAMES[script], lambda client: client.execute_command(*command), changes=changes
        )

    def _confirm(self, session_id: str, key: bytes, version: int = 0, state: str = "") -> None:
        """Raises `NotReplicated` unless a change is there, and replicas have it (see `CONFIRM`)."""
        session, _, keys = _keys(session_id)
        command = _script(CONFIRM, [session, keys], [key, version, state])
        try:
            there, reached = self._ask(
                "confirm", lambda client: run_on_replicas(client, self._replicas, session, command)
            )
        except StoreUnavailable as error:
            raise NotReplicated(f"nobody knows which replicas have the change: {error}") from error
        self._check_replicas("confirm", reached if there else 0)

    def _check_replicas(self, name: str, reached: int) -> None:
        """Raises `NotReplicated` if `reached` replicas are too few."""
        if reached < self._replicas:
            STORE_ERRORS.add(1, name, "not_replicated")
            raise NotReplicated(f"{reached} of {self._replicas} replicas have the change")

    def _ask(self, name: str, ask: Callable[[Client], Any], *, changes: bool = False) -> Any:
        """Returns the reply to a command, which may write if `changes`; metrics have its `name`.

        Raises `NotAsked` at once while the breaker is open, and what `_failure` returns.
        """
        if not self._breaker.asks():
            STORE_ERRORS.add(1, name, "not_asked")
            raise NotAsked("it has not answered lately")
        began = time.monotonic()
        sent = answered = False
        try:
            client = self._redis()
            sent = changes
            reply = ask(client)
            answered = True
            return reply
        except FAILURES as error:
            answered = isinstance(error, ResponseError)
            if isinstance(error, ReadOnlyError):
                forget_server(client)
            failure = _failure(error, changes=sent)
            STORE_ERRORS.add(1, name, _WORDS[type(failure)])
            raise failure from error
        finally:
            STORE.observe(time.monotonic() - began, name)
            if answered:
                self._breaker.answered()
            else:
                self._breaker.failed(time.monotonic() - began)

    def _redis(self) -> Client:
        if self._client is None:
            with self._lock:
                if self._client is None:
                    self._client = self._connect()
        return self._client


def channel(session_id: str) -> str:
    """The name of the channel on which changes of a session are published."""
    return _keys(session_id)[0]


def _keys(session_id: str) -> tuple[str, ...]:
    """The keys of a session; a cluster places them by the part in braces only."""
    session = f"dice:{{{session_id}}}"
    return session, f"{session}:events", f"{session}:keys"


def _script(script: str, keys: Sequence[str], arguments: Sequence[Any]) -> tuple[Any, ...]:
    """The command that runs a script."""
    return "EVAL", script, len(keys), *keys, *arguments


def _check_admitted(reply: Any, limit: CreationLimit | None) -> None:
    """Raises `StoreFull` or `TooManySessions` if that is what the script returned."""
    if reply == admission.FULL:
        STORE_ERRORS.add(1, "write", "full")
        raise StoreFull
    if limit is not None and reply < 0:
        raise TooManySessions(limit.quota, -(reply // 1000))


def _failure(error: Exception, *, changes: bool) -> StoreUnavailable:
    """What to raise if Redis fails: no connection, a timeout, no memory, no master, no permission.

    It is `ReplyLost` if the command `changes` something, and may have run.
    """
    why = f"{type(error).__name__}: {error}"
    return (ReplyLost if changes and not never_ran(error) else StoreUnavailable)(why)
