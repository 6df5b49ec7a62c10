"""How long requests wait for a store that is slow or silent: each has a deadline, and while the
store is silent, a circuit breaker has them fail at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from threading import Lock, local
from typing import ParamSpec, TypeVar

import redis

REQUEST_SECONDS = 1.0
"""How long a request may wait for the store in all. What it computes takes none of that time: some
searches take longer on a busy machine, and would fail there again and again."""

STEP_SECONDS = 0.5
"""How long it may wait for one connection or reply. The rest is for what follows: if a node of a
cluster or a sentinel is silent, the client asks another one."""

MAX_FAILURES = 3
"""After so many requests in a row that waited in vain, the breaker opens."""

SLOW_SECONDS = 0.1
"""A failure that took at least so long counts. A store that refuses, or can't be connected to, says
so at once: there is no wait to save, and asking it again is how its return is noticed."""

PROBE_SECONDS = 0.5
"""How long after such a failure the next request may ask, while the breaker is open."""

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class OutOfTime(redis.TimeoutError):
    """No command was sent, because the time of the request is over."""


class _Request(local):
    """The request that a thread works on."""

    ends = 0.0
    """When its time is over; 0 if it isn't limited."""

    paused = 0.0
    """Since when it hasn't waited for the store."""


_request = _Request()


def limited(work: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """A function that does all of `work` as one request, which waits at most `REQUEST_SECONDS`."""

    @wraps(work)
    def in_time(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        if _request.ends:  # it is part of a request
            return work(*args, **kwargs)
        _request.paused = time.monotonic()
        _request.ends = _request.paused + REQUEST_SECONDS
        try:
            return work(*args, **kwargs)
        finally:
            _request.ends = 0.0

    return in_time


def resume() -> None:
    """Lets the time of the request go on, as it waits for the store from now on."""
    if _request.ends:
        _request.ends += time.monotonic() - _request.paused


def pause() -> None:
    """Stops the time of the request until `resume`."""
    _request.paused = time.monotonic()


def seconds_left() -> float:
    """How many seconds the next step may take. Raises `OutOfTime`."""
    if not _request.ends:
        return STEP_SECONDS
    left = _request.ends - time.monotonic()
    if left <= 0:
        raise OutOfTime("no time is left to ask the store")
    return min(STEP_SECONDS, left)


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
