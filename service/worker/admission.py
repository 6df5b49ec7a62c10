"""Which large requests a worker handles now, and which wait."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import NamedTuple

from service.worker.connection import Connection, Phase
from service.worker.waiters import FAIR_SHARE

MAX_LARGE_REQUESTS = 256
"""How many large requests (batches, and bodies over 64 KiB) have a slot at a time."""

_LOOKED_AT = 64
"""How many of the clients that wait are compared for each free slot."""

MAX_LARGE_BYTES = 192 << 20
"""How many bytes of their bodies are kept at a time. Two workers must not fill a disk for temporary
files of 512 MiB."""

LARGE_SECONDS = 10.0
"""How long a client may keep a slot while others wait for one."""


class _Admitted(NamedTuple):
    """Whose request has a slot, and since when."""

    client: str
    at: float


class Admission:
    """The slots for large requests, and the connections that wait for one, by client.

    A free slot goes to the client that has the fewest. So a client that sends a thousand requests
    waits for itself. The worker's loop alone uses it. Times are those of `time.monotonic`, in
    seconds.
    """

    def __init__(self, slots: int = MAX_LARGE_REQUESTS, most_bytes: int = MAX_LARGE_BYTES) -> None:
        self._slots, self._most_bytes = slots, most_bytes
        self._admitted: dict[Connection, _Admitted] = {}  # the earliest first
        self._queued: dict[Connection, str] = {}
        self._queues: dict[str, dict[Connection, None]] = {}  # the client served last comes last

    def __contains__(self, connection: object) -> bool:
        """Whether `connection` has a slot."""
        return connection in self._admitted

    def admit(self, connection: Connection, client: str, now: float) -> bool:
        """Gives `connection` of `client` a slot if one is free, else has it wait.

        Returns whether it has a slot.
        """
        if connection not in self._admitted:
            if len(self._admitted) >= self._slots:
                self._queued[connection] = client
                self._queues.setdefault(client, {})[connection] = None
                return False
            self._admitted[connection] = _Admitted(client, now)
        return True

    def release(self, connection: Connection) -> None:
        """Takes `connection` out of its slot or out of the queue, if it is in either."""
        self._admitted.pop(connection, None)
        client = self._queued.pop(connection, None)
        if client is not None:
            own = self._queues.pop(client)
            del own[connection]
            if own:
                self._queues[client] = own

    def pop_next(self) -> tuple[Connection, str] | None:
        """Removes the next connection from the queue, and returns it with its client.

        Returns None if no slot is free or nothing waits.
        """
        if not self._queues or len(self._admitted) >= self._slots:
            return None
        client = self._next_client(self._slots_of())
        connection = next(iter(self._queues[client]))
        self.release(connection)
        return connection, client

    def in_excess(self) -> Connection | None:
        """The connection that must give up its slot to a client that has fewer.

        Its client has more than its share of the slots (`FAIR_SHARE`), and the next one in the
        queue has less. It waits for its client, and nothing has come from there for longest. None
        if there is none.
        """
        if not self._queues:
            return None
        share = self._slots // FAIR_SHARE
        slots_of = self._slots_of()
        ((client, most),) = slots_of.most_common(1)
        if most <= share or slots_of[self._next_client(slots_of)] >= share:
            return None
        reading = [
            each
            for each, admitted in self._admitted.items()
            if admitted.client == client and each.phase is Phase.READING
        ]
        return min(reading, key=lambda each: each.moved_at, default=None)

    def _slots_of(self) -> Counter[str]:
        """How many slots each client has."""
        return Counter(each.client for each in self._admitted.values())

    def _next_client(self, slots_of: Counter[str]) -> str:
        """The client whose request gets the next slot."""
        return min(islice(self._queues, _LOOKED_AT), key=slots_of.__getitem__)

    def slow(self, now: float) -> list[Connection]:
        """The connections that must give up their slots to those in the queue.

        These wait for their clients and were admitted more than `LARGE_SECONDS` ago; the earliest
        come first, and there are at most as many as wait in the queue.
        """
        if not self._queued:
            return []
        waiting = (Phase.READING, Phase.WRITING)
        overdue = [
            connection
            for connection, admitted in self._admitted.items()
            if admitted.at < now - LARGE_SECONDS and connection.phase in waiting
        ]
        return overdue[: len(self._queued)]

    def one_too_many(self) -> Connection | None:
        """The connection that must give up its slot because the bodies have too many bytes in all.

        It is the one that has sent the most of a body that is still incomplete. None if the bodies
        don't have too many, or if all are complete. A client that sends slowly can thus only keep
        as much from others as it has sent.
        """
        bodies = {each: each.body_bytes for each in self._admitted}
        if sum(bodies.values()) <= self._most_bytes:
            return None
        incomplete = [each for each in bodies if each.phase is Phase.READING]
        return max(incomplete, key=bodies.__getitem__, default=None)
