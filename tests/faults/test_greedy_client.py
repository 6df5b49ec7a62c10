"""One client that asks for as much as it can get, and what others are left."""

from __future__ import annotations

import json
import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import takewhile
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from typing import Any

import pytest

from tests.api.sessions.playing import PATH, Session
from tests.live import Service, running
from tests.worker.raw import connected, head

pytestmark = pytest.mark.xdist_group("floods")  # which would take the cores from each other

CONNECTIONS = 16
SECONDS = 3

EVALUATE = ("/v1/variants/poker-dice/evaluate", {"dice": [1, 2, 3, 4, 6]})
SUIT = [*(f"{rank}s" for rank in "2346789JQKA"), "5h", "Th"]
SESSION = (PATH, {"variant": "dice-poker", "players": ["ann", "ben"]})
GREEDY: dict[str, tuple[str, Any]] = {
    "look-ups": EVALUATE,
    "crosswords": ("/v1/variants/roll-a-royal/evaluate", {"rolls": [SUIT]}),
    "advice": ("/v1/variants/roll-a-royal/advise", {"rolls": []}),
    "sessions": SESSION,
}
"""What the greedy client asks for: a path and a body."""

Statuses = Counter[int]


def request(asked: tuple[str, Any], client: str) -> bytes:
    """A request of `client`, as a proxy forwards it."""
    path, body = asked[0], json.dumps(asked[1]).encode()
    own = f"X-Forwarded-For: {client}", f"Content-Length: {len(body)}"
    return head("POST", path, *own) + body


def ask_on(port: int, data: bytes, until: float, statuses: Statuses) -> None:
    """Sends `data` again and again over one connection, and counts the statuses."""
    with connected(port) as client:
        while time.monotonic() < until:
            client.send(data)
            statuses[client.reply().status] += 1


def asked(port: int, data: bytes, connections: int, seconds: float) -> Statuses:
    """The statuses of the responses to `data` over so many connections."""
    statuses: Statuses = Counter()
    until = time.monotonic() + seconds
    clients = [
        threading.Thread(target=ask_on, args=(port, data, until, statuses))
        for _ in range(connections)
    ]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return statuses


def flood(port: int, kind: str, begun: Event, found: Queue[Statuses]) -> None:
    """The greedy client, in a process of its own."""
    data = request(GREEDY[kind], "203.0.113.66")
    while not asked(port, data, CONNECTIONS, 0.5)[429]:
        pass
    begun.set()
    found.put(asked(port, data, CONNECTIONS, SECONDS + 1))


@contextmanager
def flooded(service: Service, kind: str) -> Iterator[list[Statuses]]:
    """A service with a greedy client; at the end, the list has the statuses that it got."""
    spawning = multiprocessing.get_context("spawn")
    begun, found = spawning.Event(), spawning.Queue()
    process = spawning.Process(target=flood, args=(service.port, kind, begun, found))
    process.start()
    got: list[Statuses] = []
    try:
        assert begun.wait(60)
        yield got
        got.append(found.get(timeout=60))
    finally:
        process.kill()
        process.join()


@pytest.mark.parametrize("kind", GREEDY)
def test_what_others_are_left(kind: str) -> None:
    """With a rate limit, a greedy client is refused most of the time, and nobody else is.

    The rates of the others are printed, not judged: the greedy client shares the cores with the
    service, so part of the loss is its own work.
    """
    limits = {"RATE_LIMIT": "600", "SESSION_LIMIT": "50", "TRUSTED_PROXIES": "127.0.0.1"}
    with running(WEB_CONCURRENCY="2", **limits) as service:
        # each asks once for a short time, and so stays below its limit on any machine
        others = (request(EVALUATE, f"198.51.100.{number}") for number in range(250))

        def rate() -> tuple[float, Statuses]:
            statuses: Statuses = Counter()
            until = time.monotonic() + SECONDS
            for data in takewhile(lambda _: time.monotonic() < until, others):
                statuses += asked(service.port, data, 4, 0.05)
            return statuses.total() / SECONDS, statuses

        alone, usual = rate()
        with flooded(service, kind) as got:
            beside, statuses = rate()
    (greedy,) = got
    print(
        f"{kind}: others {alone:.0f} a second alone, {beside:.0f} beside a client that got "
        f"{dict(greedy)}"
    )
    assert usual.keys() == statuses.keys() == {200}
    assert greedy[429] > greedy[200] + greedy[201]


GAME = {"variant": "dice-poker", "players": ["ann"], "house_rules": {"turn_seconds": None}}


def test_sessions_without_end() -> None:
    """Without rate limits, one client creates sessions until none is accepted, and plays all of
    them to their end. The game that was begun before is then played to its end, too.
    """
    with running(WEB_CONCURRENCY="2", MAX_STORE_BYTES=str(4 * 2**20)) as service:
        session = Session(service, service.post(PATH, GAME).json)
        greedy = []
        while (created := service.post(PATH, GAME)).status == 201:
            greedy.append(Session(service, created.json))
        with ThreadPoolExecutor(8) as clients:
            performed = sum(clients.map(played_out, greedy))
        actions = played_out(session)
    print(
        f"sessions: {len(greedy)} created, then {created.status}; {performed} actions in them, "
        f"then {actions} in a game that was begun before; none of them failed"
    )
    assert (created.status, actions) == (503, 26)
    assert performed == 26 * len(greedy)


def played_out(session: Session) -> int:
    """How many actions it takes to play a game to its end, with one roll in each turn."""
    state, actions = session.read().json, 0
    while not state["state"]["over"]:
        turn = state["state"]["turn"]
        box = turn["best"]["box"] if turn and turn.get("best") else None
        values = {"box": box} if box else {}
        reply = session.act("score" if box else "roll", version=state["version"], **values)
        assert reply.status == 200, reply.body
        state, actions = reply.json, actions + 1
    return actions
