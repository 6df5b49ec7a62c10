"""Threads, and the connections that wait for one of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from queue import SimpleQueue
from threading import Thread

from service.worker.connection import Connection
from service.worker.hooks import Kind
from service.worker.request import Request

Task = Callable[[Connection], None]


class Lane:
    """Up to `most` threads, started when needed, that call `task` with connections.

    Only the thread that owns the lane calls `put` and `done`. The threads are daemons, so that a
    worker can stop without waiting for a client.
    """

    def __init__(self, most: int, task: Task) -> None:
        self.most = most
        self._task = task
        self._queue: SimpleQueue[Connection] = SimpleQueue()
        self._threads = 0
        self._under_way = 0

    def put(self, connection: Connection) -> None:
        """Queues `connection` for the next thread that is free.

        If there is none and none can be started, it raises RuntimeError and queues nothing.
        """
        if self._threads < min(self._under_way + 1, self.most):
            try:
                Thread(target=self._run, daemon=True).start()
            except RuntimeError:  # the system allows no more now: go on with those that run
                if not self._threads:
                    raise
            else:
                self._threads += 1
        self._under_way += 1
        self._queue.put(connection)

    def done(self) -> None:
        """Notes that the work on one connection has ended."""
        self._under_way -= 1

    def _run(self) -> None:
        while True:
            self._task(self._queue.get())


class Lanes:
    """The lanes of a worker: each kind of work has its own."""

    def __init__(self, kinds: Mapping[Hashable, Kind], task: Task) -> None:
        self.lane = {work: Lane(kind.threads, task) for work, kind in kinds.items()}
        self._lane_of: dict[Connection, Lane] = {}

    def put(self, connection: Connection, request: Request) -> None:
        """Has a thread work on `connection`, whose request is `request`."""
        lane = self.lane[request.work]
        lane.put(connection)
        self._lane_of[connection] = lane

    def done(self, connection: Connection) -> None:
        """Notes that the work on `connection` has ended."""
        self._lane_of.pop(connection).done()
