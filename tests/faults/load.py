"""Connections that are kept, each with one request after another, and what became of them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException

from tests.live import Service
from tests.sessions.servers import until
from tests.worker.raw import connected, post

CONNECTIONS = 32


@dataclass
class Load:
    """What became of the requests and connections.

    A request is `answered`, or `broken` if its connection ended without the whole response. That of
    a new connection is `unaccepted` instead: the service may never have seen it. A connection that
    the service ends properly is `closed`: it is announced in a response. An attempt to connect may
    be `refused`.
    """

    port: int
    again: bool
    counts: Counter[str] = field(default_factory=Counter)
    over: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self) -> None:
        """Sends requests until `over`; over a new connection if the last one ended and `again`."""
        while not self.over.is_set():
            if not self._use_connection() or not self.again:
                return

    def await_more(self, count: int) -> None:
        """Waits until so many further requests are answered."""
        wanted = self.counts["answered"] + count
        until(lambda: self.counts["answered"] >= wanted, "requests are answered", 60)

    def __str__(self) -> str:
        return ", ".join(
            f"{self.counts[name]} {name}"
            for name in ("answered", "broken", "closed", "unaccepted", "refused")
        )

    def _use_connection(self) -> bool:
        """Sends requests over one connection until it ends; returns False if it was refused."""
        lost = "refused"
        try:
            with connected(self.port) as client:
                lost = "unaccepted"
                while not self.over.is_set():
                    client.send(post())
                    reply = client.reply()
                    assert reply.status == 200, reply.body
                    self._count("answered")
                    lost = "broken"
                    if reply.headers["Connection"] == "close":
                        self._count("closed")
                        return True
        except (OSError, HTTPException):
            self._count(lost)
        return lost != "refused"

    def _count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1


@contextmanager
def loaded(service: Service, *, again: bool) -> Iterator[Load]:
    """Sends requests to `service` while the context is open."""
    load = Load(service.port, again)
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        running = [pool.submit(load.run) for _ in range(CONNECTIONS)]
        try:
            load.await_more(5 * CONNECTIONS)
            yield load
        finally:
            load.over.set()
        for each in running:
            each.result(timeout=60)
