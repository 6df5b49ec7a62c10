"""What a store returns, and what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CreationLimit:
    """`client` may create `quota` sessions in an hour."""

    client: str
    quota: int

    @property
    def key(self) -> str:
        """The key of the client, in which the store counts."""
        return f"dice:clients:{self.client}"


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
