"""Changes for tests of the store, and the raw contents of Redis."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from service.sessions.store.codec import digest
from service.sessions.store.scripts import Change
from tests.sessions.servers import Direct

HOUR = 3_600_000


@contextmanager
def opened(url: str) -> Iterator[Direct]:
    """A client of the store at `url`."""
    with closing(Direct(url)) as client:
        yield client


def soon() -> int:
    """An hour from now, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000 + HOUR


def change(before: int = 0, **other: Any) -> Change:
    """A typical change from version `before` to the next, with `other` fields replaced."""
    number = before + 1
    given: dict[str, Any] = {
        "expected_version": before,
        "expected_digest": digest(b"snapshot %d" % before) if before else "",
        "version": number,
        "snapshot": b"snapshot %d" % number,
        "events": [b"event %d" % number],
        "expires_at": soon(),
        "terms": b"" if before else b"terms",
    }
    return Change(**{**given, **other})


def keys_of(session_id: str) -> tuple[str, str, str]:
    """The keys of a session: its hash, its events, and its idempotency keys."""
    session = f"dice:{{{session_id}}}"
    return session, f"{session}:events", f"{session}:keys"


def taken_key(session_id: str) -> str:
    """The key that marks the id of a session as taken."""
    return f"{keys_of(session_id)[0]}:taken"


@dataclass(frozen=True)
class Kept:
    """The raw contents of a session in Redis: three values, and when each key expires."""

    session: dict[bytes, bytes]
    events: list[bytes]
    keys: dict[bytes, bytes]
    forgotten: tuple[int, ...]


NOTHING = Kept({}, [], {}, (-2, -2, -2))
"""The raw contents of a session that doesn't exist."""


def kept(client: Direct, session_id: str) -> Kept:
    """Reads the raw contents of a session."""
    session, events, keys = keys_of(session_id)
    ask = client.execute_command
    forgotten = tuple([ask("PEXPIRETIME", key) for key in (session, events, keys)])
    return Kept(
        ask("HGETALL", session), ask("LRANGE", events, 0, -1), ask("HGETALL", keys), forgotten
    )
