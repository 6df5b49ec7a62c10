"""Many clients of one kind at once, and ordinary requests at the same time."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from tests.live import JSON, Service
from tests.worker.raw import BODY, EVALUATE

ORDINARY = 100
"""How many ordinary requests are sent beside such clients."""


def ordinary(service: Service) -> float:
    """Sends `ORDINARY` evaluations over new connections, four at a time. Fails unless each gets 200
    before its client gives up, after a minute; returns the seconds of the slowest, which are
    printed and not judged.
    """

    def ask(_: int) -> float:
        began = time.monotonic()
        assert service.ask("POST", EVALUATE, BODY, {"Content-Type": JSON}).status == 200
        return time.monotonic() - began

    with ThreadPoolExecutor(4) as pool:
        return max(pool.map(ask, range(ORDINARY)))


Act = Callable[[socket.socket], None]


@contextmanager
def crowd(
    service: Service, first: bytes, again: Act | None = None, *, size: int = 500, reads: bool = True
) -> Iterator[None]:
    """`size` connections that send `first`; `again` does something to each every 0.2 seconds.

    Those that read open another connection when the service closes theirs.
    """
    clients = _Crowd(service.port, first, again)
    clients.fill(size)
    keeper = threading.Thread(target=clients.keep, args=(size,))
    if reads:
        keeper.start()
    try:
        yield
    finally:
        clients.over.set()
        if reads:
            keeper.join()
        clients.close()


class _Crowd:
    def __init__(self, port: int, first: bytes, again: Act | None) -> None:
        self._port, self._first, self._again = port, first, again
        self._selector = selectors.DefaultSelector()
        self._open: set[socket.socket] = set()
        self.over = threading.Event()

    def fill(self, size: int) -> None:
        while len(self._open) < size:
            client = socket.create_connection(("127.0.0.1", self._port), timeout=60)
            client.sendall(self._first)
            client.setblocking(False)
            self._selector.register(client, selectors.EVENT_READ)
            self._open.add(client)

    def keep(self, size: int) -> None:
        """Replaces closed connections and calls `again`, until `over` is set."""
        due = time.monotonic()
        while not self.over.is_set():
            for key, _ in self._selector.select(0.05):
                client = key.fileobj
                assert isinstance(client, socket.socket)
                if self._closed(client):
                    self._leave(client)
            if self._again is not None and time.monotonic() >= due:
                due = time.monotonic() + 0.2
                for client in list(self._open):
                    try:
                        self._again(client)
                    except OSError:
                        self._leave(client)
            self.fill(size)

    def _closed(self, client: socket.socket) -> bool:
        try:
            return not client.recv(65536)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _leave(self, client: socket.socket) -> None:
        self._selector.unregister(client)
        self._open.discard(client)
        client.close()

    def close(self) -> None:
        for client in list(self._open):
            self._leave(client)
