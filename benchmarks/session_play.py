"""Sessions for benchmarks, played at random straight through the session_service."""

from __future__ import annotations

import json
import time
from collections.abc import Collection
from functools import partial
from random import Random
from typing import Any

from service.engine.actions import Move
from service.engine.game import GameTable
from service.rules.variant import Variant
from service.sessions.requests import ActionRequest
from service.sessions.service import SessionService
from service.sessions.store.connect import connect
from service.sessions.store.redis_store import Store
from service.sessions.view import SessionView, Versions
from service.variants import variants
from tests.engine.random_play import action_of

PLAYERS = ("ann", "ben")
SECONDS = 86_400


def session_service_of(store: Store) -> SessionService:
    """A session_service of the sessions in `store`."""
    return SessionService(store, variants(), SECONDS, lambda: time.time_ns() // 1_000_000)


def store_at(url: str) -> Store:
    """The store at `url`."""
    return Store(partial(connect, url))


class Played:
    """A session of two, whose every action is picked at random from what is legal."""

    def __init__(self, session_service: SessionService, variant: Variant, rng: Random) -> None:
        self._session_service, self._rng = session_service, rng
        made = session_service.create(
            variant, GameTable(PLAYERS, variant.house_rules()), client_seed=""
        )
        self.token = made.table_token
        self.view = made.view
        self._keys = 0

    @property
    def id(self) -> str:
        """The id of the session."""
        return self.view.terms.id

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.view.snapshot.state.over)

    @property
    def moves(self) -> list[Move]:
        """What is legal now."""
        return list(self.view.terms.game.moves(self.view.snapshot.state))

    def act(self) -> None:
        """Performs a random action, with a new idempotency key."""
        versions = Versions(frozenset({str(self.view.snapshot.version)}))
        body = self.picked(self.moves)
        action = ActionRequest.of(body, self.token, versions, self.new_key())
        self.view = self._session_service.act(self.id, action)

    def catch_up(self) -> SessionView:
        """The session as it is by now, after actions of others."""
        self.view = self._session_service.read(self.id, self.token)
        return self.view

    def until(self, actions: Collection[str]) -> bool:
        """Plays until one of `actions` is legal; whether that came before the end."""
        while not self.over:
            if any(move.action in actions for move in self.moves):
                return True
            self.act()
        return False

    def new_key(self) -> str:
        """An idempotency key as long as clients make them."""
        self._keys += 1
        return f"{self.id}-{self._keys:013}"

    def picked(self, moves: Collection[Move]) -> dict[str, Any]:
        """One of `moves` as a client sends it."""
        move = self._rng.choice(list(moves))
        return {
            "action": move.action,
            "player": move.player,
            **action_of(self._rng, move, 0).values,
        }

    def request(self, body: dict[str, Any], key: str) -> bytes:
        """The request for an action in the version that is seen, as bytes."""
        data = json.dumps(body).encode()
        head = (
            f"POST /v1/sessions/{self.id}/actions HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Type: application/json\r\nAuthorization: Bearer {self.token}\r\n"
            f'If-Match: "{self.view.snapshot.version}"\r\nIdempotency-Key: {key}\r\n'
            f"Content-Length: {len(data)}\r\n\r\n"
        )
        return head.encode() + data
