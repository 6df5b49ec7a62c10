"""The connections whose requests wait for something else than their clients."""

from __future__ import annotations

import time
from heapq import heapify, heappop, heappush
from itertools import count

from service.worker.connection import Connection

FAIR_SHARE = 16
"""A client that has more than this part of what all share, such as places to wait, makes room for
itself only."""

_SPARE = 64
"""How many entries may be in the heap beside twice those that are needed."""


class Waiters:
    """Those that wait, and when each goes on, in seconds of `time.monotonic`.

    The worker's loop alone uses it.
    """

    def __init__(self) -> None:
        self._numbers = count()
        self._waiting: dict[Connection, tuple[float, int]] = {}  # the longest waiting first
        self._by_number: dict[int, Connection] = {}
        self._client: dict[Connection, str] = {}
        self._of_client: dict[
            str, dict[Connection, None]
        ] = {}  # of each, the longest waiting first
        self._heap: list[tuple[float, int]] = []  # and those that have gone on before their time

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, connection: Connection, client: str, due: float) -> None:
        """Adds a connection whose request is from `client`, and which goes on at `due`."""
        entry = (due, next(self._numbers))
        self._waiting[connection] = entry
        self._by_number[entry[1]] = connection
        self._client[connection] = client
        self._of_client.setdefault(client, {})[connection] = None
        heappush(self._heap, entry)

    def discard(self, connection: Connection) -> None:
        """Removes a connection, if it is there."""
        entry = self._waiting.pop(connection, None)
        if entry is None:
            return
        del self._by_number[entry[1]]
        client = self._client.pop(connection)
        own = self._of_client[client]
        del own[connection]
        if not own:
            del self._of_client[client]
        if len(self._heap) > 2 * len(self._waiting) + _SPARE:
            self._heap = [*self._waiting.values()]
            heapify(self._heap)

    def due(self, now: float) -> list[Connection]:
        """Those whose time has come; they stay until they are discarded."""
        found = []
        while self._heap and self._heap[0][0] <= now:
            connection = self._by_number.get(heappop(self._heap)[1])
            if connection is not None:
                found.append(connection)
        return found

    def timeout(self, most: float) -> float:
        """Seconds until the next is due, 0 if one is, and `most` at most."""
        if not self._heap:
            return most
        return min(max(self._heap[0][0] - time.monotonic(), 0.0), most)

    def all(self) -> list[Connection]:
        """All of them, the longest waiting first."""
        return [*self._waiting]

    def one_too_many(self, latest: Connection) -> Connection:
        """The one that must go on so that `latest`, which waits already, can wait.

        It is the one that has waited longest: of all, or of the client of `latest`, if that has
        more than its share. So who waits a thousand times ends its own waits, not those of others.
        """
        own = self._of_client[self._client[latest]]
        return next(iter(own if len(own) * FAIR_SHARE > len(self._waiting) else self._waiting))
