"""The order in which the connections of several peers have their turns."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.worker.connection import Connection


class Turns:
    """Connections that wait for a turn: one of each peer has one, then another one of each.

    So a client that has thousands of connections waits for itself. Those of a peer keep their
    order.
    """

    def __init__(self) -> None:
        # the peer served last comes last
        self._of_peers: defaultdict[str, deque[Connection]] = defaultdict(deque)

    def __bool__(self) -> bool:
        return bool(self._of_peers)

    def add(self, connection: Connection) -> None:
        """Adds a connection, behind those of its peer."""
        self._of_peers[connection.peer].append(connection)

    def take(self, seconds: float) -> Iterator[Connection]:
        """Takes the next ones for so many `seconds`, but none that are added meanwhile.

        It takes one, however long that takes.
        """
        end = time.monotonic() + seconds
        for _ in range(sum(map(len, self._of_peers.values()))):
            peer = next(iter(self._of_peers))
            own = self._of_peers.pop(peer)
            connection = own.popleft()
            if own:
                self._of_peers[peer] = own
            yield connection
            if time.monotonic() > end:
                break
