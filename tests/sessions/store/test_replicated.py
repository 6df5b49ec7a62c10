"""With `WAIT_REPLICAS`, a change is acknowledged only once replicas have it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis

from service.metrics.declared import STORE_ERRORS
from service.sessions.requests import new_id
from service.sessions.store.connect import Command, connect
from service.sessions.store.failures import NotReplicated, StoreUnavailable
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import Stored
from service.settings import Settings
from tests.api.sessions.playing import UNTIMED, make, refusal
from tests.live import running
from tests.sessions import replicated, servers
from tests.sessions.counting import counted
from tests.sessions.servers import Direct, until
from tests.sessions.store.counting_proxy import CountingProxy
from tests.sessions.store.stored import change, kept


@pytest.fixture(autouse=True)
def patient() -> None:
    """Requests have the time that they have in a service: replicas get what is left of it."""


@contextmanager
def frozen(nodes: list[servers.Node]) -> Iterator[None]:
    """While open, the replicas `nodes` receive nothing."""
    for each in nodes:
        os.kill(each.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for each in nodes:
            os.kill(each.process.pid, signal.SIGCONT)


@pytest.fixture(
    params=[
        pytest.param("packaged", marks=pytest.mark.fault),
        pytest.param("debian", marks=pytest.mark.proof),
        pytest.param("cluster", marks=pytest.mark.proof),
    ]
)
def store_and_replicas(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Store, list[servers.Node]]]:
    """A store whose changes must reach one replica, and all replicas."""
    with ExitStack() as stack:
        if request.param == "cluster":
            binary = request.getfixturevalue("any_server")
            url, nodes = stack.enter_context(replicated.cluster(binary, tmp_path))
            replicas = nodes[3:]
        else:
            binary = request.getfixturevalue(request.param)
            master, replica = stack.enter_context(replicated.pair(binary, tmp_path))
            url, replicas = master.url, [replica]
        yield Store(partial(connect, url), 1), replicas


def read(store: Store, session_id: str, key: bytes = b"") -> Stored | None:
    """What is stored; None if it isn't replicated."""
    try:
        return store.read(session_id, key)
    except NotReplicated:
        return None


def test_not_replicated(store_and_replicas: tuple[Store, list[servers.Node]]) -> None:
    """A change that no replica has is made, but not acknowledged; nor is its repeat, by any
    connection, until a replica has it.
    """
    store, replicas = store_and_replicas
    one = new_id()
    assert store.write(one, change()) is True
    with frozen(replicas):
        for keyed in (change(1, key=b"key", key_record=b"record"), change(2)):
            with pytest.raises(NotReplicated):
                store.write(one, keyed)
        assert store.write(one, change(1)) is False  # nothing was changed
        assert store.read(one, b"unused") == Stored(b"terms", 3, b"snapshot 3", None)
        for _ in range(3):
            with pytest.raises(NotReplicated):
                store.read(one, b"key")
    found = Stored(b"terms", 3, b"snapshot 3", b"record")
    until(lambda: read(store, one, b"key") == found, "a replica has it")
    assert store.write(one, change(3)) is True


def test_a_wait_that_is_refused(alone: Direct) -> None:
    """A server that refuses to wait for replicas has made the change, which isn't acknowledged, and
    counts as one error.
    """
    one = new_id()
    store = Store(lambda: alone, 1)
    alone.execute_command("ACL SETUSER", "default", "-wait")
    with (
        counted(STORE_ERRORS) as errors,
        pytest.raises(NotReplicated, match=r"^0 of 1 replicas have the change$"),
    ):
        store.write(one, change())
    assert errors == {("write", "not_replicated"): 1}
    assert kept(alone, one).session[b"v"] == b"1"


class Recorded(Direct):
    """A client that keeps the last commands, and loses its connection at the second of `lost`."""

    sent: tuple[Command, ...] = ()
    lost = False

    def ask(self, key: str, *commands: Command) -> list[Any]:
        """Asks, and keeps what was asked."""
        if self.lost and self.sent:
            raise redis.ConnectionError("lost")
        self.sent = commands
        return super().ask(key, *commands)


def test_time_for_replicas(socket_url: str) -> None:
    """Replicas have 0.3 seconds to confirm a change, for which the same connection waits."""
    client = Recorded(socket_url)
    with closing(client), pytest.raises(NotReplicated):
        Store(lambda: client, 1).write(new_id(), change())
    assert [command[0] for command in client.sent] == ["EVAL", "WAIT"]
    assert client.sent[1] == ("WAIT", 1, 300)


def test_store_lost_while_it_asks_its_replicas(socket_url: str) -> None:
    """If the store is lost after it found what a key did, and before it knows which replicas have
    that, it isn't acknowledged.
    """
    client = Recorded(socket_url)
    with closing(client):
        one = new_id()
        store = Store(lambda: client)
        assert store.write(one, change()) is True
        assert store.write(one, change(1, key=b"key", key_record=b"record")) is True
        client.lost, client.sent = True, ()
        with pytest.raises(NotReplicated) as refused:
            Store(lambda: client, 1).read(one, b"key")
    why = "ConnectionError: lost"
    assert str(refused.value) == f"nobody knows which replicas have the change: {why}"


@pytest.mark.proof
def test_many_replicas(any_server: str, tmp_path: Path) -> None:
    """If more replicas are wanted than there are, no change is acknowledged."""
    with replicated.pair(any_server, tmp_path) as (master, _):
        one, store = new_id(), Store(partial(connect, master.url), 2)
        for before in range(2):
            with pytest.raises(NotReplicated, match="1 of 2 replicas have the change"):
                store.write(one, change(before))
        assert Store(partial(connect, master.url)).read(one) == Stored(
            b"terms", 2, b"snapshot 2", None
        )


@pytest.mark.proof
def test_over_http(any_server: str, tmp_path: Path) -> None:
    """The problem says that the action may be lost; the same request is acknowledged once a replica
    has the action, which was performed once.
    """
    with replicated.pair(any_server, tmp_path) as (master, replica), ExitStack() as stack:
        service = stack.enter_context(
            running(REDIS_URL=master.url, WAIT_REPLICAS="1", WEB_CONCURRENCY="2")
        )
        session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
        with frozen([replica]):
            for _ in range(3):
                reply = session.act("roll", version=1, key="k")
                assert refusal(reply, 503) == (
                    "The store of sessions has performed the request, but too few of its replicas "
                    "have it yet, so it may still be lost. Try again, with the same "
                    "Idempotency-Key if the request has one."
                )
                assert reply.headers["Retry-After"] == "1"
            assert session.read().json["version"] == 2
        again = partial(session.act, "roll", version=1, key="k")
        until(lambda: again().status == 200, "a replica has it")
        assert again().json == session.read().json
        assert session.read().json["version"] == 2


@pytest.mark.fault
def test_name_that_leads_elsewhere(any_server: str, tmp_path: Path) -> None:
    """If the server becomes a replica, the next request uses a new connection: the name of a master
    may lead to another server after a failover.
    """
    with replicated.pair(any_server, tmp_path) as (master, replica), ExitStack() as stack:
        proxy = CountingProxy(master.port)
        stack.callback(proxy.close)
        store, one = Store(partial(connect, f"redis://127.0.0.1:{proxy.place}")), new_id()
        assert store.write(one, change()) is True
        until(lambda: replica.client.exists(f"dice:{{{one}}}") == 1, "the replica has it")
        replica.client.replicaof("NO", "ONE")
        master.client.replicaof("127.0.0.1", replica.port)
        proxy.upstream = replica.port
        with pytest.raises(StoreUnavailable):
            store.write(one, change(1))
        assert store.write(one, change(1)) is True
        assert master.is_master() is False


def test_needs_a_redis() -> None:
    """The service doesn't start with replicas of its own store, which has none."""
    with pytest.raises(ValueError, match=r"^WAIT_REPLICAS needs a REDIS_URL"):
        Settings.from_environment({"WAIT_REPLICAS": "1"})
