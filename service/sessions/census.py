"""How many sessions there are, for the metrics."""

from __future__ import annotations

import time
from threading import Lock

from service.sessions.store.failures import StoreUnavailable
from service.sessions.store.redis_store import Store

FRESH_SECONDS = 5.0
"""How long a count is used again, so that nobody can keep the store busy with counting."""


class Census:
    """Counts the sessions in `store`, every `FRESH_SECONDS` at most."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._counted_at = -FRESH_SECONDS
        self._count: int | None = None

    def count(self) -> int | None:
        """How many there are; beyond some thousand, an estimate. None if the store is away.

        While one caller waits for the store, others get the count before, None at first: a store
        that doesn't reply takes one thread, not all.
        """
        if self._lock.acquire(blocking=False):
            try:
                if time.monotonic() - self._counted_at >= FRESH_SECONDS:
                    self._count = self._counted()
                    self._counted_at = time.monotonic()
            finally:
                self._lock.release()
        return self._count

    def _counted(self) -> int | None:
        try:
            return self._store.count()
        except StoreUnavailable:
            return None
