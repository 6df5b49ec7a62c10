"""How many sessions there are, on every real server."""

from __future__ import annotations

import pytest

from service.sessions.census import Census
from service.sessions.store import scripts
from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store
from service.sessions.tokens import new_id
from tests.sessions.servers import Direct
from tests.sessions.store.stored import change, opened


def test_count(store_url: str) -> None:
    """Sessions count as long as they are there, each once, and other keys don't."""
    with opened(store_url) as client:
        store = Store(lambda: client)
        before = store.count()
        ids = [new_id() for _ in range(30)]
        for each in ids:
            store.write(each, change())
            store.write(each, change(1))
        other = f"dice:{{{new_id()}}}:others:events-of-nobody"
        client.execute_command("SET", other, "x")
        assert store.count() == before + 30
        for each in ids[:10]:
            store.delete(each)
        client.execute_command("DEL", other)
        assert store.count() == before + 20


def test_estimate(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many keys, a sample is looked at: the estimate is within some percent."""
    with opened(store_url) as client:
        store = Store(lambda: client)
        before = store.count()
        for _ in range(1000):
            store.write(new_id(), change())
        monkeypatch.setattr(scripts, "MOST_KEYS", 1000)
        assert store.count() == pytest.approx(before + 1000, rel=0.25)


def test_fresh() -> None:
    """A count is used again for some seconds; without a store there is none."""
    asked = []

    def connect() -> Direct:
        asked.append(1)
        raise StoreUnavailable("gone")

    own = Census(Store(connect))
    assert [own.count(), own.count()] == [None, None]
    assert len(asked) == 1
