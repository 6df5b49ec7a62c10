"""Who may act: tokens of 256 random bits, of which only the hash is kept."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_urlsafe

BYTES = 32
"""Random bytes of a token."""

ID_BYTES = 16
"""Random bytes of a session's id."""


def new_token() -> str:
    """A token nobody can guess, as text that fits a header."""
    return token_urlsafe(BYTES)


def new_id() -> str:
    """The id of a new session: 22 characters that fit a path."""
    return token_urlsafe(ID_BYTES)


def hash_token(token: str) -> str:
    """What is kept of a token: its SHA-256, from which it can't be told."""
    return urlsafe_b64encode(sha256(token.encode()).digest()).decode().rstrip("=")
