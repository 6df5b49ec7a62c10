"""What is charged for requests that wait, leave the loop, or are answered part by part."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from service.api.http.request_id import ROUTE
from service.api.http.waiting import WAITER, Waiting
from service.api.rate_limit import UNIT, RateLimited
from service.trusted_proxies import parse_proxies
from service.worker.hooks import IN_LOOP, TakesLong

PATH = "/v1/variants/poker-dice/batch"


def compute(units: float) -> None:
    """Takes as much of a processor as costs `units`."""
    end = time.thread_time() + units * UNIT
    while time.thread_time() < end:
        pass


@dataclass
class Client:
    """A client of `app`, which has `quota` units a minute, and the heads of its responses."""

    app: Callable[..., Any]
    quota: int
    heads: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.limited = RateLimited(
            self.app, self.quota, parse_proxies(""), (), lambda _: None, {PATH}
        )

    def ask(self, environ: Mapping[str, object], path: str = PATH) -> None:
        """A request."""
        given = {"PATH_INFO": path, "REMOTE_ADDR": "203.0.113.1", **environ}
        list(self.limited(given, self._start))

    def _start(self, status: str, headers: Any, *_: Any) -> Callable[[bytes], object]:
        self.heads.append((status[:3], dict(headers)))
        return lambda data: data

    @property
    def statuses(self) -> list[str]:
        """The statuses of the responses."""
        return [status for status, _ in self.heads]


@pytest.mark.parametrize(("quota", "units", "served"), [(6, 0, 5), (100, 150, 1)])
def test_leaving_the_loop(quota: int, units: float, served: int) -> None:
    """A request that the server begins again, outside of its loop, is charged once. Of many that
    turn out to take long, those are refused that come once their client owes units.
    """
    computed: list[bool] = []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ[IN_LOOP]:
            raise TakesLong
        compute(units)
        computed.append(True)
        start_response("200 OK", [])
        return []

    client = Client(app, quota)
    for _ in range(5):
        with pytest.raises(TakesLong):
            client.ask({IN_LOOP: True})
    for _ in range(5):
        client.ask({IN_LOOP: False})
    assert client.statuses == ["200"] * served + ["429"] * (5 - served)
    assert len(computed) == served
    if not units:
        assert client.heads[0][1]["RateLimit"] == '"requests";r=1;t=10'


def waits(units: float) -> Callable[..., Any]:
    """An app whose requests wait, and are woken after `units`."""

    def app(environ: dict[str, Any], _: Callable[..., Any]) -> list[bytes]:
        compute(units)
        waiter = environ[WAITER]
        waiter.until, waiter.waiting = time.monotonic() + 60, Waiting(60)
        return []

    return app


@pytest.mark.parametrize(("quota", "units"), [(100, 0.6), (1, 1.5)])
def test_woken_for_nothing(quota: int, units: float) -> None:
    """A request that waits pays for what it computes each time that it is woken. It is refused once
    its client owes units, and may come again once the client has one.
    """
    client = Client(waits(units), quota)
    waiter = SimpleNamespace(until=0.0, waiting=None)
    calls = 0
    while not client.heads:
        waiter.waiting = None
        client.ask({WAITER: waiter})
        calls += 1
        assert calls < 10_000
    assert calls > 1
    ((status, headers),) = client.heads
    assert status == "429"
    seconds = int(headers["Retry-After"])
    assert headers["RateLimit"] == f'"requests";r=0;t={seconds}'
    if quota == 1:  # a unit takes a minute, and the client owes at least one and a half
        assert seconds > 120


@pytest.mark.parametrize(
    ("path", "route", "then"),
    [(PATH, PATH, "429"), (f"//{PATH}", PATH, "429"), ("/nope/batch", None, "200")],
)
def test_streamed(path: str, route: str | None, then: str) -> None:
    """Responses of the routes that compute in parts are charged for part by part. The route that
    the app has found decides, not the path, which can be spelled otherwise.
    """

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        if route:
            environ[ROUTE] = route
        start_response("200 OK", [])
        return parts()

    def parts() -> Iterator[bytes]:
        compute(150)
        yield b""

    client = Client(app, 100)
    for _ in range(2):
        client.ask({}, path)
    assert client.statuses == ["200", then]
