"""How many sessions there are, on every real server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event
from typing import Any

import pytest

from service.sessions.requests import new_id
from service.sessions.store import redis_store, scripts
from service.sessions.store.connect import Command
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store
from tests.sessions.servers import Direct
from tests.sessions.store.stored import change


@pytest.fixture
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each count asks the store."""
    monkeypatch.setattr(redis_store, "FRESH_SECONDS", 0.0)


def counted(store: Store) -> int:
    """How many sessions there are, of a store that is there."""
    count = store.count()
    assert count is not None
    return count


@pytest.mark.usefixtures("uncached")
def test_count(store: Store, client: Direct) -> None:
    """Sessions count as long as they are there, each once, and other keys don't."""
    before = counted(store)
    ids = [new_id() for _ in range(30)]
    for each in ids:
        store.write(each, change())
        store.write(each, change(1))
    other = f"dice:{{{new_id()}}}:others:events-of-nobody"
    client.execute_command("SET", other, "x")
    assert counted(store) == before + 30
    for each in ids[:10]:
        store.delete(each)
    client.execute_command("DEL", other)
    assert counted(store) == before + 20


@pytest.mark.usefixtures("uncached")
def test_estimate(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many keys, a sample is looked at: the estimate is within some percent."""
    before = counted(store)
    for _ in range(1000):
        store.write(new_id(), change())
    monkeypatch.setattr(scripts, "MOST_KEYS", 1000)
    assert counted(store) == pytest.approx(before + 1000, rel=0.25)


@pytest.fixture
def cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count is used again for longer than a test takes."""
    monkeypatch.setattr(redis_store, "FRESH_SECONDS", 600.0)


@pytest.mark.usefixtures("cached")
def test_fresh() -> None:
    """A count is used again for some seconds; without a store there is none."""
    asked = []

    def connect() -> Direct:
        asked.append(1)
        raise StoreUnavailable("gone")

    own = Store(connect)
    assert [own.count(), own.count()] == [None, None]
    assert len(asked) == 1


class Slow(Direct):
    """A client whose store replies when it may."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.asked, self.reply = Event(), Event()
        self.ask_all = self._ask_late

    def _ask_late(self, command: Command) -> list[Any]:
        self.asked.set()
        assert self.reply.wait(60)
        return self.own.ask_all(command)


@pytest.mark.usefixtures("cached")
def test_a_store_that_does_not_reply(socket_url: str) -> None:
    """While one caller waits for the store, others get the count before, which is None at first."""
    client = Slow(socket_url)
    with closing(client), ThreadPoolExecutor(1) as pool:
        store = Store(lambda: client)
        first = pool.submit(store.count)
        assert client.asked.wait(60)
        assert store.count() is None
        client.reply.set()
        counted = first.result()
        assert counted is not None
        assert store.count() == counted
