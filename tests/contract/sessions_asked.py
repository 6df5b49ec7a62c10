"""Requests about sessions, as tests of the contract make them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.engine.random_play import picked
from tests.live import JSON, Reply, Service

PATH = "/v1/sessions"
TYPED = {"variant": "dice-poker", "players": ["ann", "ben"], "dice": "client"}
"""A session that changes by nobody's dice but ours."""


@dataclass(frozen=True)
class Game:
    """A session in `service`; `table` and `players` are its tokens."""

    service: Service
    reply: Reply
    path: str
    table: str
    players: dict[str, str]

    def ask(
        self,
        method: str,
        below: str = "",
        body: bytes | None = None,
        token: str | None = None,
        **headers: str,
    ) -> Reply:
        """A request about it, with the table's token unless told otherwise ("" for none)."""
        token = self.table if token is None else token
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            named["Authorization"] = f"Bearer {token}"
        return self.service.ask(method, f"{self.path}{below}", body, named)

    def act(self, body: object, **headers: str) -> Reply:
        """An action, in whatever version unless told otherwise."""
        given = {"If_Match": "*", "Content_Type": JSON, **headers}
        return self.ask("POST", "/actions", json.dumps(body).encode(), **given)


def made(service: Service, request: object) -> Game:
    """A new session."""
    reply = service.post(PATH, request)
    assert reply.status == 201, reply.body
    tokens = reply.json["tokens"]
    return Game(service, reply, reply.headers["Location"], tokens["table"], tokens["players"])


def any_action(rng: Random, actions: list[dict[str, Any]]) -> dict[str, Any]:
    """One of the legal `actions`, with values picked within their bounds.

    Dice to be typed in are picked one by one: the rules may refuse what they show together.
    """
    listed = dict(rng.choice(actions))
    dice = listed.pop("dice", None)
    action = {
        name: told if isinstance(told, str) else picked(rng, told) for name, told in listed.items()
    }
    if dice is not None:
        action["dice"] = [picked(rng, dice["items"]) for _ in range(dice["minItems"])]
    return action
