"""Sessions in Redis, or in any server with its protocol.

A session is three keys with the same hash tag, so that a cluster keeps them on one node: a hash
with its terms, version and snapshot, the list of its events, and a hash of the idempotency keys
used. Every change is one script, which Redis runs completely or not at all.

A fourth key marks an id as taken, if the id is derived from the idempotency key of a request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from threading import Lock
from typing import Any, Protocol

from redis import ReadOnlyError, ResponseError

from service.metrics.declared import STORE, STORE_ERRORS
from service.sessions.store import admission, scripts
from service.sessions.store.admission import CreationLimit, StoreFull, TooManySessions
from service.sessions.store.breaker import Breaker
from service.sessions.store.causes import cause_of
from service.sessions.store.census import count_sessions
from service.sessions.store.codec import digest
from service.sessions.store.connect import FAILURES, forget_server
from service.sessions.store.deadline import STEP_SECONDS, pause, resume
from service.sessions.store.failures import (
    WORDS,
    NotAsked,
    NotReplicated,
    StoreUnavailable,
    Unusable,
    failure_of,
)
from service.sessions.store.replication import CONFIRM, one_trip, run_on_replicas
from service.sessions.store.scripts import eval_command
from service.sessions.store.stored import Change, Replay, Stored


class Client(Protocol):
    """The methods of redis-py that are used, for a single server, Sentinel or Cluster."""

    def execute_command(self, *command: Any) -> Any:
        """Returns the reply to a command."""

    def pubsub(self, **options: Any) -> Any:
        """Returns a subscriber with a connection of its own."""


SNAPSHOT_EVERY = 128
"""How many versions apart snapshots are kept, so that no long history is replayed from the start. A
game of `dice-poker` for two has fewer versions."""


_NO_CHANGE = Change(
    expected_version=1,
    expected_digest="",
    version=2,
    snapshot=b"",
    events=[],
    expires_at=0,
    key=b"-",
)
"""A change of a session that doesn't exist. It needs the same permissions and changes nothing."""


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
        (terms, version, snapshot), key_record = self._run(
            "read", scripts.READ, [session, keys], [key]
        )
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
        arguments = _arguments(change)

        def write(client: Client) -> tuple[Any, int]:
            command = eval_command(scripts.WRITE, keys, arguments)
            if not change.expected_version:
                made, quota = keys[0], 0
                if change.limit is not None and one_trip(client):
                    made, quota = change.limit.key, change.limit.quota
                elif change.limit is not None:  # its key may be on another node
                    asked = eval_command(admission.ASK, [change.limit.key], [change.limit.quota])
                    if (reply := client.execute_command(*asked)) != 1:
                        return reply, -1
                command = eval_command(
                    admission.ADMIT + scripts.WRITE, [*keys, made], [*arguments, quota]
                )
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
        arguments = [version, SNAPSHOT_EVERY]
        return Replay(*self._run("replay", scripts.REPLAY, [session, events], arguments))

    def delete(self, session_id: str, expected: tuple[int, str] | None = None) -> bool:
        """Deletes the session, maybe only if it has the `expected` version and digest; returns
        whether there was one.
        """
        arguments = expected or ()
        return bool(self._run("delete", scripts.REMOVE, _keys(session_id), arguments, changes=True))

    def count(self) -> int:
        """How many sessions there are; beyond some thousand, an estimate."""
        counted: int = self._ask("count", count_sessions)
        return counted

    def check(self) -> str:
        """Tries on a session that isn't there what sessions need; nothing changes.

        Returns what may go wrong nevertheless, worded to follow the store's name, or "". Raises
        `StoreUnavailable` if sessions can't be read, or if the store denies a permission.
        """
        session, *_ = _keys("-" * 22)
        self.replay("-" * 22, SNAPSHOT_EVERY)
        with closing(self.subscriber()) as subscriber:
            try:
                subscriber.subscribe(session)
                subscriber.get_message(timeout=STEP_SECONDS)
            except FAILURES as error:
                raise failure_of(error, changes=False) from error
        self._run("write", scripts.WRITE, _keys("-" * 22), _arguments(_NO_CHANGE), changes=True)
        try:
            self._ask("check", lambda client: client.execute_command("DEL", session))
        except StoreUnavailable as error:
            if isinstance(error, Unusable) or not isinstance(error.__cause__, ResponseError):
                raise
            return cause_of(error.__cause__)[0]
        policy, replicas = (
            each.decode() for each in self._run("check", scripts.POLICY, [session], [])
        )
        if replicas and int(replicas) < self._replicas:
            return (
                f"has {replicas} of the {self._replicas} replicas that WAIT_REPLICAS asks for, so "
                "no action is acknowledged"
            )
        if policy in ("noeviction", ""):
            return ""
        return (
            f"removes sessions when its memory is full (maxmemory-policy is {policy}); set "
            "maxmemory-policy to noeviction"
        )

    def subscriber(self) -> Any:
        """A subscriber of redis-py with a connection of its own, for the channels of sessions."""
        try:
            return self._redis().pubsub()
        except FAILURES as error:
            raise failure_of(error, changes=False) from error

    def _run(
        self,
        name: str,
        script: str,
        keys: Sequence[str],
        arguments: Sequence[Any],
        *,
        changes: bool = False,
    ) -> Any:
        """Runs a script and returns its result; `changes` says whether it may write. Metrics have
        its `name`.
        """
        command = eval_command(script, keys, arguments)
        return self._ask(name, lambda client: client.execute_command(*command), changes=changes)

    def _confirm(self, session_id: str, key: bytes, version: int = 0, state: str = "") -> None:
        """Raises `NotReplicated` unless a change is there, and replicas have it (see `CONFIRM`)."""
        session, _, keys = _keys(session_id)
        command = eval_command(CONFIRM, [session, keys], [key, version, state])
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
            STORE_ERRORS.of(name, "not_replicated").add()
            raise NotReplicated(f"{reached} of {self._replicas} replicas have the change")

    def _ask(self, name: str, ask: Callable[[Client], Any], *, changes: bool = False) -> Any:
        """Returns the reply to a command, which may write if `changes`; metrics have its `name`.

        Raises `NotAsked` at once while the breaker is open, and what `failure_of` returns.
        """
        if not self._breaker.asks():
            STORE_ERRORS.of(name, "not_asked").add()
            raise NotAsked("has not answered lately")
        began = time.monotonic()
        sent = answered = False
        resume()
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
            failure = failure_of(error, changes=sent)
            STORE_ERRORS.of(name, WORDS[type(failure)]).add()
            raise failure from error
        finally:
            pause()
            STORE.of(name).observe(time.monotonic() - began)
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


def _arguments(change: Change) -> list[Any]:
    """The arguments of `WRITE`."""
    return [
        change.expected_version,
        change.expected_digest,
        change.version,
        change.snapshot,
        "" if change.version % SNAPSHOT_EVERY else f"s{change.version}",
        change.expires_at,
        change.key,
        change.key_record,
        change.terms,
        change.taken_until,
        *change.events,
    ]


def _check_admitted(reply: Any, limit: CreationLimit | None) -> None:
    """Raises `StoreFull` or `TooManySessions` if that is what the script returned."""
    if reply == admission.FULL:
        STORE_ERRORS.of("write", "full").add()
        raise StoreFull
    if limit is not None and reply < 0:
        raise TooManySessions(limit.quota, -(reply // 1000))
