"""Sessions in Redis, or in any server with its protocol.

A session is three keys with the same hash tag, so that a cluster keeps them on one node: a hash
with its terms, version and snapshot, the list of its events, and a hash of the idempotency keys
used. Every change is one script, which Redis runs completely or not at all.

A fourth key marks an id as taken, if the id is derived from the idempotency key of a request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import Any

from redis import ResponseError
from redis.connection import AbstractConnection

from service.metrics.declared import STORE, STORE_ERRORS
from service.sessions.store import scripts
from service.sessions.store.connect import FAILURES, Client, Command
from service.sessions.store.deadline import pause, resume, seconds_left
from service.sessions.store.failures import (
    Breaker,
    NotAsked,
    NotReplicated,
    ReplyLost,
    StoreFull,
    StoreUnavailable,
    TooManySessions,
    Unusable,
    cause_of,
    failure_of,
)
from service.sessions.store.scripts import Change, CreationLimit, Replay, Stored

REPLY_SECONDS = 0.2
"""How much of the time of a step is left for the reply of a server that waits for its replicas. It
looks only ten times a second whether they have had their time."""

FRESH_SECONDS = 5.0
"""How long a count is used again, so that nobody can keep the store busy with counting."""

_NOBODY = "-" * 22
"""The id of a session that doesn't exist."""


class Store:
    """The sessions behind `connect`, which is called at the first use.

    A change counts once `replicas` replicas have it. `stream` is the key for the entries of
    changes, which needs one server for all keys; `warn` is called if that refuses them.
    """

    def __init__(
        self,
        connect: Callable[[], Client],
        replicas: int = 0,
        stream: str = "",
        warn: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._connect, self._replicas, self._stream, self._warn = connect, replicas, stream, warn
        self._refusal: bytes | None = None
        self._breaker = Breaker()
        self._counting, self._counted_at = Lock(), -FRESH_SECONDS
        self._count: int | None = None

    @cached_property
    def _client(self) -> Client:
        return self._connect()

    def read(self, session_id: str, key: bytes = b"") -> Stored | None:
        """Reads the session in one round trip; None if there is none.

        Raises `NotReplicated` if the idempotency key was used, but too few replicas have that (see
        `CONFIRM`): to return what the key did is to acknowledge it.
        """
        session, _, keys = _keys(session_id)
        found, key_record = self._run("read", scripts.READ, [session, keys], [key])
        terms, version, snapshot = found
        if version is None:
            return None
        if key_record is not None and self._replicas:
            confirm = _eval(scripts.CONFIRM, [session, keys], [key])
            try:
                there, reached = self._ask("confirm", session, confirm, waits=True)
            except StoreUnavailable as error:
                why = f"nobody knows which replicas have the change: {error}"
                raise NotReplicated(why) from error
            self._check_replicas("confirm", reached if there else 0)
        if not version.isdigit():
            raise StoreUnavailable(f"a session has the version {version!r}")
        return Stored(terms, int(version), snapshot, key_record)

    def write(self, session_id: str, change: Change) -> bool:
        """Makes `change` if the session is as expected; returns whether it did.

        One round trip. Either all of it is done or nothing; raises `ReplyLost` if nobody knows
        which, and `NotReplicated` if it was done, but too few replicas have it. Raises `StoreFull`
        for a new session or a long one that finds no room, and `TooManySessions` for a new one
        that its client may not create. Only an entry that the stream refuses is lost.
        """
        script, limit = scripts.WRITE, change.limit
        keys, arguments = [*_keys(session_id)], change.arguments()
        if change.taken_until:
            keys.append(f"{keys[0]}:taken")
        if change.entry:
            script = scripts.WRITE_AND_ADD
            words = (self._stream, "MAXLEN", "~", scripts.STREAM_LENGTH, "*", *change.entry)
            arguments += [*words, len(words)]
        if not change.expected_version:
            if limit is not None and not self._client.one_node:  # its key may be on another
                self._admit(
                    self._run("write", scripts.ASK, [limit.key], [limit.milliseconds]), limit
                )
                limit = None
            script = scripts.ADMIT + script
            keys.append(limit.key if limit else keys[0])
            arguments.append(limit.milliseconds if limit else 0)
        command = _eval(script, keys, arguments)
        changed, *reached = self._ask("write", keys[0], command, changes=True, waits=True)
        if change.entry and changed:
            changed = self._with_entry(changed)
        self._admit(changed, limit)
        if changed and self._replicas:
            self._check_replicas("write", reached[0])
        return bool(changed)

    def events(self, session_id: str, count: int = 0) -> list[bytes]:
        """Reads the first `count` events of the session (0: all); none if there is no session."""
        events = _keys(session_id)[1]
        (found,) = self._ask("events", events, ("LRANGE", events, 0, count - 1))
        return list(found)

    def replay(self, session_id: str, version: int, until: int = 0) -> Replay:
        """Reads how the session came to `version` in one round trip; no events if there is none.

        The events go on to the version `until`, if that is later.
        """
        session, events, _ = _keys(session_id)
        arguments = [version, scripts.SNAPSHOT_EVERY, max(version, until)]
        return Replay(*self._run("replay", scripts.REPLAY, [session, events], arguments))

    def join(self, session_id: str, seat: int | None) -> list[int] | None:
        """Adds `seat` to those that have joined the session, and returns all of them; None if there
        is no session.
        """
        session, added = _keys(session_id)[0], "" if seat is None else seat
        joined: bytes | None = self._run("join", scripts.JOIN, [session], [added], changes=True)
        return None if joined is None else [int(each) for each in joined.split()]

    def delete(self, session_id: str, expected: tuple[int, str] | None = None) -> bool:
        """Deletes the session, maybe only if it has the `expected` version and digest; returns
        whether there was one.
        """
        arguments = expected or ()
        return bool(self._run("delete", scripts.REMOVE, _keys(session_id), arguments, changes=True))

    def count(self) -> int | None:
        """How many sessions there are; beyond some thousand, an estimate. None if the store is
        away.

        While one caller waits for the store, others get the count before, None at first: a store
        that doesn't reply takes one thread, not all.
        """
        fresh = time.monotonic() - self._counted_at < FRESH_SECONDS
        if fresh or not self._counting.acquire(blocking=False):
            return self._count
        command = _eval(scripts.COUNT, [], [scripts.MOST_KEYS])
        try:
            parts: list[tuple[int, int, int]] = self._ask("count", "", command)
            self._count = sum(round(found * keys / seen) for keys, seen, found in parts if seen)
        except StoreUnavailable:
            self._count = None
        finally:
            self._counted_at = time.monotonic()
            self._counting.release()
        return self._count

    def check(self) -> str:
        """Tries on a session that isn't there what sessions need; nothing changes.

        Returns what may go wrong nevertheless, worded to follow the store's name, or "". Raises
        `StoreUnavailable` if sessions can't be read, or if the store denies a permission.
        """
        session, *_ = keys = _keys(_NOBODY)
        self.replay(_NOBODY, scripts.SNAPSHOT_EVERY)
        subscriber = self.subscriber()
        try:
            subscriber.send_command("SUBSCRIBE", session)
            subscriber.read_response()
        except FAILURES as error:
            raise failure_of(error, changes=False) from error
        finally:
            subscriber.disconnect()
        nothing = Change(1, "", 2, b"", [], 0, key=b"-")  # needs the same permissions
        self._run("write", scripts.WRITE, keys, nothing.arguments(), changes=True)
        try:
            self._ask("check", session, ("DEL", session))
        except StoreUnavailable as error:
            if isinstance(error, Unusable) or not isinstance(error.__cause__, ResponseError):
                raise
            return cause_of(error.__cause__)[0]
        try:
            if self._stream:
                trim = ("XTRIM", self._stream, "MAXLEN", "~", scripts.STREAM_LENGTH)
                self._ask("check", self._stream, trim, changes=True)
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, ResponseError):
                raise
            return (
                "takes no entries for the feed: the key that FEED names is no stream, or its user "
                "may not use XADD and XTRIM on it"
            )
        found = self._run("check", scripts.POLICY, [session], [])
        policy, replicas = (each.decode() for each in found)
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

    def subscriber(self) -> AbstractConnection:
        """A connection for the caller, to subscribe to the channels of sessions."""
        try:
            return self._client.new_connection()
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
        """Runs a script and returns its result (see `_ask`)."""
        return self._ask(name, keys[0], _eval(script, keys, arguments), changes=changes)[0]

    def _admit(self, reply: Any, limit: CreationLimit | None) -> None:
        """Raises `StoreFull` or `TooManySessions` if that is what a script returned."""
        if reply == scripts.FULL:
            STORE_ERRORS.of("write", "full").add()
            raise StoreFull
        if limit is not None and reply < 0:
            raise TooManySessions(limit.quota, -(reply // 1000))

    def _with_entry(self, reply: Any) -> Any:
        """The reply of `WRITE` for that of `WRITE_AND_ADD`. Logs and counts a refused entry; the
        same refusal is logged once until an entry is taken again.
        """
        refusal = reply if isinstance(reply, bytes) and reply != scripts.FULL else None
        if refusal:
            STORE_ERRORS.of("write", "no_entry").add()
            if refusal != self._refusal:
                why = refusal.decode(errors="replace")
                self._warn(f"The stream {self._stream} of FEED refuses entries: {why}")
        if refusal or reply == 1:
            self._refusal, reply = refusal, 1
        return reply

    def _check_replicas(self, name: str, reached: Any) -> None:
        """Raises `NotReplicated` if `reached` replicas are too few, or an error."""
        count = reached if isinstance(reached, int) else 0
        if count < self._replicas:
            STORE_ERRORS.of(name, "not_replicated").add()
            raise NotReplicated(f"{count} of {self._replicas} replicas have the change")

    def _ask(
        self, name: str, key: str, *commands: Command, changes: bool = False, waits: bool = False
    ) -> list[Any]:
        """The replies to commands about `key`, sent together; or, with the key "", those of all
        masters to a command without a key.

        `changes` says whether they may write. With `waits`, the server waits until replicas have
        what this connection wrote, and the last reply says how many do. That is sent together with
        the rest: after a failover, another connection could be to another server. Metrics have the
        `name`. Raises `NotAsked` at once while the breaker is open, and what `failure_of` returns.
        """
        if not self._breaker.asks():
            STORE_ERRORS.of(name, "not_asked").add()
            raise NotAsked("has not answered lately")
        began, answered = time.monotonic(), False
        resume()
        try:
            if waits and self._replicas:
                milliseconds = int(1000 * (seconds_left() - REPLY_SECONDS))  # 0 would be for ever
                commands += (("WAIT", self._replicas, max(1, milliseconds)),)
            client = self._client
            replies = client.ask(key, *commands) if key else client.ask_all(*commands)
            answered = True
            return replies
        except FAILURES as error:
            failure = failure_of(error, changes=changes)
            answered = isinstance(error, ResponseError) or isinstance(failure, Unusable)
            lost = isinstance(failure, ReplyLost)
            STORE_ERRORS.of(name, "reply_lost" if lost else "unavailable").add()
            raise failure from error
        finally:
            pause()
            seconds = time.monotonic() - began
            STORE.of(name).observe(seconds)
            if answered:
                self._breaker.answered()
            else:
                self._breaker.failed(seconds)


def channel(session_id: str) -> str:
    """The name of the channel on which changes of a session are published."""
    return _keys(session_id)[0]


def _keys(session_id: str) -> tuple[str, str, str]:
    """The keys of a session; a cluster places them by the part in braces only."""
    session = f"dice:{{{session_id}}}"
    return session, f"{session}:events", f"{session}:keys"


def _eval(script: str, keys: Sequence[str], arguments: Sequence[Any]) -> Command:
    """The command that runs a script. Its text is sent each time, which saves a round trip to load
    it.
    """
    return ("EVAL", script, len(keys), *keys, *arguments)
