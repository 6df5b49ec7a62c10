"""Who is next, and who has to make room."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from service.worker.client import Phase

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


FAIR_SHARE = 16
"""A client that has more than this part of what all share, such as places to wait, makes room for
itself only."""


class Waiters:
    """Connections that wait, the longest waiting first, and those `of` each client.

    The client of which one was discarded last comes last.
    """

    def __init__(self) -> None:
        self._client: dict[Connection, str] = {}
        self.of: dict[str, dict[Connection, None]] = {}

    def __len__(self) -> int:
        return len(self._client)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._client)

    def __contains__(self, connection: object) -> bool:
        return connection in self._client

    def add(self, connection: Connection, client: str) -> None:
        """Adds a connection of `client`."""
        self._client[connection] = client
        self.of.setdefault(client, {})[connection] = None

    def discard(self, connection: Connection) -> str | None:
        """Removes a connection, and returns its client; None if it isn't there."""
        client = self._client.pop(connection, None)
        if client is not None:
            own = self.of.pop(client)
            del own[connection]
            if own:
                self.of[client] = own
        return client

    def one_too_many(self, latest: Connection) -> Connection:
        """The one that must go on so that `latest`, which waits already, can wait.

        It is the one that has waited longest: of all, or of the client of `latest`, if that has
        more than its share. So who waits a thousand times ends its own waits, not those of others.
        """
        own = self.of[self._client[latest]]
        return next(iter(own if len(own) * FAIR_SHARE > len(self) else self._client))


MAX_LARGE_REQUESTS = 256
"""How many large requests (batches, and bodies over 64 KiB) have a slot at a time."""

_LOOKED_AT = 64
"""How many of the clients that wait are compared for each free slot."""

MAX_LARGE_BYTES = 192 << 20
"""How many bytes of their bodies are kept at a time. Two workers must not fill a disk for temporary
files of 512 MiB."""

LARGE_SECONDS = 10.0
"""How long a client may keep a slot while others wait for one."""


class Admission:
    """The slots for large requests, and the queue for them.

    A free slot goes to the client that has the fewest. So a client that sends a thousand requests
    waits for itself.
    """

    def __init__(self, slots: int = MAX_LARGE_REQUESTS, most_bytes: int = MAX_LARGE_BYTES) -> None:
        self._slots, self._most_bytes = slots, most_bytes
        self._admitted = Waiters()  # for their ends
        self._queued = Waiters()

    def __contains__(self, connection: object) -> bool:
        """Whether `connection` has a slot."""
        return connection in self._admitted

    def admit(self, connection: Connection, client: str) -> bool:
        """Gives `connection` of `client` a slot if one is free, else has it wait.

        Returns whether it has a slot.
        """
        if len(self._admitted) < self._slots:
            self._admitted.add(connection, client)
            return True
        self._queued.add(connection, client)
        return False

    def release(self, connection: Connection) -> Connection | None:
        """Takes `connection` out of its slot or out of the queue, if it is in either.

        Gives a free slot to the next in the queue, and returns that.
        """
        self._queued.discard(connection)
        if self._admitted.discard(connection) is None or not self._queued:
            return None
        client = self._next_client()
        following = next(iter(self._queued.of[client]))
        self._queued.discard(following)
        self._admitted.add(following, client)
        return following

    def in_excess(self) -> Connection | None:
        """The connection that must give up its slot to a client that has fewer.

        Its client has more than its share of the slots (`FAIR_SHARE`), and the next one in the
        queue has less. It waits for its client, and nothing has come from there for longest. None
        if there is none.
        """
        if not self._queued:
            return None
        share = self._slots // FAIR_SHARE
        most = max(self._admitted.of.values(), key=len)
        if len(most) <= share or self._slots_of(self._next_client()) >= share:
            return None
        reading = (each for each in most if each.phase is Phase.READING)
        return min(reading, key=lambda each: each.moved_at, default=None)

    def slow(self, now: float) -> list[Connection]:
        """The connections that must give up their slots to those in the queue.

        These wait for their clients and were admitted more than `LARGE_SECONDS` ago; the earliest
        come first, and there are at most as many as wait in the queue.
        """
        if not self._queued:
            return []
        overdue = (
            each
            for each in self._admitted
            if each.large_since < now - LARGE_SECONDS
            and each.phase in (Phase.READING, Phase.WRITING)
        )
        return list(islice(overdue, len(self._queued)))

    def one_too_many(self) -> Connection | None:
        """The connection that must give up its slot because the bodies have too many bytes in all.

        It is the one that has sent the most of a body that is still incomplete. None if the bodies
        don't have too many, or if all are complete. A client that sends slowly can thus only keep
        as much from others as it has sent.
        """
        bodies = {each: each.body_bytes for each in self._admitted}
        if sum(bodies.values()) <= self._most_bytes:
            return None
        incomplete = (each for each in bodies if each.phase is Phase.READING)
        return max(incomplete, key=bodies.__getitem__, default=None)

    def _slots_of(self, client: str) -> int:
        """How many slots a client has."""
        return len(self._admitted.of.get(client, ()))

    def _next_client(self) -> str:
        """The client whose request gets the next slot."""
        return min(islice(self._queued.of, _LOOKED_AT), key=self._slots_of)
