"""Watches of sessions for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from service.sessions.store.redis_store import channel
from service.sessions.store.subscription import Subscription, Watch


class Watched:
    """A session that is watched."""

    def __init__(self, subscription: Subscription, session_id: str) -> None:
        self._woken = Event()
        self.watch: Watch = subscription.watch(channel(session_id), self._woken.set)

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
