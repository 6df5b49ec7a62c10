"""What the connections of a worker share, and who of them has a turn, a slot, or to make room."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.worker.client import BODY_BYTES
from service.worker.connection import Connection
from service.worker.fairness import LARGE_SECONDS, MAX_LARGE_BYTES, Admission, Turns, Waiters
from service.worker.hooks import Hooks
from service.worker.listening import Listening
from service.worker.refusal import Refusal
from service.worker.request import Request

ROUND_SECONDS = 0.01
"""How long a round of the loop parses and answers what has arrived. In a longer one, a client would
wait for all that another has sent over thousands of connections."""

LARGE_SECONDS_A_ROUND = 0.002
"""How long a round goes on with large requests, after all others: at least a part of one."""

WAITING_SHARE = 0.9
"""Which part of its connections a worker lets wait for something else than their clients. The rest
is for new connections."""

_TICK = 1.0

_OVERTAKEN = Refusal("overtaken", seconds=round(LARGE_SECONDS))
_IN_EXCESS = Refusal("in-excess")


class ThreadPool:
    """Up to `most` threads, started when needed.

    They are daemons, unlike those of `concurrent.futures`, so that a worker can stop without
    waiting for them. Only the loop calls `put` and `done`.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._queue: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._threads = 0
        self._under_way = 0

    def put(self, task: Callable[[], object]) -> None:
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


class Server:
    """The connections of a worker. Only its loop uses this, but for `call`.

    A client may stall for `stall_seconds`, and has `linger_seconds` to close its end after the last
    response. A connection may be idle for `idle_seconds`. `beat` is called once a second, and
    `count_response` for each response. `connections` are open, `idle` those that wait for a
    request, the longest idle first. `arrived` counts how often something has arrived; `buffer` is
    where it is received.
    """

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        hooks: Hooks,
        cfg: Config,
        log: Logger,
        beat: Callable[[], object],
        count_response: Callable[[], object],
    ) -> None:
        self.app, self.hooks, self.log = app, hooks, log
        self._cfg, self._beat, self._count_response = cfg, beat, count_response
        self.idle_seconds = float(cfg.keepalive)
        self.stall_seconds = self.linger_seconds = 0.0
        self.loop = asyncio.get_running_loop()
        self.stopping = False
        self.connections: set[Connection] = set()
        self.idle: dict[Connection, None] = {}
        self.pools = {work: ThreadPool(kind.threads) for work, kind in hooks.kinds.items()}
        self.buffer = memoryview(bytearray(BODY_BYTES))
        self.arrived = 0
        self._opening: dict[Connection, asyncio.Task[Any]] = {}
        self._turns, self._large_turns = Turns(), Turns()
        self._admission = Admission()
        self._waiters = Waiters()
        self._timers: dict[Connection, asyncio.TimerHandle] = {}

    async def serve(self, listeners: Sequence[socket.socket], stop: asyncio.Event) -> None:
        """Serves until `stop` is set; then finishes what is under way."""
        self._listening = Listening(self, listeners, self._cfg.worker_connections)
        self._max_waiting = int(self._listening.max_connections * WAITING_SHARE)
        self._tick()
        await stop.wait()
        self.stopping = True
        self.idle_seconds = self.linger_seconds
        await self._listening.end()
        for connection in [*self._waiters]:
            connection.attempt(connection.resume)
        end = time.monotonic() + self.linger_seconds
        for connection in self.idle:  # in case a request is on its way
            connection.deadline = min(connection.deadline, end)
        end = time.monotonic() + self._cfg.graceful_timeout
        while self.count and time.monotonic() < end:
            await asyncio.sleep(0.05)
        for connection in [*self.connections]:
            connection.close()
        await asyncio.sleep(0)  # until they are closed

    def call(self, step: Callable[..., object], *arguments: object) -> None:
        """Has the loop call `step`; any thread may call this."""
        with suppress(RuntimeError):  # the worker has ended
            self.loop.call_soon_threadsafe(step, *arguments)

    def _client(self, connection: Connection, request: Request) -> str:
        """The client that sent `request`: its address or network."""
        return self.hooks.client_of(connection.peer, request.header("X-FORWARDED-FOR"))

    @property
    def count(self) -> int:
        """How many connections there are."""
        return len(self.connections) + len(self._opening)

    def open(self, sock: socket.socket, connection: Connection) -> None:
        """Begins with a connection that was accepted."""
        opening = self.loop.connect_accepted_socket(lambda: connection, sock)
        self._opening[connection] = self.loop.create_task(opening)

    def opened(self, connection: Connection) -> None:
        """Notes that a connection can be used."""
        del self._opening[connection]
        self.connections.add(connection)

    def forget(self, connection: Connection) -> None:
        """Forgets a connection that is closed."""
        self.connections.discard(connection)
        self.idle.pop(connection, None)
        self.end_wait(connection)
        self.release(connection)

    def answered(self, connection: Connection) -> None:
        """Notes that a response has been sent."""
        if connection in self._admission:
            self.release(connection)
        self._count_response()

    # Turns.

    def give_turn(self, connection: Connection) -> None:
        """Has `connection` go on in one of the next rounds."""
        if connection.has_turn:
            return
        connection.has_turn = True
        if not (self._turns or self._large_turns):
            self.loop.call_soon(self._take_turns)
        large = connection in self._admission
        (self._large_turns if large else self._turns).add(connection)

    def _take_turns(self) -> None:
        """Gives the next connections their turns, one of each peer after the other.

        Those with large requests have less time, or all others would wait for each part of many
        uploads. Those for which the time doesn't suffice have their turns in the next round.
        """
        for turns, seconds in (
            (self._turns, ROUND_SECONDS),
            (self._large_turns, LARGE_SECONDS_A_ROUND),
        ):
            if turns:
                for connection in turns.take(seconds):
                    self.arrived += 1
                    connection.attempt(connection.take_turn)
        if self._turns or self._large_turns:
            self.loop.call_soon(self._take_turns)

    # Large requests.

    def admit(self, connection: Connection) -> bool:
        """Gives a large request a slot, or has it wait; returns whether it has one."""
        request = connection.incoming.request
        if request is None or connection in self._admission:
            return True
        admitted = self._admission.admit(connection, self._client(connection, request))
        connection.large_since = time.monotonic()
        if not admitted:
            self._evict_in_excess()
        return admitted

    def release(self, connection: Connection) -> None:
        """Frees the slot of a large request, if it has one, for the next in the queue."""
        following = self._admission.release(connection)
        if following is not None:
            following.large_since = time.monotonic()
            self.loop.call_soon(following.attempt, following.leave_queue)

    def evict_largest(self) -> None:
        """Refuses a large request if the bodies of all have too many bytes."""
        connection = self._admission.one_too_many()
        if connection is not None:
            refusal = Refusal(
                "bodies-too-large", limit=MAX_LARGE_BYTES >> 20, count=connection.body_bytes
            )
            connection.attempt(connection.refuse_largest, refusal)

    def _evict_in_excess(self) -> None:
        """Refuses a large request whose client has too many, if another client waits."""
        connection = self._admission.in_excess()
        if connection is not None:
            connection.attempt(connection.time_out, _IN_EXCESS)

    # Requests that wait.

    def wait(self, connection: Connection, request: Request, seconds: float) -> None:
        """Has `request` go on after so many `seconds`.

        If too many wait, another goes on now; its connection is idle then, and can be closed for a
        new one.
        """
        self._waiters.add(connection, self._client(connection, request))
        self._timers[connection] = self.loop.call_later(
            seconds, connection.attempt, connection.resume
        )
        if len(self._waiters) > self._max_waiting:
            other = self._waiters.one_too_many(connection)
            other.attempt(other.give_up)

    def end_wait(self, connection: Connection) -> None:
        """Ends the wait of a connection, if it waits."""
        if self._waiters.discard(connection) is not None:
            self._timers.pop(connection).cancel()

    # What is due after some time.

    def _tick(self) -> None:
        """Does what is due once a second."""
        self.loop.call_later(_TICK, self._tick)
        self._beat()
        if not self.stopping:
            self._listening.resume()
        self.hooks.note(self._listening.max_connections, self.count, len(self._waiters))
        self.end_overdue(time.monotonic())

    def end_overdue(self, now: float) -> None:
        """Ends the waits for clients that have lasted too long."""
        for connection in [each for each in self.connections if each.is_overdue(now)]:
            connection.attempt(connection.time_out)
        for connection in self._admission.slow(now):
            connection.attempt(connection.time_out, _OVERTAKEN)
        self._evict_in_excess()
