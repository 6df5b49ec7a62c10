"""Tokens of 256 bits, stored only as a hash, and ids of sessions: random, or derived from the
idempotency key of the request that creates the session.

Whoever knows the key can get the tokens with the same request, so they are only as hard to guess as
the key. Only its hash is stored, as the id: whoever reads the store but can't guess the key can't
derive the tokens.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from hmac import digest
from secrets import token_urlsafe

BYTES = 32
"""Random bytes of a token."""

ID_BYTES = 16
"""Random bytes of a session's id."""


def new_token() -> str:
    """A token that nobody can guess, as text for a header."""
    return token_urlsafe(BYTES)


def new_id() -> str:
    """The id of a new session: 22 characters for a path."""
    return token_urlsafe(ID_BYTES)


def derived_id(key: str) -> str:
    """The id of the session that `key` creates: a hash, from which nobody can find a random key."""
    return _text(sha256(f"session:{key}".encode()).digest()[:ID_BYTES])


def derived_token(key: str, salt: bytes, index: int) -> str:
    """A token of the session that `key` creates, 0 for the table's and then one for each player.

    `salt` is random, so that another session with this key has other tokens.
    """
    return _text(digest(salt, f"{key}:{index}".encode(), "sha256"))


def hash_token(token: str) -> str:
    """The SHA-256 of a token. The token itself is never stored."""
    return _text(sha256(token.encode()).digest())


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
