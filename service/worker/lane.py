"""Threads, and the connections that wait for one of them."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from service.api.http.health import READY
from service.api.sessions.answers import PATH as SESSIONS
from service.worker.connection import Connection
from service.worker.request import Request

BATCH_THREADS = 32
"""How many batches have a thread at a time. One of them computes, in turn."""

ADVICE = ("/advise", "/advice", "/review")
"""How the paths of advice end; it may take hundreds of milliseconds."""

Work = Callable[[Connection], None]


class Lane:
    """Up to `most` threads, started when needed, that call `work` with connections.

    Only the thread that owns the lane calls `put` and `done`. The threads are daemons, so that a
    worker can stop without waiting for a client.
    """

    def __init__(self, most: int, work: Work) -> None:
        self.most = most
        self._work = work
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
            self._work(self._queue.get())


class Lanes:
    """The lanes of a worker: each kind of request has its own threads, so that none delays another.

    Batches compute for long, advice may, and sessions wait for the store, as `/readyz?store` does.
    """

    def __init__(self, threads: int, work: Work) -> None:
        """`threads` are those of gunicorn's setting, which is THREADS unless it is overridden."""
        self._ordinary = Lane(threads, work)
        self._advice = Lane(threads, work)
        self._advice_in_sessions = Lane(threads, work)
        self._sessions = Lane(threads, work)
        self._batches = Lane(BATCH_THREADS, work)
        self._lane_of: dict[Connection, Lane] = {}

    def lane(self, request: Request) -> Lane:
        """The lane for `request`."""
        if request.is_batch:
            return self._batches
        advice = request.path_info.endswith(ADVICE)
        if request.path_info.startswith((SESSIONS, READY)):  # READY with `?store`
            return self._advice_in_sessions if advice else self._sessions
        return self._advice if advice else self._ordinary

    def put(self, connection: Connection, request: Request) -> None:
        """Has a thread work on `connection`, whose request is `request`."""
        lane = self.lane(request)
        lane.put(connection)
        self._lane_of[connection] = lane

    def done(self, connection: Connection) -> None:
        """Notes that the work on `connection` has ended."""
        self._lane_of.pop(connection).done()
