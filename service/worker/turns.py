"""The order in which the connections of several peers have their turns."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator

from service.worker.connection import Connection
from service.worker.environ import peer_of


class Turns:
    """Connections that wait for a turn: one of each peer has one, then another one of each.

    So a client that has thousands of connections waits for itself. Those of a peer keep their
    order.
    """

    def __init__(self, connections: Iterable[Connection] = ()) -> None:
        self._of_peers: dict[str, deque[Connection]] = {}  # the peer served last comes last
        self._count = 0
        for connection in connections:
            self.add(connection)

    def __len__(self) -> int:
        """The number of connections."""
        return self._count

    def add(self, connection: Connection) -> None:
        """Adds a connection, behind those of its peer."""
        peer = peer_of(connection)
        own = self._of_peers.get(peer)
        if own is None:
            self._of_peers[peer] = own = deque()
        own.append(connection)
        self._count += 1

    def take(self, seconds: float) -> Iterator[Connection]:
        """Takes the next ones for so many `seconds`, but none that are added meanwhile.

        It takes one, however long that takes.
        """
        end = time.monotonic() + seconds
        for _ in range(self._count):
            yield self._next()
            if time.monotonic() > end:
                break

    def _next(self) -> Connection:
        """Takes the next connection."""
        peer = next(iter(self._of_peers))
        own = self._of_peers.pop(peer)
        connection = own.popleft()
        if own:
            self._of_peers[peer] = own
        self._count -= 1
        return connection
