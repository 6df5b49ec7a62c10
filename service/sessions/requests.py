"""Tokens, idempotency keys and actions as clients send them, and what is stored of them.

A token has 256 bits; only its hash is stored. An id of a session is random, or derived from the
idempotency key of the request that creates the session. Whoever knows that key can get the tokens
with the same request, so they are only as hard to guess as the key. Only its hash is stored, as the
id: whoever reads the store but can't guess the key can't derive the tokens.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import digest
from secrets import token_bytes, token_urlsafe
from typing import Any

import orjson

from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation
from service.sessions.take_back import TAKE_BACK
from service.sessions.view import ANY_VERSION, KeyReused, OtherBody, Versions

BYTES = 32
"""Random bytes of a token."""

ID_BYTES = 16
"""Random bytes of a session's id."""

IS_ID = re.compile(r"[\w-]{22}", re.ASCII).fullmatch
"""Matches what can be an id."""


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

MAX_DEPTH = 100
"""How deep the objects and lists of a body may be nested; those of valid ones are far less deep."""

_EXACT = 1 << 53
"""From here on, not every whole number has a float of its own."""

SALT_BYTES = 32
"""Random bytes that tokens are derived from, together with the key."""


def key_digest(token_hash: str, key: str) -> bytes:
    """The digest of an idempotency key, which belongs to a token; empty for no key."""
    return sha256(f"{token_hash}:{key}".encode()).digest()[:KEY_BYTES] if key else b""


def body_digest(body: Mapping[str, Any]) -> bytes:
    """The digest of the body of an action.

    Null counts as leaving out the field: no action that can be performed means anything else by it.
    Raises `InvalidInput` if the body is nested too deeply to be an action.
    """
    return _body_hash(body, keeps_null=False)[:BODY_BYTES]


def key_record(version: int, body: bytes) -> bytes:
    """What is stored for a key: the version that its action created, and the digest of its body."""
    return version.to_bytes(VERSION_BYTES, "big") + body


def recorded_version(record: bytes, body: bytes) -> int:
    """The version that a key's action created. Raises `KeyReused` if its body was another."""
    if record[VERSION_BYTES:] != body:
        raise KeyReused
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
        """The key that a client sent with `body`, a valid request for a session without the nulls
        that mean the same as leaving out the field.
        """
        return cls(key, _body_hash(body, keeps_null=True))

    @property
    def session_id(self) -> str:
        """The id of the session, the same for each request with this key."""
        return derived_id(self.key)

    def new_record(self) -> bytes:
        """What is stored for this key if it is the first request with it."""
        return token_bytes(SALT_BYTES) + self.body

    def tokens(self, record: bytes, count: int) -> list[str]:
        """The tokens of the session that is stored with `record`: the table's, then the players'.

        Raises `OtherBody` if its body was another.
        """
        if record[SALT_BYTES:] != self.body:
            raise OtherBody
        return [derived_token(self.key, record[:SALT_BYTES], index) for index in range(count)]


def _body_hash(body: object, *, keeps_null: bool) -> bytes:
    """The hash of a body, whatever the order of its fields, and whether 60 is written as 60.0.

    Raises `InvalidInput` if it is nested too deeply.
    """
    sorted_keys = orjson.OPT_SORT_KEYS
    return sha256(orjson.dumps(plain(body, keeps_null=keeps_null), option=sorted_keys)).digest()


def plain(value: object, *, keeps_null: bool = True, depth: int = 0) -> object:
    """`value` with an int for every float that is a whole number, and maybe without null fields.

    Raises `InvalidInput` if it is nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise InvalidInput(Violation((), Breach.TOO_DEEP(maximum=MAX_DEPTH)))
    if isinstance(value, dict):
        return {
            name: plain(inner, keeps_null=keeps_null, depth=depth + 1)
            for name, inner in value.items()
            if keeps_null or inner is not None
        }
    if isinstance(value, list):
        return [plain(inner, keeps_null=keeps_null, depth=depth + 1) for inner in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value


ACTIONS = "actions"
"""The only field of a body with a list of actions."""

NOT_VALUES = ("action", "player", "dice")
"""The fields of an action that are not its values."""


@dataclass(frozen=True, slots=True)
class RequestedAction:
    """An action that a client requests.

    `path` leads to it in the body. `player` is None if the client leaves the choice to the service.
    The `values` have 60 for 60.0: they become part of the history. `dice` are typed in.
    """

    path: tuple[str | int, ...]
    action: str
    player: str | None
    values: Mapping[str, object]
    dice: object

    @classmethod
    def of(cls, body: Mapping[str, Any], path: tuple[str | int, ...] = ()) -> RequestedAction:
        """The action in `body`: its name, maybe a player and dice, and its values.

        Raises `InvalidInput` if it is nested too deeply.
        """
        return cls(
            path,
            body["action"],
            body.get("player"),
            {name: plain(value) for name, value in body.items() if name not in NOT_VALUES},
            body.get("dice"),
        )


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The actions that a client requests in one body, with its token and its conditions.

    Either all are performed, or none. `versions` are those that the first one may apply to. The
    token, the idempotency key (b"" for none) and the body are digests. `takes_back` says whether
    one of the actions is to take back (G3).
    """

    actions: Sequence[RequestedAction]
    token_hash: str
    versions: Versions
    key: bytes
    body: bytes
    takes_back: bool

    @classmethod
    def of(
        cls, body: Mapping[str, Any], token: str, versions: Versions = ANY_VERSION, key: str = ""
    ) -> ActionRequest:
        """The request that a client with `token` sent, with `key` or "" for none.

        `body` is an action, or has a list of them. Raises `InvalidInput` if it is nested too
        deeply.
        """
        token_hash = hash_token(token)
        if ACTIONS in body:
            listed = enumerate(body[ACTIONS])
            actions = [RequestedAction.of(each, (ACTIONS, place)) for place, each in listed]
        else:
            actions = [RequestedAction.of(body)]
        return cls(
            actions,
            token_hash,
            versions,
            key_digest(token_hash, key),
            body_digest(body),
            any(each.action == TAKE_BACK.name for each in actions),
        )
