"""Threads, and the connections that wait for one of them."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from service.worker.connection import Connection


class Lane:
    """At most `threads` threads, started as they are needed, that call `work` with connections.

    `put` and `done` are for the one thread that owns the lane. The threads are daemons: a worker
    that has to stop does not wait for a client.
    """

    def __init__(self, threads: int, work: Callable[[Connection], None]) -> None:
        self._most, self._work = threads, work
        self._queue: SimpleQueue[Connection] = SimpleQueue()
        self._threads = 0
        self._under_way = 0

    def put(self, connection: Connection) -> None:
        """Has a thread work on `connection`, as soon as one is free."""
        self._under_way += 1
        self._queue.put(connection)
        if self._threads < min(self._under_way, self._most):
            try:
                Thread(target=self._run, daemon=True).start()
            except RuntimeError:  # the system allows no more: those there are must do
                if not self._threads:
                    raise
                self._most = self._threads
            else:
                self._threads += 1

    def done(self) -> None:
        """Says that the work on one connection has ended."""
        self._under_way -= 1

    def _run(self) -> None:
        while True:
            self._work(self._queue.get())
