"""Sessions: what actions and new sessions cost, whether a race has one winner, and what is stored.

The server is the one that the service starts for itself: on a socket, writing to disk. Whatever is
compared takes turns in one run; ratios are medians.
"""

from __future__ import annotations

import random
import socket
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from uuid import uuid4

from benchmarks.evaluate_over_http import BODIES, plain, rate, read_answer, request
from benchmarks.session_play import PLAYERS, Played, session_service_of, store_at
from service.sessions.requests import new_id
from service.sessions.service import SessionService
from service.sessions.store.embedded import EmbeddedServer
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import Change
from service.variants import variants
from tests.live import running
from tests.sessions.servers import Direct
from tests.sessions.store.counting_proxy import CountingProxy

CONNECTIONS = 4
BLOCK = 100
BLOCKS = 30
COUNTED = 200
CLIENTS = 64
ATTEMPTS = 10_000
GAMES = 100
CUTS = 4
LIVE = 100_000

source = random.Random(7)


def natural() -> dict[str, object]:
    """A random first roll of thirteen suited dice, some of them blank."""
    faces = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"]
    dice = source.sample(faces, 13)
    return {"rolls": [[die if source.random() > 1 / 6 else "--" for die in dice]]}


EVALUATED: dict[str, Callable[[], dict[str, object]]] = {
    "dice-poker": lambda: plain(5),
    "poker-dice": lambda: plain(5),
    "texas-holdem-dice": BODIES["texas-holdem-dice"],
    "roll-a-royal": natural,
}

ACTIONS = {"texas-holdem-dice": ("check", "call", "bet", "raise")}
"""What is measured where no player rolls: the bets, some of which make the service roll."""


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server as the service starts it."""
    with tempfile.TemporaryDirectory() as folder:
        started = EmbeddedServer(Path(folder))
        try:
            yield started.url
        finally:
            started.stop()


def actions_of(name: str) -> Collection[str]:
    """The actions that are measured in a variant."""
    return ACTIONS.get(name, ("roll",))


def ready(
    session_service: SessionService, name: str, sessions: list[Played], count: int
) -> list[bytes]:
    """A request for each of `count` sessions, brought to where a measured action is legal."""
    asked = []
    for place in range(count):
        if place < len(sessions):
            session = sessions[place]
            session.catch_up()
        else:
            session = Played(session_service, variants()[name], source)
            sessions.append(session)
        while not session.until(actions_of(name)):
            session = sessions[place] = Played(session_service, variants()[name], source)
        moves = [move for move in session.moves if move.action in actions_of(name)]
        asked.append(session.request(session.picked(moves), session.new_key()))
    return asked


def time_of_actions(url: str) -> None:
    """Prints the time of an action beside that of an `evaluate`."""
    print(f"time of an action over HTTP, of a single evaluate (median of {BLOCKS} blocks)")
    session_service = session_service_of(store_at(url))
    with ExitStack() as stack:
        service = stack.enter_context(running(REDIS_URL=url))
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            for _ in range(CONNECTIONS)
        ]
        for name, body in EVALUATED.items():
            evaluated = [request(f"/v1/variants/{name}/evaluate", body()) for _ in range(BLOCK)]
            sessions: list[Played] = []
            pairs = []
            for _ in range(BLOCKS + 1):
                asked = ready(session_service, name, sessions, BLOCK)
                pairs.append((rate(connections, evaluated), rate(connections, asked)))
            ratio = statistics.median(one / other for one, other in pairs[1:])
            one, other = (statistics.median(rates) for rates in zip(*pairs[1:], strict=True))
            named = "/".join(actions_of(name))
            print(f"{name:20} {named:22} {other:6.0f}/s   evaluate {one:6.0f}/s   {ratio:.2f}")


def time_of_creations(url: str) -> None:
    """Prints the time of a new session with a key, and of a repeat, beside one without a key."""
    print(f"time of a new session over HTTP, of one without a key (median of {BLOCKS} blocks)")
    without = request("/v1/sessions", {"variant": "dice-poker", "players": PLAYERS})
    with ExitStack() as stack:
        service = stack.enter_context(running(REDIS_URL=url))
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            for _ in range(CONNECTIONS)
        ]
        triples = []
        for _ in range(BLOCKS + 1):
            keyed = [with_key(without) for _ in range(BLOCK)]
            triples.append(
                [rate(connections, asked) for asked in ([without] * BLOCK, keyed, keyed)]
            )
        for place, name in ((1, "with a new key"), (2, "repeated")):
            ratio = statistics.median(rates[0] / rates[place] for rates in triples[1:])
            median = statistics.median(rates[place] for rates in triples[1:])
            print(f"{name:20} {median:6.0f}/s   {ratio:.2f}")


def with_key(asked: bytes) -> bytes:
    """A request with an idempotency key that nobody has used."""
    head, _, data = asked.partition(b"\r\n\r\n")
    return head + f"\r\nIdempotency-Key: {uuid4()}\r\n\r\n".encode() + data


def round_trips(url: str) -> None:
    """Prints how many round trips to Redis an action over HTTP takes, counted on the way."""
    path = url.removeprefix("unix://")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        proxy = CountingProxy(path, f"{folder}/s")
        stack.callback(proxy.close)
        service = stack.enter_context(running(REDIS_URL=f"unix://{folder}/s"))
        connection = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
        session_service = session_service_of(store_at(url))
        for name in variants():
            session = Played(session_service, variants()[name], source)
            counted: Counter[int] = Counter()
            while sum(counted.values()) < COUNTED:
                if session.over:
                    session = Played(session_service, variants()[name], source)
                asked = session.request(session.picked(session.moves), session.new_key())
                before = proxy.trips
                connection.sendall(asked)
                read_answer(connection)
                counted[proxy.trips - before] += 1
                session.catch_up()
            print(f"{name:20} {COUNTED} actions, Redis round trips each: {sorted(counted)}")


def races(url: str) -> None:
    """Prints who wins where 64 clients act on one version at once, and what replays do."""
    session_service = session_service_of(store_at(url))
    counted: Counter[str] = Counter()
    replayed = twice = versions = 0
    with ExitStack() as stack:
        service = stack.enter_context(running(REDIS_URL=url, WEB_CONCURRENCY="2"))
        connections = [
            stack.enter_context(closing(HTTPConnection("127.0.0.1", service.port)))
            for _ in range(CLIENTS)
        ]
        threads = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        session = Played(session_service, variants()["dice-poker"], source)
        acted = 0
        for _ in range(-(-ATTEMPTS // CLIENTS)):
            if session.over:
                twice += len(session_service.history(session.id, session.token)[1]) - 1 - acted
                session, acted = Played(session_service, variants()["dice-poker"], source), 0
            body = session.picked(session.moves)
            keys = [session.new_key() for _ in connections]
            asked = [partial(sent, session, body, key) for key in keys]
            answers = list(threads.map(lambda ask, over: ask(over), asked, connections))
            statuses = Counter(status for status, _ in answers)
            counted.update({str(status): count for status, count in statuses.items()})
            if statuses != {200: 1, 412: CLIENTS - 1}:
                raise ValueError(f"no race with one winner: {statuses}")
            winner = next(place for place, (status, _) in enumerate(answers) if status == 200)
            again = list(threads.map(asked[winner], connections))
            if again != [answers[winner]] * CLIENTS:
                raise ValueError("a replay was answered otherwise than at first")
            replayed, versions, acted = replayed + CLIENTS, versions + 1, acted + 1
            session.catch_up()
        twice += len(session_service.history(session.id, session.token)[1]) - 1 - acted
    print(f"{CLIENTS} clients, {counted.total()} attempts on {versions} versions: {dict(counted)}")
    print(f"{replayed} replays, all answered as at first; events beyond the winners': {twice}")


def sent(
    session: Played, body: dict[str, Any], key: str, over: HTTPConnection
) -> tuple[int, bytes]:
    """Status and body of the answer to an action in the version that is seen; 412 has no body."""
    head, _, data = session.request(body, key).partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")[1:]
    headers = dict(line.split(": ", 1) for line in lines)
    over.request("POST", f"/v1/sessions/{session.id}/actions", data, headers)
    with over.getresponse() as response:
        answer = response.read()
    return response.status, answer if response.status == 200 else b""


class Recorder(Store):
    """A store that keeps the changes it made, each session's in order."""

    def __init__(self, connect: Callable[[], Direct]) -> None:
        super().__init__(connect)
        self.changes_of: dict[str, list[Change]] = {}

    def write(self, session_id: str, change: Change) -> bool:
        """Makes `change`, and keeps it."""
        self.changes_of.setdefault(session_id, []).append(change)
        return super().write(session_id, change)


def memory() -> None:
    """Prints what a session takes in Redis, on average over whole games."""
    with server() as url, closing(Direct(url)) as client:
        recorder = Recorder(lambda: client)
        session_service = session_service_of(recorder)
        for _ in range(GAMES):
            session = Played(session_service, variants()["dice-poker"], source)
            while not session.over:
                session.act()
        client.flushall()
        empty = client.info("memory")["used_memory"]
        ids = []
        for changes in list(recorder.changes_of.values()):
            for _ in range(CUTS):
                ids.append(new_id())
                for change in changes[: source.randint(1, len(changes) - 1)]:
                    recorder.write(ids[-1], change)
        played = (client.info("memory")["used_memory"] - empty) / len(ids)
        pipeline = client.pipeline(transaction=False)
        for number in range(LIVE - len(ids)):
            one, other = ids[number % len(ids)], new_id()
            for end in ("", ":events", ":keys"):
                pipeline.execute_command("COPY", f"dice:{{{one}}}{end}", f"dice:{{{other}}}{end}")
            if number % 1000 == 999:
                pipeline.execute()
        pipeline.execute()
        keys = client.info("keyspace")["db0"]["keys"]
        each = (client.info("memory")["used_memory"] - empty) / LIVE
        version = client.info("server")["redis_version"]
    print(
        f"memory of sessions of dice-poker, two players, {GAMES} games, each at {CUTS} moments "
        f"picked evenly, a key on every action; used_memory of Redis {version}"
    )
    print(f"{len(ids)} sessions written by the store: {played:.0f} bytes each")
    print(f"with copies of them under new ids {LIVE} ({keys} keys): {each:.0f} bytes each")


def main() -> None:
    """Prints all of it."""
    with server() as url:
        round_trips(url)
        time_of_actions(url)
        time_of_creations(url)
        races(url)
    memory()


if __name__ == "__main__":
    main()
