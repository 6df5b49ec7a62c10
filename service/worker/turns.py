"""The order in which the connections of several peers have their turns."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

from service.worker.connection import Connection
from service.worker.environ import peer_of

ROUND_SECONDS = 0.01
"""How long a round of the loop receives, and how long it answers. In a longer one, a client would
wait for all that another has sent over thousands of connections."""


class Turns:
    """Connections that wait for a turn: one of each peer has one, then another one of each.

    So a client that has thousands of connections waits for itself. Those of a peer keep their
    order.
    """

    def __init__(self, connections: Iterable[Connection] = ()) -> None:
        # the peer served last comes last
        self._of_peers: defaultdict[str, deque[Connection]] = defaultdict(deque)
        for connection in connections:
            self.add(connection)

    def __len__(self) -> int:
        """The number of connections."""
        return sum(map(len, self._of_peers.values()))

    def add(self, connection: Connection) -> None:
        """Adds a connection, behind those of its peer."""
        self._of_peers[peer_of(connection)].append(connection)

    def take(self, seconds: float = ROUND_SECONDS) -> Iterator[Connection]:
        """Takes the next ones for so many `seconds`, but none that are added meanwhile.

        It takes one, however long that takes.
        """
        end = time.monotonic() + seconds
        for _ in range(len(self)):
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
        return connection
