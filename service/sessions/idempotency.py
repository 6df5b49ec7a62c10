"""What is stored for an idempotency key, to recognize a request that is sent again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import orjson

from service.rules.violations import InvalidInput, Violation
from service.sessions.tokens import derived_id, derived_token
from service.sessions.view import CreationKeyReused, KeyReused

KEY_BYTES = 9
"""How many bytes of a key's hash are stored: enough that no two in a session are equal."""

VERSION_BYTES = 3
"""How many bytes the version takes that the action created."""

BODY_BYTES = 4
"""How many bytes of the body's hash are stored, to notice a key that is used for another action."""

CREATION = b"create"
"""What stands for the key's hash of the request that created the session."""

CREATION_SECONDS = 86_400
"""How long the key of a creation is stored at least; as long as the session if that lives longer.
"""

SALT_BYTES = 32
"""Random bytes that tokens are derived from, together with the key."""


def key_digest(token_hash: str, key: str) -> bytes:
    """The digest of an idempotency key, which belongs to a token; empty for no key."""
    return sha256(f"{token_hash}:{key}".encode()).digest()[:KEY_BYTES] if key else b""


def body_digest(body: Mapping[str, Any]) -> bytes:
    """The digest of a body. Raises `InvalidInput` if it is nested too deeply to be an action."""
    try:
        return _body_hash(body)[:BODY_BYTES]
    except orjson.JSONEncodeError:
        raise InvalidInput(Violation((), "is nested too deeply for an action")) from None


def key_record(version: int, body: bytes) -> bytes:
    """What is stored for a key: the version that its action created, and the digest of its body."""
    return version.to_bytes(VERSION_BYTES, "big") + body


def recorded_version(record: bytes, body: bytes) -> int:
    """The version that a key's action created. Raises `KeyReused` if its body was another."""
    if record[VERSION_BYTES:] != body:
        raise KeyReused("the key was used for another action")
    return int.from_bytes(record[:VERSION_BYTES], "big")


@dataclass(frozen=True, slots=True)
class CreationKey:
    """The idempotency key of a request for a new session, and the hash of its body.

    What is stored for it with the session is a random salt and then the hash of the body. Nothing
    that is stored reveals the key.
    """

    key: str = field(repr=False)
    body: bytes

    @classmethod
    def of(cls, key: str, body: object) -> CreationKey:
        """The key that a client sent with `body`, which is a valid request for a session."""
        return cls(key, _body_hash(body))

    @property
    def session_id(self) -> str:
        """The id of the session, the same for each request with this key."""
        return derived_id(self.key)

    def new_record(self) -> bytes:
        """What is stored for this key if it is the first request with it."""
        return token_bytes(SALT_BYTES) + self.body

    def tokens(self, record: bytes, count: int) -> list[str]:
        """The tokens of the session that is stored with `record`: the table's, then the players'.

        Raises `CreationKeyReused` if its body was another.
        """
        if record[SALT_BYTES:] != self.body:
            raise CreationKeyReused("this Idempotency-Key was used with another body")
        return [derived_token(self.key, record[:SALT_BYTES], index) for index in range(count)]


def _body_hash(body: object) -> bytes:
    """The hash of a body, whatever the order of its fields."""
    return sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).digest()
