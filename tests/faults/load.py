"""Connections that are kept, each with one request after another, and what became of them."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.faults.clients import BODY, head
from tests.live import Service
from tests.sessions.servers import until

CONNECTIONS = 32

REQUEST = head(f"Content-Length: {len(BODY)}") + b"\r\n" + BODY


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
        try:
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        except OSError:
            self._count("refused")
            return False
        lost = "unaccepted"
        with connection:
            while not self.over.is_set():
                response = _response(connection)
                if not response.endswith(b"}"):
                    self._count(lost)
                    return True
                assert response.startswith(b"HTTP/1.1 200 "), response
                self._count("answered")
                lost = "broken"
                if b"\r\nConnection: close\r\n" in response:
                    self._count("closed")
                    return True
        return True

    def _count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1


def _response(connection: socket.socket) -> bytes:
    """The response to a request; cut short if the connection ends."""
    response = b""
    try:
        connection.sendall(REQUEST)
        while not response.endswith(b"}"):
            received = connection.recv(1 << 16)
            if not received:
                break
            response += received
    except OSError:
        pass
    return response


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
