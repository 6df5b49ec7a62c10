"""Proxies that count round trips, can be closed and opened, or lose a reply."""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress
from pathlib import Path

Place = int | str
"""A port of 127.0.0.1, or the path of a socket."""


class CountingProxy:
    """A proxy to the server at `upstream`. It listens at the path `place`, or else at a free port.

    A round trip is a request, or several sent at once, with the response. Those of a sentinel
    aren't counted, as it asks by its own clock: it names its connections first.
    """

    def __init__(self, upstream: Place, place: str = "") -> None:
        self.upstream = upstream
        self.trips = 0
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self._listener = _listening(place or 0)
        self.place: Place = place or self._listener.getsockname()[1]
        self.open()

    def open(self) -> None:
        """Accepts clients, always at the same place."""
        if self._listener.fileno() < 0:
            self._listener = _listening(self.place)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def close(self) -> None:
        """Accepts no more clients, and closes all connections."""
        with self._lock:
            ends = [self._listener, *self._ends]
            self._ends.clear()
        for end in ends:
            with suppress(OSError):  # never connected, or closed by the other side
                end.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _loses(self, request: bytes) -> bool:
        """Whether the reply to this request gets lost."""
        del request
        return False

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:  # closed
                return
            try:
                server = _connected(self.upstream)
            except OSError:  # it has ended
                client.close()
                continue
            with self._lock:
                self._ends |= {client, server}
            threading.Thread(target=self._pass_on, args=(client, server), daemon=True).start()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        asked = sentinel = loses = False
        with client, server, selectors.DefaultSelector() as selector, suppress(OSError):
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in selector.select():
                    end, other = (client, server) if key.data is server else (server, client)
                    data = end.recv(1 << 20)
                    if not data:
                        return
                    if end is server and loses:
                        return
                    sentinel |= end is client and b"sentinel-" in data
                    loses |= end is client and self._loses(data)
                    if end is server and asked and not sentinel:
                        with self._lock:
                            self.trips += 1
                    asked = end is client
                    other.sendall(data)


class DroppingProxy(CountingProxy):
    """A proxy that loses the reply to a command with `word`.

    The command has run by the time that the connection is closed. With `for_good` nobody can
    connect afterwards.
    """

    def __init__(self, word: bytes, *, for_good: bool = False) -> None:
        self.word, self.for_good, self.lost = word, for_good, 0
        super().__init__(0)
        self.port = int(self.place)

    def _loses(self, request: bytes) -> bool:
        if self.word not in request:
            return False
        self.lost += 1
        if self.for_good:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        return True


def _listening(place: Place) -> socket.socket:
    if isinstance(place, int):
        return socket.create_server(("127.0.0.1", place))
    Path(place).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen()
    return listener


def _connected(place: Place) -> socket.socket:
    if isinstance(place, int):
        return socket.create_connection(("127.0.0.1", place))
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(place)
    return connection
