"""Sessions that are created with a key while workers or the store die."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from http.client import HTTPException
from pathlib import Path
from uuid import uuid4

import pytest
import redis

from tests.api.sessions.playing import PATH, UNTIMED, Session
from tests.faults.own_store import OwnStore
from tests.live import JSON, Reply, Service, running
from tests.sessions import servers
from tests.sessions.servers import until

CLIENTS = 50
DEATHS = 6
KEYS_BETWEEN = 10
"""How many keys at least are used between two deaths."""

KEYS_OF_A_SESSION = 4
"""Keys in the store: the session, its events, its idempotency keys, and the mark of its id."""

BODY = json.dumps(
    {"variant": "dice-poker", "players": ["ann", "ben"], "house_rules": UNTIMED}
).encode()


def create(service: Service, key: str) -> Reply:
    """The response to a request for a session, which is sent until there is one."""
    while True:
        try:
            reply = service.ask("POST", PATH, BODY, {"Content-Type": JSON, "Idempotency-Key": key})
        except (OSError, HTTPException):  # the worker died, or there is none
            continue
        if reply.status != 503:
            return reply


def test_at_once(tmp_path: Path) -> None:
    """If fifty clients send one key at once, one session is created, and all get its tokens."""
    with servers.on_a_port(servers.either(), tmp_path) as url, ExitStack() as stack:
        service = stack.enter_context(running(REDIS_URL=url, WEB_CONCURRENCY="2"))
        store = stack.enter_context(redis.Redis.from_url(url))
        pool = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        create(service, str(uuid4()))  # the first response takes long to check
        for _ in range(10):
            store.flushall()
            start, key = threading.Barrier(CLIENTS), str(uuid4())

            def ask(_: int, start: threading.Barrier = start, key: str = key) -> Reply:
                start.wait(60)
                return create(service, key)

            replies = list(pool.map(ask, range(CLIENTS)))
            assert {reply.status for reply in replies} == {201}
            assert len({(reply.body, reply.headers["ETag"]) for reply in replies}) == 1
            assert store.dbsize() == KEYS_OF_A_SESSION


@pytest.mark.parametrize("victim", ["worker", "store"])
def test_deaths(tmp_path: Path, victim: str) -> None:
    """Whatever dies while fifty clients create sessions, each key creates one whole session, and
    everyone who asks for it gets the same response.
    """
    keys = [str(uuid4()) for _ in range(100_000)]
    answers: dict[str, set[bytes]] = defaultdict(set)
    over = threading.Event()
    with ExitStack() as stack:
        store = stack.enter_context(closing(OwnStore(servers.either(), tmp_path, "always")))
        service = stack.enter_context(running(REDIS_URL=store.url, WEB_CONCURRENCY="2"))
        until(lambda: len(service.workers()) == 2, "there are two workers")

        def ask() -> int:
            for number, key in enumerate(keys):
                if over.is_set():
                    return number
                reply = create(service, key)
                assert reply.status == 201, reply.body
                answers[key].add(reply.body)
            return len(keys)

        pool = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        stack.callback(over.set)
        asking = [pool.submit(ask) for _ in range(CLIENTS)]
        for death in range(1, DEATHS + 1):
            until(partial(used, answers, asking, death * KEYS_BETWEEN), "keys are used", 60)
            if victim == "store":
                store.kill()
                store.start()
            else:
                os.kill(service.workers()[0], signal.SIGKILL)
                until(lambda: len(service.workers()) == 2, "there is another worker")
        over.set()
        asked = sum(each.result(timeout=60) for each in asking)
        assert {len(bodies) for bodies in answers.values()} == {1}
        with redis.Redis(port=store.port) as client:
            assert client.dbsize() == KEYS_OF_A_SESSION * len(answers)
        for bodies in answers.values():
            assert Session(service, json.loads(*bodies)).read().status == 200
        print(f"{asked} requests with {len(answers)} keys, {DEATHS} deaths of a {victim}: ", end="")
        print(f"{len(answers)} sessions")


def used(answers: dict[str, set[bytes]], asking: Sequence[Future[int]], least: int) -> bool:
    """Whether so many keys were used, or a client has failed."""
    return len(answers) >= least or any(each.done() for each in asking)


def test_forgotten(tmp_path: Path) -> None:
    """If the store comes back without sessions, their keys create them again, with other tokens.
    The sessions that it still has are returned with their tokens.
    """
    with ExitStack() as stack:
        binary = servers.packaged() or pytest.skip(servers.NO_PACKAGE)
        store = stack.enter_context(closing(OwnStore(binary, tmp_path)))
        services = [stack.enter_context(running(REDIS_URL=store.url)) for _ in range(2)]
        first = {key: create(services[0], key) for key in (str(uuid4()) for _ in range(20))}
        pool = stack.enter_context(ThreadPoolExecutor(1))
        losing = pool.submit(store.lose)
        while not losing.done():
            key = str(uuid4())
            first[key] = create(services[0], key)
        kept = losing.result()
        lost = 0
        for key, reply in first.items():
            again, once_more = (create(service, key) for service in reversed(services))
            assert (again.status, again.body) == (201, once_more.body)
            old, new = (Session(services[0], each.json) for each in (reply, again))
            assert new.path == old.path
            assert new.act("roll", version=1).status == 200
            if again.body != reply.body:
                lost += 1
                assert old.made["id"] not in kept
                assert not {*old.secrets.values()} & {*new.secrets.values()}
                assert [old.read(who).status for who in old.secrets] == [403] * 3
        print(f"{len(first)} sessions, {lost} forgotten and created again")
        assert 0 < lost <= len(first) - 20
