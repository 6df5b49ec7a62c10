"""How long a request may wait for the store, however many commands and connections it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from threading import local
from typing import Any, ParamSpec, TypeVar

import redis
from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.sentinel import SentinelManagedConnection, SentinelManagedSSLConnection

REQUEST_SECONDS = 1.0
"""How long a request may wait for the store in all. What it computes takes none of that time: some
searches take longer on a busy machine, and would fail there again and again."""

STEP_SECONDS = 0.5
"""How long it may wait for one connection or reply. The rest is for what follows: if a node of a
cluster or a sentinel is silent, the client asks another one."""

_LEAST_SECONDS = 0.001
"""A time-out of 0 would mean not to wait at all, which is another error."""

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class OutOfTime(redis.TimeoutError):
    """A command wasn't sent, because the time of the request is over."""


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
    """How many seconds the next step may take; 0 or less if the time is over."""
    if not _request.ends:
        return STEP_SECONDS
    return min(STEP_SECONDS, _request.ends - time.monotonic())


class _InTime:
    """Limits every connection attempt and every command of a redis-py connection, which can also be
    polled.
    """

    _sock: Any

    @property
    def socket_connect_timeout(self) -> float | None:
        """How long the next attempt to connect may take."""
        return max(seconds_left(), _LEAST_SECONDS)

    @socket_connect_timeout.setter
    def socket_connect_timeout(self, _: float | None) -> None:
        """redis-py sets it only during maintenance that a server announces with protocol 3."""

    def fileno(self) -> int:
        """The descriptor of its socket, to wait for what it receives."""
        return int(self._sock.fileno())

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Sends a command; the limit is also that of its reply. Raises `OutOfTime`."""
        left = seconds_left()
        if left <= 0:
            raise OutOfTime("no time is left to ask the store")
        if self._sock is not None:
            self._sock.settimeout(left)
        # the class that this one is mixed into has it
        super().send_packed_command(command, check_health)  # type: ignore[misc]


class TcpConnection(_InTime, Connection):
    """A connection to a server."""


class TlsConnection(_InTime, SSLConnection):
    """A connection to a server over TLS."""


class UnixConnection(_InTime, UnixDomainSocketConnection):
    """A connection to a server on a Unix socket."""


class MasterConnection(_InTime, SentinelManagedConnection):
    """A connection to the master that the sentinels name."""


class MasterTlsConnection(_InTime, SentinelManagedSSLConnection):
    """A connection over TLS to the master that the sentinels name."""
