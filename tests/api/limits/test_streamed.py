"""Which responses are charged for part by part: those of the routes that compute in parts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.api.http.request_id import ROUTE
from service.api.rate_limit import RateLimited
from service.trusted_proxies import parse_proxies

BATCH = "/v1/variants/poker-dice/batch"


@pytest.mark.parametrize(
    ("path", "route", "then"),
    [
        (BATCH, BATCH, "429 Too Many Requests"),
        (f"//{BATCH}", BATCH, "429 Too Many Requests"),
        ("/nope/batch", None, "200 OK"),
    ],
)
def test_streamed(path: str, route: str | None, then: str) -> None:
    """The route that the app has found decides, not the path, which can be spelled otherwise."""
    statuses: list[str] = []

    def start(status: str, _: list[tuple[str, str]], *__: Any) -> Callable[[bytes], object]:
        statuses.append(status)
        return lambda data: data

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        if route:
            environ[ROUTE] = route
        start_response("200 OK", [])
        return computed()

    def computed() -> Iterator[bytes]:
        end = time.thread_time() + 0.15  # 150 units of 100
        while time.thread_time() < end:
            pass
        yield b""

    limited = RateLimited(app, 100, parse_proxies(""), (), lambda _: None, {BATCH})
    for _ in range(2):
        environ = {"PATH_INFO": path, "REMOTE_ADDR": "203.0.113.1"}
        list(limited(environ, start))
    assert statuses == ["200 OK", then]
