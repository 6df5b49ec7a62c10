"""An action as a client requests it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.sessions.idempotency import body_digest, key_digest
from service.sessions.tokens import hash_token

NOT_VALUES = ("action", "player", "dice")
"""The fields of an action that are not its values."""


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The action that a client requests, with its token and its conditions.

    `player` is None if the client leaves the choice to the service. `dice` are typed in. `tags`
    name the versions that the client accepts (see `SessionView.is_one_of`), None for any. The
    token, the idempotency key (b"" for none) and the body are digests.
    """

    action: str
    player: str | None
    values: Mapping[str, object]
    dice: object
    token_hash: str
    tags: frozenset[str] | None
    key: bytes
    body: bytes

    @classmethod
    def of(
        cls,
        body: Mapping[str, Any],
        token: str,
        tags: frozenset[str] | None = None,
        key: str = "",
    ) -> ActionRequest:
        """The request that a client with `token` sent, with `key` or "" for none.

        `body` has the action by name, maybe a player and dice, and the values. Raises
        `InvalidInput` if it is nested too deeply.
        """
        token_hash = hash_token(token)
        return cls(
            body["action"],
            body.get("player"),
            {name: value for name, value in body.items() if name not in NOT_VALUES},
            body.get("dice"),
            token_hash,
            tags,
            key_digest(token_hash, key),
            body_digest(body),
        )
