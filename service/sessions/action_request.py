"""An action as a client requests it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.sessions.idempotency import body_digest, key_digest, plain
from service.sessions.tokens import hash_token
from service.sessions.view import ANY_VERSION, Versions

NOT_VALUES = ("action", "player", "dice")
"""The fields of an action that are not its values."""


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The action that a client requests, with its token and its conditions.

    `player` is None if the client leaves the choice to the service. The `values` have 60 for 60.0:
    they become part of the history. `dice` are typed in. `versions` are those that the action may
    apply to. The token, the idempotency key (b"" for none) and the body are digests.
    """

    action: str
    player: str | None
    values: Mapping[str, object]
    dice: object
    token_hash: str
    versions: Versions
    key: bytes
    body: bytes

    @classmethod
    def of(
        cls,
        body: Mapping[str, Any],
        token: str,
        versions: Versions = ANY_VERSION,
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
            {name: plain(value) for name, value in body.items() if name not in NOT_VALUES},
            body.get("dice"),
            token_hash,
            versions,
            key_digest(token_hash, key),
            body_digest(body),
        )
