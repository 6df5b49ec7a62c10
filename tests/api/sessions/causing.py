"""Requests to sessions that cause problems."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.api.causes import Ask, Causes, request
from tests.api.sessions.playing import PATH, TABLE, UNTIMED, Session, make
from tests.live import JSON, Reply, Service, named

NEW = {"variant": "dice-poker", "players": ["ann", "ben"], "house_rules": UNTIMED}
ROLL = {"action": "roll"}
CHANCE = {"action": "score", "box": "chance"}

USED, LEFT = "used-0123456789abcdef", "left-0123456789abcdef"
"""Keys of new sessions."""


ACTIONS = [
    {"action": "roll", "player": "ann"},
    {"action": "leave", "player": "ann"},
    {"action": "leave", "player": "ben"},
]
"""What is legal in the first version of a game of ann and ben."""


def session_of(service: Service) -> Session:
    """A session of dice-poker without a clock."""
    return make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)


def asks(method: str, below: str = "", who: str = "ann", variant: str = "dice-poker") -> Causes:
    """A request of `who` to what is `below` a new session."""

    def causes(service: Service) -> tuple[Ask, str]:
        session = make(service, variant, "ann", "ben", advice=variant != "dice-poker")
        path = session.path + below
        return lambda more: service.ask(method, path, headers={**session.bearer(who), **more}), path

    return causes


def acts(
    action: Mapping[str, Any],
    who: str = "ann",
    *,
    rolled: bool = False,
    without: str = "",
    **headers: str,
) -> Causes:
    """An action of `who` in a new session, `without` one of the headers that it needs. If ann has
    `rolled`, with the key `k`, {tag} in a header is her ETag.
    """

    def causes(service: Service) -> tuple[Ask, str]:
        session = session_of(service)
        if rolled:
            assert session.act("roll", who="ann", key="k").status == 200
        tag = session.read("ann").headers["ETag"]
        given = {name: each.format(tag=tag) for name, each in headers.items()}
        own = {**session.headers(who), **named(given)}
        own.pop(without, None)
        body = json.dumps(action).encode()
        return lambda more: session.send(body, {**own, **more}), f"{session.path}/actions"

    return causes


def creates(body: Mapping[str, Any] = NEW, **headers: str) -> Causes:
    """A request for a new session."""
    return request("POST", PATH, json.dumps(body).encode(), Content_Type=JSON, **headers)


def of_another_session(service: Service) -> tuple[Ask, str]:
    """Reading a session with a token of another one."""
    session, other = session_of(service), session_of(service)

    def ask(more: Mapping[str, str]) -> Reply:
        return service.ask("GET", session.path, headers={**other.bearer(), **more})

    return ask, session.path


def used_otherwise(service: Service) -> tuple[Ask, str]:
    """A new session with a key that another one has."""
    creates(Idempotency_Key=USED)(service)[0]({})
    return creates({**NEW, "players": ["cat"]}, Idempotency_Key=USED)(service)


def of_a_deleted_session(service: Service) -> tuple[Ask, str]:
    """A new session with the key of one that was deleted."""
    ask, path = creates(Idempotency_Key=LEFT)(service)
    made = ask({})
    assert Session(service, made.json).delete().status == 204
    return ask, path


def with_later_players(service: Service) -> tuple[Ask, str]:
    """Advice in a round with more later players than it takes into account."""
    players = [f"p{seat}" for seat in range(21)]
    session = make(service, "poker-dice", *players, advice=True, dice="client")
    session.act("ante", amount=1)
    for _ in players[1:]:
        session.act("meet")
    session.act("roll", dice=[1, 2, 3, 4, 6])
    return lambda more: session.read(TABLE, "/advice", **more), f"{session.path}/advice"
