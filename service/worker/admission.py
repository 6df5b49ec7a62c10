"""Which large requests a worker handles now, and which wait."""

from __future__ import annotations

from service.worker.connection import Connection, Phase

MAX_LARGE_REQUESTS = 256
"""How many large requests (batches, and bodies over 64 KiB) have a slot at a time."""

MAX_LARGE_BYTES = 192 << 20
"""How many bytes of their bodies are kept at a time. Two workers must not fill a disk for temporary
files of 512 MiB."""

LARGE_SECONDS = 10.0
"""How long a client may keep a slot while others wait for one."""


class Admission:
    """The slots for large requests, and the queue of connections that wait for one.

    The worker's loop alone uses it. Times are those of `time.monotonic`, in seconds.
    """

    def __init__(self, slots: int = MAX_LARGE_REQUESTS, most_bytes: int = MAX_LARGE_BYTES) -> None:
        self._slots, self._most_bytes = slots, most_bytes
        self._admitted: dict[Connection, float] = {}  # when each was admitted, in that order
        self._queue: dict[Connection, None] = {}

    def __contains__(self, connection: object) -> bool:
        """Whether `connection` has a slot."""
        return connection in self._admitted

    def admit(self, connection: Connection, now: float) -> bool:
        """Gives `connection` a slot if one is free, else appends it to the queue.

        Returns whether it has a slot.
        """
        if connection not in self._admitted:
            if len(self._admitted) >= self._slots:
                self._queue[connection] = None
                return False
            self._admitted[connection] = now
        return True

    def release(self, connection: Connection) -> None:
        """Takes `connection` out of its slot or out of the queue, if it is in either."""
        self._admitted.pop(connection, None)
        self._queue.pop(connection, None)

    def pop_next(self) -> Connection | None:
        """Removes the first connection from the queue, if a slot is free for it.

        Returns None if no slot is free or nothing waits.
        """
        if not self._queue or len(self._admitted) >= self._slots:
            return None
        first = next(iter(self._queue))
        del self._queue[first]
        return first

    def slow(self, now: float) -> list[Connection]:
        """The connections that must give up their slots to those in the queue.

        These wait for their clients and were admitted more than `LARGE_SECONDS` ago; the earliest
        come first, and there are at most as many as wait in the queue.
        """
        if not self._queue:
            return []
        waiting = (Phase.READING, Phase.WRITING)
        overdue = [
            connection
            for connection, admitted_at in self._admitted.items()
            if admitted_at < now - LARGE_SECONDS and connection.phase in waiting
        ]
        return overdue[: len(self._queue)]

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
