"""Many users of the store at once: one round trip each, one winner of a race, forked workers."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from service.sessions.requests import new_id
from service.sessions.store.connect import connect
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import Change, CreationLimit, Stored
from tests.sampled import first
from tests.sessions.servers import Direct
from tests.sessions.store.proxied import proxied
from tests.sessions.store.stored import change, opened, soon

RACERS = 64


@pytest.mark.parametrize(
    "kind", ["server", "sentinel", pytest.param("cluster", marks=pytest.mark.fault)]
)
def test_one_round_trip(kind: str, any_server: str, tmp_path: Path) -> None:
    """Every call is one round trip, even the first one, whatever its result."""
    with proxied(kind, any_server, tmp_path) as (proxy, through), ExitStack() as stack:
        client = stack.enter_context(opened(through))
        client.ask("connected", ("GET", "connected"))
        store, one = Store(lambda: client), new_id()
        long, other = b"long" * 100_000, new_id()
        taken = change(key=b"key", key_record=b"record", taken_until=soon())
        asked: Sequence[Callable[[], object]] = [
            partial(store.write, one, change(terms=long)),
            partial(store.write, one, change(1, key=b"key", key_record=b"record")),
            partial(store.write, one, change(1, key=b"key", key_record=b"record")),  # replayed
            partial(store.write, one, change(0)),  # stale
            partial(store.read, one, b"key"),
            partial(store.read, one),
            partial(store.read, new_id()),
            partial(store.events, one),
            partial(store.delete, one),
            partial(store.delete, one),
            partial(store.write, other, taken),
            partial(store.write, other, taken),
        ]
        if kind != "cluster":  # where another node may count the sessions of a client
            limited = change(limit=CreationLimit("ann", 2))
            asked = [*asked, partial(store.write, new_id(), limited)]
        counted = []
        for ask in asked:
            before = proxy.trips
            ask()
            counted.append(proxy.trips - before)
        assert counted == [1] * len(asked)


@pytest.fixture(
    scope="module", params=first(["socket", "port", "cluster", "sentinel"], pytest.mark.fault)
)
def raced_url(request: pytest.FixtureRequest) -> str:
    """The URL of every kind of store in turn, except TLS: 64 handshakes at once take too long."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(scope="module", params=["a client for all", "a client each"])
def stores(raced_url: str, request: pytest.FixtureRequest) -> Iterator[Sequence[Store]]:
    """A store for each racer: as threads of one worker share it, and as other machines have it."""
    with ExitStack() as stack:
        clients: list[Direct] = []
        for _ in range(1 if request.param == "a client for all" else RACERS):
            clients.append(stack.enter_context(opened(raced_url)))
        made = [Store(partial(_same, client)) for client in clients]
        yield made * (RACERS // len(made))


def _same(client: Direct) -> Direct:
    return client


def race(stores: Sequence[Store], session_id: str, changes: Sequence[Change]) -> int:
    """Each racer makes its change at once with the others; the place of the only one that did."""
    start = threading.Barrier(RACERS)

    def write(store: Store, change: Change) -> bool:
        start.wait(60)
        return store.write(session_id, change)

    with ThreadPoolExecutor(RACERS) as threads:
        outcomes = list(threads.map(write, stores, changes))
    assert Counter(outcomes) == {True: 1, False: RACERS - 1}
    return outcomes.index(True)


def test_one_wins_each_version(stores: Sequence[Store]) -> None:
    """If 64 change one version at once, one succeeds, and the others change nothing."""
    one = new_id()
    stores[0].write(one, change())
    winners: list[bytes] = []
    for version in range(1, 11):
        names = [b"%d of %d" % (racer, version) for racer in range(RACERS)]
        changes = [change(version, events=[name], key=name, key_record=name) for name in names]
        winners.append(names[race(stores, one, changes)])
    assert stores[0].events(one) == [b"event 1", *winners]
    assert stores[0].read(one, winners[-1]) == Stored(b"terms", 11, b"snapshot 11", winners[-1])


def test_one_key_is_used_once(stores: Sequence[Store]) -> None:
    """If 64 use one idempotency key at once, one acts, and the others change nothing."""
    one = new_id()
    stores[0].write(one, change())
    race(stores, one, [change(1, key=b"key", key_record=b"record")] * RACERS)
    assert stores[0].events(one) == [b"event 1", b"event 2"]


def test_one_takes_an_id(stores: Sequence[Store]) -> None:
    """If 64 create a session under one id at once, one session is stored, whole."""
    for _ in range(10):
        one = new_id()
        names = [b"%d" % racer for racer in range(RACERS)]
        changes = [
            change(
                terms=name,
                snapshot=name,
                events=[name],
                key=b"key",
                key_record=name,
                taken_until=soon(),
            )
            for name in names
        ]
        winner = names[race(stores, one, changes)]
        assert stores[0].read(one, b"key") == Stored(winner, 1, winner, winner)
        assert stores[0].events(one) == [winner]


@pytest.mark.parametrize("used", [False, True], ids=["unused", "used"])
def test_forked(store_url: str, used: bool) -> None:
    """A store that was created before a fork works in both processes, whether it was used before or
    not.
    """
    store, one, other = Store(partial(connect, store_url)), new_id(), new_id()
    if used:
        store.write(new_id(), change())
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if _plays(store, other) else 1
        finally:
            os._exit(status)
    assert _plays(store, one)
    assert os.waitpid(child, 0)[1] == 0
    for session_id in (one, other):
        assert store.read(session_id) == Stored(b"terms", 200, b"snapshot 200", None)


def _plays(store: Store, session_id: str) -> bool:
    """Whether 200 changes all succeed, and the session is then at version 200."""
    made = [store.write(session_id, change(before)) for before in range(200)]
    return all(made) and store.read(session_id) == Stored(b"terms", 200, b"snapshot 200", None)
