"""Sessions of services whose clocks a test sets, and of some that others overtake."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from service.api.sessions.results import result_json
from service.engine.game import GameTable
from service.rules.house_rules import read_rules
from service.sessions.requests import ActionRequest, CreationKey
from service.sessions.service import SessionService
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import Change, Replay, Stored
from service.sessions.view import CreatedSession, SessionView, Versions
from service.settings import Settings
from service.variants import variants
from tests.sessions.servers import Direct

ROLL = {"action": "roll"}


def now() -> int:
    """Milliseconds since 1970: keys expire by the clock of the store."""
    return time.time_ns() // 1_000_000


class Clock:
    """A clock that advances by a millisecond whenever it is read."""

    def __init__(self) -> None:
        self.at = now()

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        self.at += 1
        return self.at


def session_service_of(
    client: Direct, clock: Clock, max_events: int = Settings.max_events
) -> SessionService:
    """A process with its own clock."""
    return SessionService(Store(lambda: client), variants(), 60, clock, max_events)


def new(
    session_service: SessionService,
    variant: str = "dice-poker",
    players: Sequence[str] = ("ann",),
    *,
    typed_dice: bool = False,
    key: CreationKey | None = None,
    **rules: object,
) -> CreatedSession:
    """A new session, without a clock unless `rules` have one."""
    game = variants()[variant]
    read = read_rules(game.house_rules, {"turn_seconds": None, **rules})
    table = GameTable(tuple(players), read, typed_dice=typed_dice)
    return session_service.create(game, table, client_seed="", key=key)


def act(
    session_service: SessionService,
    made: CreatedSession,
    *versions: int | str,
    body: Mapping[str, Any] = ROLL,
    key: str = "",
) -> SessionView:
    """An action for the table in one of these versions, or in any if none are given."""
    tags = frozenset(map(str, versions)) if versions else None
    request = ActionRequest.of(body, made.table_token, Versions(tags), key)
    return session_service.act(made.view.terms.id, request)


def history(session_service: SessionService, made: CreatedSession) -> list[tuple[str, int]]:
    """Every event with its time."""
    _, events = session_service.history(made.view.terms.id, made.table_token)
    return [(event.steps[0].action, event.at) for event in events]


class Watched(Store):
    """A store that counts what it is asked, and in which others may come first: each of
    `before_read` is called once before a read, and each of `before_write` before a write.
    """

    reads = replays = writes = 0

    def __init__(self, client: Direct, stream: str = "") -> None:
        super().__init__(lambda: client, stream=stream)
        self.before_read: list[Callable[[], object]] = []
        self.before_write: list[Callable[[], object]] = []

    def read(self, session_id: str, key: bytes = b"") -> Stored | None:
        """The session."""
        self.reads += 1
        if self.before_read:
            self.before_read.pop()()
        return super().read(session_id, key)

    def replay(self, session_id: str, version: int, until: int = 0) -> Replay:
        """How it came to a version."""
        self.replays += 1
        return super().replay(session_id, version, until)

    def write(self, session_id: str, change: Change) -> bool:
        """Makes a change."""
        self.writes += 1
        if self.before_write:
            self.before_write.pop()()
        return super().write(session_id, change)


class Worker:
    """A process that acts in sessions, with its own cache; maybe with a `stream` for a feed."""

    def __init__(self, url: str, stream: str = "") -> None:
        self.client = Direct(url)
        self.store = Watched(self.client, stream)
        feed = partial(result_json, key="") if stream else None
        self.session_service = SessionService(self.store, variants(), 60, now, feed=feed)

    def act(
        self,
        made: CreatedSession,
        version: int | str,
        body: Mapping[str, Any] = ROLL,
        key: str = "",
    ) -> SessionView:
        """An action for the table in a version."""
        return act(self.session_service, made, version, body=body, key=key)


def hurried(
    client: Direct, count: int, asked: Direct | None = None
) -> tuple[Clock, SessionService, Watched, SessionService, CreatedSession]:
    """A process in whose session another, whose clock is slow, rolls faster `count` times.

    Its turn is over by its own clock all that time. It asks the store by `asked` (None: `client`).
    """
    clock, store = Clock(), Watched(client if asked is None else asked)
    session_service = SessionService(store, variants(), 60, clock)
    slow = Clock()
    slow.at -= 10_000
    other = session_service_of(client, slow)
    made = new(other, players=[f"p{n}" for n in range(10)], turn_seconds=1)
    bodies = [ROLL, {"action": "cross_out", "box": "ones"}]
    store.before_write = [
        partial(act, other, made, body=bodies[number % 2]) for number in reversed(range(count))
    ]
    return clock, session_service, store, other, made
