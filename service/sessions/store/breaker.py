"""A circuit breaker: while the store is silent, requests don't wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

MAX_FAILURES = 3
"""After so many requests in a row that waited in vain, the breaker opens."""

SLOW_SECONDS = 0.1
"""A failure that took at least so long counts. A store that refuses, or can't be connected to, says
so at once: there is no wait to save, and asking it again is how its return is noticed."""

PROBE_SECONDS = 0.5
"""How long after such a failure the next request may ask, while the breaker is open."""


class Breaker:
    """Keeps requests from waiting for a store that doesn't answer; each worker has its own.

    After `MAX_FAILURES` it is open: `asks` returns False at once. One request at a time may still
    ask, every `PROBE_SECONDS`. An answer, even a refusal, closes it. `now` is a clock in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._failures = 0
        self._next_probe = 0.0
        self._lock = Lock()

    def asks(self) -> bool:
        """Whether a request may ask the store now; then call `answered` or `failed` at its end."""
        if self._failures < MAX_FAILURES:
            return True
        with self._lock:
            if self._now() < self._next_probe:
                return False
            self._next_probe = float("inf")  # nobody else asks until this one has ended
            return True

    def answered(self) -> None:
        """Notes that the store has answered."""
        if self._failures:
            with self._lock:
                self._failures = 0

    def failed(self, seconds: float) -> None:
        """Notes that a request to the store failed without an answer, after `seconds`."""
        with self._lock:
            self._failures = self._failures + 1 if seconds >= SLOW_SECONDS else 0
            self._next_probe = self._now() + PROBE_SECONDS
