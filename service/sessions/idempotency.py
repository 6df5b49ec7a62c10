"""What is stored for an idempotency key, to recognize an action that is sent again."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson

from service.rules.violations import InvalidInput, Violation
from service.sessions.view import KeyReused

KEY_BYTES = 9
"""How many bytes of a key's hash are stored: enough that no two in a session are equal."""

VERSION_BYTES = 3
"""How many bytes the version takes that the action created."""

BODY_BYTES = 4
"""How many bytes of the body's hash are stored, to notice a key that is used for another action."""


def key_digest(token_hash: str, key: str) -> bytes:
    """The digest of an idempotency key, which belongs to a token; empty for no key."""
    return _digest(f"{token_hash}:{key}".encode(), KEY_BYTES) if key else b""


def body_digest(body: Mapping[str, Any]) -> bytes:
    """The digest of a body. Raises `InvalidInput` if it is nested too deeply to be an action."""
    try:
        data = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        raise InvalidInput(Violation((), "is nested too deeply for an action")) from None
    return _digest(data, BODY_BYTES)


def key_record(version: int, body: bytes) -> bytes:
    """What is stored for a key: the version that its action created, and the digest of its body."""
    return version.to_bytes(VERSION_BYTES, "big") + body


def recorded_version(record: bytes, body: bytes) -> int:
    """The version that a key's action created. Raises `KeyReused` if its body was another."""
    if record[VERSION_BYTES:] != body:
        raise KeyReused("the key was used for another action")
    return int.from_bytes(record[:VERSION_BYTES], "big")


def _digest(data: bytes, size: int) -> bytes:
    return sha256(data).digest()[:size]
