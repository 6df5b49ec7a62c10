"""Threads for one kind of requests."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Task = Callable[[], object]


class ThreadPool:
    """Up to `most` threads, started when needed.

    They are daemons, unlike those of `concurrent.futures`, so that a worker can stop without
    waiting for them. Only the loop calls `put` and `done`.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._queue: SimpleQueue[Task] = SimpleQueue()
        self._threads = 0
        self._under_way = 0

    def put(self, task: Task) -> None:
        """Queues `task`, which must not raise, for the next thread that is free.

        If there is none and none can be started, it raises RuntimeError and queues nothing.
        """
        if self._threads < min(self._under_way + 1, self._most):
            try:
                Thread(target=self._run, daemon=True).start()
            except RuntimeError:  # the system allows no more now: go on with those that run
                if not self._threads:
                    raise
            else:
                self._threads += 1
        self._under_way += 1
        self._queue.put(task)

    def done(self) -> None:
        """Notes that a task has ended."""
        self._under_way -= 1

    def _run(self) -> None:
        while True:
            self._queue.get()()
