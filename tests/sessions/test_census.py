"""How many sessions there are, when several ask at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from service.sessions.census import Census
from service.sessions.store.redis_store import Store


class Slow(Store):
    """A store whose count takes until `reply` is set."""

    def __init__(self) -> None:
        self.asked, self.reply = Event(), Event()

    def count(self) -> int:
        """Replies when it may."""
        self.asked.set()
        assert self.reply.wait(60)
        return 7


def test_a_store_that_does_not_reply() -> None:
    """While one caller waits for the store, others get the count before, which is None at first."""
    store = Slow()
    census = Census(store)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(census.count)
        assert store.asked.wait(60)
        assert census.count() is None
        store.reply.set()
        assert first.result() == 7
    assert census.count() == 7
