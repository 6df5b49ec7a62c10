"""Watching sessions, on every kind of store."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from threading import Event, Thread, current_thread
from typing import Any, cast

import pytest
import redis
from redis.connection import AbstractConnection

from service.sessions.requests import new_id
from service.sessions.store.connect import connect
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store, channel
from service.sessions.store.subscription import (
    SILENT_SECONDS,
    TICK_SECONDS,
    SessionWatch,
    Subscription,
)
from tests.live import free_port
from tests.sessions import servers
from tests.sessions.servers import LOCAL, Direct, node
from tests.sessions.store.proxied import proxied
from tests.sessions.store.stored import change, opened


class Watched:
    """A session that is watched."""

    def __init__(self, subscription: Subscription, session_id: str) -> None:
        self._woken = Event()
        self.watch: SessionWatch = subscription.watch(channel(session_id), self._woken.set)

    def wakes(self, seconds: float = 30) -> bool:
        """Whether those who watch are woken within `seconds`, since the last call."""
        woken = self._woken.wait(seconds)
        self._woken.clear()
        return woken


@contextmanager
def watched(subscription: Subscription, session_id: str) -> Iterator[Watched]:
    """Watches a session, which can't change unnoticed from then on."""
    made = Watched(subscription, session_id)
    try:
        assert made.wakes()
        made.watch.check()
        yield made
    finally:
        made.watch.close()


@pytest.fixture
def subscription(client: Direct) -> Subscription:
    """A subscription to the store."""
    return Subscription(Store(lambda: client).subscriber)


@pytest.fixture
def elsewhere(store_url: str) -> Iterator[Store]:
    """The same store as another process of the service has it."""
    with opened(store_url) as made:
        yield Store(lambda: made)


def test_changes_wake(subscription: Subscription, elsewhere: Store) -> None:
    """A change or a deletion by another process wakes those who watch."""
    one = new_id()
    assert elsewhere.write(one, change()) is True
    with watched(subscription, one) as first:
        assert elsewhere.write(one, change(1)) is True
        assert first.wakes() is True
        elsewhere.delete(one)
        assert first.wakes() is True


def test_only_changes_wake(subscription: Subscription, elsewhere: Store) -> None:
    """A write that changes nothing, or another session, wakes nobody."""
    one, other = new_id(), new_id()
    elsewhere.write(one, change(key=b"key", key_record=b"record"))
    with watched(subscription, one) as first:
        assert elsewhere.write(one, change(5)) is False
        replayed = change(1, key=b"key", key_record=b"record")
        assert elsewhere.write(one, replayed) is False
        assert elsewhere.write(other, change()) is True
        assert first.wakes(0.2) is False


def test_many_watch(subscription: Subscription, elsewhere: Store) -> None:
    """One change wakes everyone who watches its session, and those who joined later; nobody who
    has left, and nobody who watches another session.
    """
    one, other = new_id(), new_id()
    elsewhere.write(one, change())
    with ExitStack() as stack:
        watches = [stack.enter_context(watched(subscription, one)) for _ in range(3)]
        gone = Watched(subscription, one)
        assert gone.wakes() is True, "the channel is subscribed already"
        gone.watch.close()
        another = stack.enter_context(watched(subscription, other))
        elsewhere.write(one, change(1))
        assert [each.wakes() for each in watches] == [True] * 3
        assert not gone.wakes(0.1)
        assert not another.wakes(0)


def test_one_connection(any_server: str, tmp_path: Path) -> None:
    """All sessions are watched over one connection, which is closed when none is any more."""
    with (
        servers.on_a_port(any_server, tmp_path) as url,
        opened(url) as client,
        closing(redis.Redis.from_url(url)) as looking,
    ):
        subscription = Subscription(Store(lambda: client).subscriber)
        ids = [new_id() for _ in range(100)]

        def channels() -> list[int]:
            return [int(each["sub"]) for each in looking.client_list(_type="pubsub")]

        with ExitStack() as stack:
            for one in ids:
                stack.enter_context(watched(subscription, one))
            assert channels() == [100]
            with watched(subscription, ids[0]):
                assert channels() == [100]
        servers.until(lambda: channels() == [], "the connection is closed")
        with watched(subscription, ids[0]):
            assert channels() == [1]


class Recorded:
    """A subscriber that records which threads use it."""

    def __init__(self, subscriber: Any) -> None:
        self._subscriber = subscriber
        self.threads: set[Thread] = set()

    def __getattr__(self, name: str) -> Any:
        self.threads.add(current_thread())
        return getattr(self._subscriber, name)


def test_one_thread(client: Direct) -> None:
    """Only one thread uses the connection, whoever watches: OpenSSL allows no more, and a
    connection over TLS that two threads use is lost now and then.
    """
    recorded = Recorded(Store(lambda: client).subscriber())
    subscription = Subscription(lambda: cast(AbstractConnection, recorded))
    with watched(subscription, new_id()):
        for _ in range(100):
            with watched(subscription, new_id()):
                assert len(recorded.threads) == 1
    assert current_thread() not in recorded.threads


def test_a_watch_that_joins(any_server: str, tmp_path: Path) -> None:
    """A session can be joined only while the store is certain to say what changes there. Who joins
    isn't called before the first change.
    """
    with node(any_server, tmp_path) as server, opened(server.url) as client:
        store, one, called = Store(lambda: client), new_id(), Event()
        subscription = Subscription(store.subscriber)
        join = partial(subscription.join, channel(one), called.set)
        assert join() is None, "nobody watches it"
        server.process.send_signal(SIGSTOP)
        first = Watched(subscription, one)
        assert join() is None, "the store hasn't confirmed it"
        server.process.send_signal(SIGCONT)
        assert first.wakes() is True
        joined = join()
        assert joined is not None
        assert called.is_set() is False
        assert store.write(one, change()) is True
        assert called.wait(60) is True
        joined.close()
        first.watch.close()


def test_watches_that_end_while_the_store_is_gone() -> None:
    """Whoever stops to watch at the moment when the others are woken, they are all woken."""
    over = Event()
    with opened(f"redis://{LOCAL}:{free_port()}") as client, switching_often():
        subscription = Subscription(Store(lambda: client).subscriber)

        def come_and_go() -> None:
            while not over.is_set():
                watches = [subscription.watch("one", lambda: None) for _ in range(50)]
                for watch in watches:
                    watch.close()

        threads = [Thread(target=come_and_go) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            woken = []
            for _ in range(500):
                watch = Watched(subscription, new_id())
                woken.append(watch.wakes(60))
                watch.watch.close()
                if not woken[-1]:
                    break
        finally:
            over.set()
            for thread in threads:
                thread.join()
    assert woken == [True] * 500


@contextmanager
def switching_often() -> Iterator[None]:
    """Threads take turns after every few steps."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def test_a_quiet_connection_is_asked(any_server: str, tmp_path: Path) -> None:
    """While nothing changes, the store is asked whether it is still there, so those who watch stay
    on one connection and aren't woken.
    """
    with (
        servers.on_a_port(any_server, tmp_path) as url,
        opened(url) as client,
        closing(redis.Redis.from_url(url)) as looking,
        watched(Subscription(Store(lambda: client).subscriber), new_id()) as first,
    ):
        listed = partial(looking.client_list, _type="pubsub")
        (before,) = listed()
        servers.until(lambda: [each["cmd"] for each in listed()] == ["ping"], "the store is asked")
        (after,) = listed()
        assert (after["id"], first.wakes(0)) == (before["id"], False)


class Frozen:
    """A subscriber of a process that is frozen between a ping and its reply, for long."""

    def __init__(self, subscriber: Any) -> None:
        self._subscriber = subscriber
        self._pinged = False
        self.thawed, self.seconds = Event(), 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._subscriber, name)

    def monotonic(self) -> float:
        """The clock of the machine, which isn't frozen."""
        return time.monotonic() + self.seconds

    def send_command(self, *words: str) -> None:
        """Sends a command."""
        self._subscriber.send_command(*words)
        self._pinged = words == ("PING",)

    def can_read(self, timeout: float) -> bool:
        """Whether there is something to read; there isn't before the process is frozen."""
        if not self._pinged:
            return bool(self._subscriber.can_read(timeout))
        self._pinged = False
        assert self._subscriber.can_read(60)
        self.seconds = TICK_SECONDS + SILENT_SECONDS
        self.thawed.set()
        return False


@pytest.mark.fault
def test_a_process_that_was_frozen(client: Direct, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was stopped until long after the store replied keeps its connection: nobody
    is woken.
    """
    frozen = Frozen(Store(lambda: client).subscriber())
    monkeypatch.setattr("service.sessions.store.subscription.time", frozen)
    subscription = Subscription(lambda: cast(AbstractConnection, frozen))
    with watched(subscription, new_id()) as first:
        assert frozen.thawed.wait(60)
        with watched(subscription, new_id()):
            assert first.wakes(0) is False


def test_a_session_that_nobody_watches_any_more(alone: Direct) -> None:
    """The store isn't asked for its changes any longer, while others are still watched."""
    subscription = Subscription(Store(lambda: alone).subscriber)
    one, other = new_id(), new_id()

    def channels() -> set[bytes]:
        return set(alone.execute_command("PUBSUB CHANNELS"))

    both = {channel(one).encode(), channel(other).encode()}
    with watched(subscription, one):
        with watched(subscription, other):
            assert channels() == both
        servers.until(lambda: channels() == {channel(one).encode()}, "the other is given up")


@pytest.mark.fault
def test_a_silent_store(alone: Direct) -> None:
    """Those who watch are woken if the store falls silent, and again once it notices changes."""
    store = Store(lambda: alone)
    subscription = Subscription(store.subscriber)
    one = new_id()
    store.write(one, change())
    with watched(subscription, one) as first:
        seconds = 2 * TICK_SECONDS + SILENT_SECONDS
        alone.execute_command("CLIENT PAUSE", int(seconds * 1000) + 500, "ALL")
        assert first.wakes(), "silent"
        first.watch.check()
        assert first.wakes(), "subscribed again"
        store.write(one, change(1))
        assert first.wakes()


@pytest.mark.parametrize(
    "kind", ["server", "sentinel", pytest.param("cluster", marks=pytest.mark.fault)]
)
def test_gone_and_back(kind: str, any_server: str, tmp_path: Path) -> None:
    """If the store goes, those who watch are woken and get an error; once it is back, others can
    watch again.
    """
    with proxied(kind, any_server, tmp_path) as (proxy, through):
        store = Store(partial(connect, through))
        subscription, one = Subscription(store.subscriber), new_id()
        assert store.write(one, change()) is True
        with watched(subscription, one) as first:
            proxy.close()
            assert first.wakes()
            servers.until(lambda: first.watch.failure is not None, "it can't be reached")
            with pytest.raises(StoreUnavailable, match="no subscription"):
                first.watch.check()
            late = Watched(subscription, one)
            assert late.wakes()
            with pytest.raises(StoreUnavailable, match="no subscription"):
                late.watch.check()
        proxy.open()

        def watches() -> bool:
            again = Watched(subscription, one)
            again.wakes()
            again.watch.close()
            return again.watch.failure is None

        servers.until(watches, "the store can be watched again")
        with watched(subscription, one) as again:
            assert store.write(one, change(1)) is True
            assert again.wakes()


def test_a_connection_that_is_cut(alone: Direct) -> None:
    """If the connection is cut, those who watch are woken, and nothing is missed afterwards."""
    store = Store(lambda: alone)
    subscription, one = Subscription(store.subscriber), new_id()
    store.write(one, change())
    with watched(subscription, one) as first:
        alone.execute_command("CLIENT KILL", "TYPE", "pubsub")
        assert first.wakes()
        servers.until(
            lambda: alone.execute_command("PUBSUB CHANNELS", channel(one)) != [],
            "it is subscribed again",
        )
        while first.wakes(0.5):
            pass  # woken once more, if that wasn't one with the first
        store.write(one, change(1))
        assert first.wakes()
        first.watch.check()


def test_nobody_there() -> None:
    """If the store can't be reached from the start, those who watch get an error that says so."""
    with opened(f"redis://{LOCAL}:{free_port()}") as client:
        refused = Watched(Subscription(Store(lambda: client).subscriber), new_id())
        assert refused.wakes()
        with pytest.raises(
            StoreUnavailable, match=r"^no subscription: ConnectionError: Error \d+ connecting to "
        ):
            refused.watch.check()


def test_no_permission(alone: Direct) -> None:
    """If the store refuses the subscription, those who watch get an error that says so."""
    alone.execute_command("ACL SETUSER", "default", "resetchannels")
    refused = Watched(Subscription(Store(lambda: alone).subscriber), new_id())
    assert refused.wakes()
    with pytest.raises(StoreUnavailable, match="no subscription: No permissions"):
        refused.watch.check()
