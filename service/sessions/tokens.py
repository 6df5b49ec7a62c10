"""Tokens: 256 random bits each, stored only as a hash."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
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


def hash_token(token: str) -> str:
    """The SHA-256 of a token. The token itself is never stored."""
    return urlsafe_b64encode(sha256(token.encode()).digest()).decode().rstrip("=")
