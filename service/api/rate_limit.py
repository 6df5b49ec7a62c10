"""Rate limits: each client may use so much of the service in a minute.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10, `RateLimit` and
`RateLimit-Policy`.
"""

from __future__ import annotations

import math
import mmap
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import orjson

from service.api.http import health, languages
from service.api.http.causes import Cause
from service.api.http.problem_details import MEDIA_TYPE
from service.api.http.request_id import ROUTE
from service.api.http.waiting import has_waited, is_waiting
from service.api.http.work import has_left_loop
from service.trusted_proxies import TrustedProxies
from service.worker.hooks import IN_LOOP

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

App = Callable[["WSGIEnvironment", "StartResponse"], Iterable[bytes]]

CLIENT = "dice_scoring.client"
"""The key of the WSGI environment for the client of a request: its address or network."""

FREE = health.PATHS
"""The paths for which nobody is charged, without a query: whoever watches the service must get a
response. With one, `/readyz` asks the store, and so costs as much as any request."""

MINUTE = 60
"""In how many seconds the budget of a client refills."""

UNIT = 0.001
"""How many seconds of a processor cost a unit, besides the one that every request costs."""

_SMALL_DIGITS = 4
"""A body whose length has fewer digits is small: it has less than a KiB."""

NAME = "requests"
"""The name of the policy."""

BUCKETS = 1 << 14
"""How many buckets there are. They take a megabyte of memory, once all of them are used."""

WAYS = 4
"""How many clients a bucket has room for. The one whose budget is fullest makes room for another,
which costs nobody anything: at worst, a client gets its budget back early."""

_SLOTS = BUCKETS * WAYS

_ROUNDED = 1e-6
"""More units than rounding can take away."""


class Budgets:
    """What is left of the budget of each client: `quota` units, which refill in `seconds`.

    Create it before the workers are forked. There is no lock, since a worker could be killed while
    it has one. If two workers charge a client at the same moment, charges may be lost.

    A budget is a single number, the time at which it is full again: it needs no cleaning up.
    """

    def __init__(self, quota: int, seconds: int) -> None:
        self.quota, self.seconds = quota, seconds
        self._unit = seconds / quota
        shared = memoryview(mmap.mmap(-1, _SLOTS * 16))
        self._names = shared[: _SLOTS * 8].cast("Q")
        self._full_at = shared[_SLOTS * 8 :].cast("d")
        self._secret = os.urandom(16)  # so that nobody can choose clients that share a bucket
        self._place = lru_cache(1 << 13)(self._placed)

    def take(self, client: str) -> float:
        """Takes a unit from the budget of `client` if it has one; returns what is left.

        That is less than 0 if it has none: then nothing is taken.
        """
        name, slot = self._place(client)  # as in `_slot`, whose call would take as long as the rest
        if self._names[slot] != name:
            slot = self._find(name)
        now = time.monotonic()
        full_at = self._full_at[slot]
        full_at = (full_at if full_at > now else now) + self._unit
        left = (self.seconds - full_at + now) / self._unit + _ROUNDED
        if left >= 0:
            self._full_at[slot] = full_at
        return left

    def left(self, client: str) -> float:
        """What is left of the budget of `client`; less than 0 if it owes something."""
        owed = self._full_at[self._slot(client)] - time.monotonic()
        return (self.seconds - max(owed, 0.0)) / self._unit + _ROUNDED

    def charge(self, client: str, units: float) -> float:
        """Takes `units` from the budget of `client`, whatever it has; returns what is left."""
        slot = self._slot(client)
        now = time.monotonic()
        full_at = self._full_at[slot] = max(self._full_at[slot], now) + units * self._unit
        return (self.seconds - full_at + now) / self._unit + _ROUNDED

    def wait(self, left: float) -> int:
        """Full seconds until a client that has `left` gets another unit; at least one."""
        return max(1, math.ceil(self._unit * (1 - left if left < 1 else 1)))

    def _slot(self, client: str) -> int:
        """The slot of `client`: mostly the one that it had before."""
        name, slot = self._place(client)
        return slot if self._names[slot] == name else self._find(name)

    def _placed(self, client: str) -> tuple[int, int]:
        """The name of `client`, and the slot that it has now. It may lose that to another one."""
        digest = blake2b(client.encode(), digest_size=8, key=self._secret).digest()
        name = int.from_bytes(digest, "little")  # the same in all workers; no client can choose it
        self._find(name)
        return name, self._find(name)  # another worker may have added it to a slot before that

    def _find(self, name: int) -> int:
        """The slot of the client with this `name`, which is cleared if it was another's."""
        names = self._names
        first = name % _SLOTS // WAYS * WAYS
        slots = range(first, first + WAYS)
        for slot in slots:
            if names[slot] == name:
                return slot
        slot = min(slots, key=self._full_at.__getitem__)
        names[slot], self._full_at[slot] = name, 0.0
        return slot


class RateLimited:
    """Runs `app` for clients that have units left, and refuses all others (429).

    A request is charged one unit when it comes, and the rest when its response begins, or after
    each part of a response that is computed in parts, as those of `streamed` routes are. So a
    client may come to owe units, which it then has to wait for. A request that left the loop, or
    has waited, is refused if its client owes units by now: many at once would compute for one unit
    each, or be woken for nothing.

    Requests to the `unmeasured` paths with a small body cost that unit only: they take far less
    than a millisecond, and reading the clock of a thread takes longer than all else here.
    `note_route` notes the route of a request that is refused, for those who count it.
    """

    def __init__(
        self,
        app: App,
        quota: int,
        proxies: TrustedProxies,
        unmeasured: Container[str],
        note_route: Callable[[WSGIEnvironment], None],
        streamed: Container[str] = (),
    ) -> None:
        self._app = app
        self._note_route = note_route
        self._unmeasured, self._streamed = unmeasured, streamed
        self._budgets = Budgets(quota, MINUTE)
        self._client = proxies.client
        self._policy = ("RateLimit-Policy", f'"{NAME}";q={quota};w={MINUTE}')
        self._next = self._budgets.wait(quota)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Handles one request (PEP 3333)."""
        path = environ["PATH_INFO"]
        if path in FREE and not environ.get("QUERY_STRING"):
            return self._app(environ, start_response)
        peer, forwarded = environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", "")
        client = environ[CLIENT] = self._client(peer, forwarded)
        in_loop = environ.get(IN_LOOP)  # which a request is in at its first call, or never
        if not in_loop and (has_waited(environ) or has_left_loop(environ)):
            left = has = self._budgets.left(client)
        else:
            left = self._budgets.take(client)
            has = left + 1
        if left < 0:
            self._note_route(environ)
            return self._refuse(environ, has, start_response)
        if path in self._unmeasured and len(environ.get("CONTENT_LENGTH", "?")) < _SMALL_DIGITS:
            limit = ("RateLimit", f'"{NAME}";r={int(left)};t={self._next}')

            def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
                headers += (limit, self._policy)
                return start_response(status, headers, *error)

            return self._app(environ, start)
        return self._measured(client, environ, start_response)

    def _measured(
        self, client: str, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Runs the app, and charges for the time that it computes."""
        began = time.thread_time()

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            left = self._budgets.charge(client, _units(began))
            limit = f'"{NAME}";r={max(0, int(left))};t={self._budgets.wait(left)}'
            headers += (("RateLimit", limit), self._policy)
            return start_response(status, headers, *error)

        parts = self._app(environ, start)
        if is_waiting(environ):  # it may be woken often, and take less than a unit each time
            self._budgets.charge(client, (time.thread_time() - began) / UNIT)
        return self._charged(client, parts) if environ.get(ROUTE) in self._streamed else parts

    def _charged(self, client: str, parts: Iterable[bytes]) -> Iterator[bytes]:
        """Yields `parts`, and charges for what it takes to compute each of them."""
        try:
            began = time.thread_time()
            for part in parts:
                units = _units(began)
                if units:
                    self._budgets.charge(client, units)
                yield part
                began = time.thread_time()  # perhaps in another thread
        finally:
            close = getattr(parts, "close", None)
            if close is not None:
                close()

    def _refuse(
        self, environ: WSGIEnvironment, has: float, start_response: StartResponse
    ) -> Iterable[bytes]:
        """The response to a client that `has` less than a unit."""
        seconds = self._budgets.wait(has)
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        language = languages.preferred(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
        problem = Cause.RATE_LIMITED.problem(quota=self._budgets.quota, seconds=seconds)
        status = problem.cause.status
        body = orjson.dumps(problem.body(quote(path), language))
        headers = [
            ("Content-Type", MEDIA_TYPE),
            ("Content-Length", str(len(body))),
            ("Retry-After", str(seconds)),
            ("RateLimit", f'"{NAME}";r=0;t={seconds}'),
            self._policy,
            *languages.headers(language),
        ]
        start_response(f"{int(status)} {status.phrase}", headers)
        return (body,)


def _units(began: float) -> int:
    """The full units for what this thread has computed since its clock was at `began`."""
    return int((time.thread_time() - began) / UNIT)
