"""A store that comes back without its last writes, while two services play on it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

from service.cli import verify
from tests.faults.own_store import OwnStore
from tests.live import JSON, Reply, Service, running
from tests.sessions import servers
from tests.sessions.servers import until

GAMES = 60
CLIENTS = 6
LOSSES = 2
PLAYED_BETWEEN = 500
"""Actions that are acknowledged before each loss."""


@dataclass
class Played:
    """A game as its only client knows it, which uses the two services in turn."""

    services: list[Service]
    store: OwnStore
    number: int
    made: Any
    latest: Reply | None = None
    acknowledged: list[tuple[int, dict[str, str], bytes, bytes]] = field(default_factory=list)
    """For each action: how often the store had lost writes when it was sent, its headers, its
    body, and the answer."""

    def __post_init__(self) -> None:
        self._rng = Random(self.number)

    def ask(self, method: str, path: str = "", body: bytes | None = None, **more: str) -> Reply:
        """Returns the response of one of the services, once the store is there."""
        headers = {"Authorization": f"Bearer {self.made['tokens']['table']}", **more}
        replies: list[Reply] = []

        def answered() -> bool:
            service = self._rng.choice(self.services)
            reply = service.ask(method, f"/v1/sessions/{self.made['id']}{path}", body, headers)
            replies.append(reply)
            return reply.status != 503

        until(answered, "a response that isn't 503", 60)
        return replies[-1]

    @property
    def over(self) -> bool:
        """Whether the game is over in the last state received."""
        return self.latest is not None and self.latest.json["state"]["over"]

    def step(self) -> None:
        """Acts once in the version that is known; if it isn't there any more, reads it again."""
        if self.latest is None:
            self.latest = self.ask("GET")
            return
        latest = self.latest.json
        actions = {action["action"]: action for action in latest["actions"]}
        body = {"action": "roll"}
        if "score" in actions:
            body = {"action": "score", "box": self._rng.choice(actions["score"]["box"]["enum"])}
        match = self.latest.headers["ETag"] if self.number % 2 else f'"{latest["version"]}"'
        key = f"{latest['version']}-{self._rng.getrandbits(64):x}"
        headers = {"Content-Type": JSON, "If-Match": match, "Idempotency-Key": key}
        sent, losses = json.dumps(body).encode(), self.store.losses
        reply = self.ask("POST", "/actions", sent, **headers)
        assert reply.status in (200, 412, 422), reply.body
        if reply.status == 200:
            self.acknowledged.append((losses, headers, sent, reply.body))
        self.latest = reply if reply.status == 200 else None

    def lost(self, kept: list[list[bytes]], losses: int, answer: bytes) -> bool:
        """Whether the store came back without what was acknowledged by `answer`."""
        return losses < len(kept) and json.loads(answer)["version"] > len(kept[losses])

    def harm(self, kept: list[list[bytes]]) -> str:
        """What is wrong with the game at the end; "" for nothing.

        `kept` are the histories that the store came back with, each time.
        """
        with redis.Redis(port=self.store.port) as client:
            history = client.lrange(f"dice:{{{self.made['id']}}}:events", 0, -1)
        if any(history[: len(events)] != events for events in kept):
            return "what the store had was overwritten"
        for losses, headers, sent, answer in self.acknowledged:
            if not self.lost(kept, losses, answer):
                again = self.ask("POST", "/actions", sent, **headers)
                if (again.status, again.body) != (200, answer):
                    return f"what was acknowledged is not there: {again.body!r} for {answer!r}"
        try:
            verify.verified(verify.read(self.ask("GET", "/events").body))
        except (verify.Wrong, verify.Unverifiable) as why:
            return f"the history does not match its commitment: {why}"
        return ""


def played(games: list[Played], over: threading.Event) -> None:
    """Plays on, a step in each game in turn, until `over` is set and every game has ended."""
    while True:
        for game in games:
            if not game.over:
                game.step()
        if all(game.over for game in games):
            if over.is_set():
                return
            over.wait(0.05)
            for game in games:  # a lost end is played again
                game.latest = None


def enough(games: list[Played], playing: list[Future[None]], loss: int) -> bool:
    """Whether so much was played that the store may lose something; or all of it, or in vain."""
    acknowledged = sum(len(game.acknowledged) for game in games)
    return acknowledged >= loss * PLAYED_BETWEEN or any(each.done() for each in playing)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[OwnStore]:
    """A store that can lose writes."""
    binary = servers.packaged() or pytest.skip(servers.NO_PACKAGE)
    with closing(OwnStore(binary, tmp_path)) as made:
        yield made


def test_no_game_is_corrupt(store: OwnStore) -> None:
    """Whatever the store loses, each game goes on from the stored version, with its committed dice.

    Workers have cached the lost versions, and clients request them by tag and by number; none
    overwrites what others have done since.
    """
    with ExitStack() as stack:
        services = [stack.enter_context(running(REDIS_URL=store.url)) for _ in range(2)]
        body = {
            "variant": "dice-poker",
            "players": ["ann", "ben"],
            "house_rules": {"turn_seconds": None},
        }
        made = [services[number % 2].post("/v1/sessions", body).json for number in range(GAMES)]
        games = [Played(services, store, *each) for each in enumerate(made)]
        pool = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        over = threading.Event()
        stack.callback(over.set)
        playing = [pool.submit(played, games[client::CLIENTS], over) for client in range(CLIENTS)]
        kept: list[dict[str, list[bytes]]] = []
        for loss in range(1, LOSSES + 1):
            until(partial(enough, games, playing, loss), "the games are played", 120)
            kept.append(store.lose())
        over.set()
        for each in playing:
            each.result(timeout=300)
        for game in games:  # what ended before the last loss has to end again
            game.latest = None
        played(games, over)
        histories = {game.number: [each[game.made["id"]] for each in kept] for game in games}
        harmed = {
            game.number: harm for game in games if (harm := game.harm(histories[game.number]))
        }
        acknowledged = sum(len(game.acknowledged) for game in games)
        lost = sum(
            game.lost(histories[game.number], losses, answer)
            for game in games
            for losses, _, _, answer in game.acknowledged
        )
        print(f"{acknowledged} actions in {GAMES} games, {lost} lost by the store, ", end="")
        print(f"{len(harmed)} games corrupt")
        assert lost > 0
        assert harmed == {}
