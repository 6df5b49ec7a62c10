"""How long a request may wait for the store."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from threading import local
from typing import ParamSpec, TypeVar

import redis

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

REQUEST_SECONDS = 1.0
"""How long a request may wait for the store in all. What it computes takes none of that time: some
searches take longer on a busy machine, and would fail there again and again."""

STEP_SECONDS = 0.5
"""How long it may wait for one connection or reply. The rest is for what follows: if a node of a
cluster or a sentinel is silent, the client asks another one."""


class OutOfTime(redis.TimeoutError):
    """No command was sent, because the time of the request is over."""


class _Request(local):
    """The request that a thread works on."""

    ends = 0.0  # when its time is over; 0 if it isn't limited
    paused = 0.0  # since when it hasn't waited for the store


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
