"""The store dies, freezes, refuses or forgets while clients play and others need no session."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis

from tests.faults.own_store import OwnStore
from tests.faults.players import PLAYERS, Found, playing
from tests.live import running
from tests.sessions import servers
from tests.sessions.servers import until

DEATHS = 3
MORE = 100
"""How many actions are acknowledged after a fault."""

REFUSALS = 40
"""How many requests are refused during a fault that lasts."""


def harmless(found: Found) -> bool:
    """Whether nothing was lost or performed twice, and nobody noticed who needs no session."""
    return (found.lost, found.twice, found.failed) == (0, 0, 0)


def test_own_store_killed() -> None:
    """The service's own store is killed again and again: it comes back with all that was
    acknowledged.
    """
    with TemporaryDirectory() as folder, running(DATA_DIR=folder, WEB_CONCURRENCY="2") as service:
        store = redis.Redis(unix_socket_path=f"{folder}/store.sock")
        with closing(store), playing(service) as players:
            for _ in range(DEATHS):
                until(partial(servers.answers, f"unix://{folder}/store.sock"), "the store is there")
                store.connection_pool.disconnect()
                os.kill(store.info("server")["process_id"], signal.SIGKILL)
                players.await_more(MORE)
        found = players.find().printed(f"own store killed {DEATHS} times")
    assert harmless(found)


@pytest.fixture(params=["packaged", "debian"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OwnStore]:
    """A server of either kind."""
    binary = getattr(servers, request.param)()
    if binary is None:
        pytest.skip(servers.NO_PACKAGE if request.param == "packaged" else servers.NO_DEBIAN)
    with closing(OwnStore(binary, tmp_path, "everysec")) as made:
        yield made


def test_killed(store: OwnStore) -> None:
    """A Redis that writes its append-only file before it replies is killed again and again:
    everything acknowledged is there when it is back.
    """
    store.kill()
    store.fsync = "always"  # with everysec, it replies before it writes while a disk is slow
    store.start()
    with running(REDIS_URL=store.url, WEB_CONCURRENCY="2") as service:
        with playing(service) as players:
            for _ in range(DEATHS):
                store.kill()
                players.await_refusals(PLAYERS)
                store.start()
                players.await_more(MORE)
        found = players.find().printed(f"Redis killed {DEATHS} times")
    assert harmless(found)


@contextmanager
def full(store: OwnStore) -> Iterator[None]:
    """The store has no memory."""
    store.client.config_set("maxmemory", 1)
    yield
    store.client.config_set("maxmemory", 0)


@contextmanager
def disk_full(store: OwnStore) -> Iterator[None]:
    """The files of the store can't grow, which is what a full disk means to it."""
    (written,) = store.folder.glob("appendonlydir/*.incr.aof")
    limit = partial(resource.prlimit, store.process.pid, resource.RLIMIT_FSIZE)
    before = limit()
    limit((written.stat().st_size, before[1]))
    yield
    limit(before)


@contextmanager
def read_only(store: OwnStore) -> Iterator[None]:
    """The store is the replica of one that isn't there."""
    store.client.replicaof("127.0.0.1", 1)
    yield
    store.client.replicaof("NO", "ONE")


@contextmanager
def connection_limit(store: OwnStore) -> Iterator[None]:
    """The store accepts no further connection, and has closed the others."""
    store.client.config_set("maxclients", 1)
    store.client.client_kill_filter(_type="normal", skipme=True)
    yield
    store.client.config_set("maxclients", 10_000)


@pytest.mark.parametrize("fault", [OwnStore.frozen, full, disk_full, read_only, connection_limit])
def test_refuses_for_a_while(
    store: OwnStore, fault: Callable[[OwnStore], AbstractContextManager[None]]
) -> None:
    """While the store refuses or is silent, sessions get 503; nothing is lost or done twice."""
    with running(REDIS_URL=store.url, WEB_CONCURRENCY="2") as service:
        store.client.ping()
        with playing(service) as players:
            for _ in range(2):
                with fault(store):
                    players.await_refusals(REFUSALS)
                players.await_more(MORE)
        found = players.find().printed(f"Redis {fault.__name__.replace('_', ' ')}, twice")
    assert harmless(found)


def test_flushed(store: OwnStore) -> None:
    """If the store forgets everything, sessions get 404 and new ones are created; nothing that is
    there was performed twice.
    """
    with running(REDIS_URL=store.url, WEB_CONCURRENCY="2") as service:
        with playing(service) as players:
            before = len(players.acknowledged)
            store.client.flushall()
            players.await_more(MORE)
        found = players.find().printed("Redis flushed")
    assert (found.twice, found.failed) == (0, 0)
    assert before <= found.lost < found.acknowledged
