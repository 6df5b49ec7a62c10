"""Requests to sessions, for tests of the contract."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.engine.random_play import picked
from tests.live import JSON, Reply, Service
from tests.whole_games.legal_player import moves

PATH = "/v1/sessions"
TYPED = {"variant": "dice-poker", "players": ["ann", "ben"], "dice": "client"}
"""A session whose dice the test types in."""


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
        """Sends a request, with the table's token by default ("" for none)."""
        token = self.table if token is None else token
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            named["Authorization"] = f"Bearer {token}"
        return self.service.ask(method, f"{self.path}{below}", body, named)

    def act(self, body: object, **headers: str) -> Reply:
        """Sends an action, for any version by default."""
        given = {"If_Match": "*", "Content_Type": JSON, **headers}
        return self.ask("POST", "/actions", json.dumps(body).encode(), **given)


def made(service: Service, request: object) -> Game:
    """Creates a session."""
    return game_of(service, service.post(PATH, request))


def game_of(service: Service, reply: Reply) -> Game:
    """The session that `reply` says was created."""
    assert reply.status == 201, reply.body
    tokens = reply.json["tokens"]
    return Game(service, reply, reply.headers["Location"], tokens["table"], tokens["players"])


def any_action(rng: Random, actions: list[dict[str, Any]]) -> dict[str, Any]:
    """One of the legal `actions`, a move if there is one, with values picked within their bounds.

    Typed dice are picked one by one: the rules may refuse the combination.
    """
    listed = dict(rng.choice(moves(actions) or actions))
    dice = listed.pop("dice", None)
    action = {
        name: picked(rng, value) if isinstance(value, dict) else value
        for name, value in listed.items()
    }
    if dice is not None:
        action["dice"] = [picked(rng, dice["items"]) for _ in range(dice["minItems"])]
    return action
