"""What is remembered of an action with an idempotency key, to answer it when it is sent again."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson

from service.sessions.tokens import hash_token
from service.sessions.view import KeyReused

KEY_BYTES = 9
"""What is kept of a key's hash: enough that no two of a session are alike."""

VERSION_BYTES = 3
"""What the version takes that the action made."""

BODY_BYTES = 4
"""What is kept of the hash of what was sent, to tell when a key is used for something else."""


def key_digest(token: str, key: str) -> bytes:
    """What is kept of a `key`, which belongs to a token; empty for no key."""
    return _digest(f"{hash_token(token)}:{key}".encode(), KEY_BYTES) if key else b""


def body_digest(body: Mapping[str, Any]) -> bytes:
    """What is kept of what a client sent.

    Empty for what is nested deeper than can be written: no action is, so none was remembered.
    """
    try:
        written = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return b""
    return _digest(written, BODY_BYTES)


def remembered(version: int, body: bytes) -> bytes:
    """What is remembered of an action: the version that it made, and what is kept of its body."""
    return version.to_bytes(VERSION_BYTES, "big") + body


def recorded_version(record: bytes, body: bytes) -> int:
    """The version that an action made. Raises `KeyReused` if its body was another one."""
    if record[VERSION_BYTES:] != body:
        raise KeyReused("the key was used for another action")
    return int.from_bytes(record[:VERSION_BYTES], "big")


def _digest(data: bytes, size: int) -> bytes:
    return sha256(data).digest()[:size]
