"""What the loop waits for: events on files and sockets, and the deadlines of connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any

from service.worker.connection import Connection, Phase

READ, WRITE = EVENT_READ, EVENT_WRITE

_INCOMPLETE = (Phase.READING, Phase.QUEUED, Phase.CLOSING)


class Watched:
    """The connections of a worker, and its other files. The worker's loop alone uses it.

    `ready` is how many connections had an event in the last round.
    """

    def __init__(self) -> None:
        self._selector = DefaultSelector()
        self.ready = 0
        self._connections: set[Connection] = set()
        self._idle: dict[Connection, None] = {}  # the longest idle first

    def __len__(self) -> int:
        """The number of connections."""
        return len(self._connections)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._connections)

    def call(self, file: Any, react: Callable[[Any], object]) -> None:
        """Waits for something to read from `file`, with which `react` is then called."""
        self._selector.register(file, READ, react)

    def ignore(self, file: Any) -> None:
        """Ends the wait for a file."""
        self._selector.unregister(file)

    def select(self, seconds: float) -> list[Connection]:
        """Waits up to `seconds`, reacts to files, and returns the connections with an event."""
        ready = []
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, Connection):
                ready.append(key.data)
            else:
                key.data(key.fileobj)
        self.ready = len(ready)
        return ready

    def add(self, connection: Connection) -> None:
        """Adds a new connection."""
        self._connections.add(connection)

    def discard(self, connection: Connection) -> None:
        """Removes a connection that waits for no event any more."""
        self._idle.pop(connection, None)
        self._connections.discard(connection)

    def enter(self, connection: Connection, phase: Phase, seconds: float, event: int = 0) -> None:
        """Begins `phase`, in which the connection waits for `event` on its socket, if any."""
        if connection.event and event:
            if event != connection.event:
                self._selector.modify(connection.sock, event, connection)
        elif event:
            self._selector.register(connection.sock, event, connection)
        elif connection.event:
            self._selector.unregister(connection.sock)
        connection.event = event
        if phase is Phase.IDLE:
            self._idle[connection] = None
        else:
            self._idle.pop(connection, None)
        connection.enter(phase, seconds)

    def overdue(self, now: float) -> list[Connection]:
        """The connections whose deadline has passed."""
        return [each for each in self._connections if each.deadline <= now]

    def end_idle(self, seconds: float) -> None:
        """Lets connections be idle for `seconds` from now, if not for less."""
        end = time.monotonic() + seconds
        for connection in self._idle:
            connection.deadline = min(connection.deadline, end)

    def least_useful(self) -> Connection | None:
        """The connection that has been idle longest, or else incomplete longest, if any is."""
        oldest: Connection | None = next(iter(self._idle), None)
        if oldest is None:
            incomplete = [each for each in self._connections if each.phase in _INCOMPLETE]
            oldest = min(incomplete, key=lambda each: each.since, default=None)
        return oldest
