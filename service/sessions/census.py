"""How many sessions there are, for the metrics."""

from __future__ import annotations

import time
from threading import Lock

from service.sessions.store.redis_store import Store, StoreUnavailable

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
        """How many there are; beyond some thousand, an estimate. None if the store is away."""
        with self._lock:
            if time.monotonic() - self._counted_at >= FRESH_SECONDS:
                try:
                    self._count = self._store.count()
                except StoreUnavailable:
                    self._count = None
                self._counted_at = time.monotonic()
            return self._count
