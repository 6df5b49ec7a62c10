"""The worker: a loop that waits for all connections, and threads that answer requests."""

from __future__ import annotations

import math
import os
import resource
import selectors
import socket
import sys
import time
from collections import deque

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service.api.http.incoming import STALL_SECONDS
from service.api.sessions.answers import PATH as SESSIONS
from service.worker.connection import Connection, Phase
from service.worker.exchange import Exchange, Next
from service.worker.lane import Lane

STREAMS = 256
"""How many batches, and how many other requests with a long body, a worker reads at a time; further
ones wait."""

PATIENCE = 1.0
"""Seconds that a stream may lag behind the slowest client there should be while others wait."""

LONGEST = 10.0
"""Seconds in all for which a thread may wait for the client of a stream while others wait."""

LINGER_SECONDS = 2.0
"""How long a client has to close its end after the last response on a connection.

Until then the connection isn't closed: if the client were still sending, it would lose the response
(RFC 9112, 9.6). A worker that stops keeps idle connections as long, for a request on its way.
"""

LINGER_BYTES = 1 << 18
"""How much a client may go on sending meanwhile."""

FILES = 1 << 16
"""How many files and sockets a worker would like to be allowed to have open."""

OTHER_FILES = 256
"""How many of them are kept for other uses than connections."""

_TICK = 1.0
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class BufferingWorker(Worker):
    """A gunicorn worker in which a client that stalls, lingers or idles costs no thread.

    Requests are received whole before a thread answers them, and responses that the client doesn't
    take at once are sent by the loop. Sessions, batches, and other requests with a long or chunked
    body have threads of their own.
    """

    @classmethod
    def check_config(cls, cfg: Config, log: Logger) -> None:
        """Exits if gunicorn is set to serve TLS: secrets would go over the wire in the clear."""
        if cfg.is_ssl:
            log.critical("This worker doesn't serve TLS: leave certfile out, and use a proxy.")
            sys.exit(1)

    def init_process(self) -> None:
        """Prepares the loop, and runs it until the worker is to stop."""
        self._selector = selectors.DefaultSelector()
        self._connections: set[Connection] = set()
        self._idle: dict[Connection, None] = {}  # the longest idle first
        self._most = min(self.cfg.worker_connections, max(_files() - OTHER_FILES, 16))
        self._listening = False
        self._next_tick = 0.0
        self._finished: deque[tuple[Connection, Next]] = deque()
        self._woken = False
        self._ordinary = Lane(self.cfg.threads, self._answer)
        self._sessions = Lane(self.cfg.threads, self._answer)
        self._bodies = Lane(STREAMS, self._answer)
        self._batches = Lane(STREAMS, self._answer)
        self._working: dict[Connection, Lane] = {}
        super().init_process()

    def run(self) -> None:
        """Serves until the worker is told to stop; then ends what is under way."""
        self._exchange = Exchange(self.cfg, self.log, self.wsgi, lambda: not self.alive)
        self._selector.register(self.PIPE[0], _READ, self._wake)
        while self.alive and self.ppid == os.getppid():
            self._turn()
        self.alive = False
        self._stop_listening()
        for connection in self._idle:
            connection.deadline = min(connection.deadline, time.monotonic() + LINGER_SECONDS)
        end = time.monotonic() + self.cfg.graceful_timeout
        while self._connections and time.monotonic() < end:
            self._turn()
        for connection in self._connections:
            connection.shut(socket.SHUT_RDWR)

    def _turn(self) -> None:
        """Handles what has happened, or waits until something does."""
        for key, _ in self._selector.select(_TICK):
            if isinstance(key.data, Connection):
                self._ready(key.data)
            else:
                key.data(key.fileobj)
        now = time.monotonic()
        if now >= self._next_tick:
            self._next_tick = now + _TICK
            self._tick(now)

    def _tick(self, now: float) -> None:
        """What is to be done once a second."""
        self.notify()
        self._listen(self.alive)
        for connection in [each for each in self._connections if each.deadline <= now]:
            self._expired(connection)
        self._hurry()

    # What the threads report.

    def _answer(self, connection: Connection) -> None:
        """Answers a request, in a thread of a lane."""
        try:
            then = self._exchange(connection)
            connection.send_more()
        except Exception as error:  # the thread has to go on, whatever happens
            if not isinstance(error, ConnectionError | TimeoutError):
                self.log.exception("Error handling a request of %s", connection.address)
            then = Next.CLOSE
        self._finished.append((connection, then))
        if not self._woken:
            self._woken = True
            os.write(self.PIPE[1], b".")

    def _wake(self, pipe: int) -> None:
        """Takes back the connections that threads have worked on."""
        os.read(pipe, 4096)
        self._woken = False
        while self._finished:
            connection, then = self._finished.popleft()
            self._working.pop(connection).done()
            if then is Next.RECEIVE:
                self._receive(connection)
            elif then is Next.STREAM:
                connection.streams = True
                self._work(connection)
            else:
                connection.keeps = then is Next.KEEP
                self._send(connection)
                self.nr += 1
                if self.nr == self.max_requests:
                    self.alive = False  # gunicorn starts another worker

    # What connections wait for, one after the other.

    def _accept(self, listener: socket.socket) -> bool:
        """Accepts a connection, and returns whether there was one."""
        if len(self._connections) >= self._most and not self._make_room():
            self._listen(False)
            return False
        try:
            sock, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # another worker has it, or it is gone
            return False
        except OSError as error:  # no files, no memory, no network: it may come back
            self.log.warning("A connection can't be accepted: %s", error)
            if not self._make_room():
                self._listen(False)
            return False
        connection = Connection(self.cfg, sock, address, listener.getsockname())
        self._connections.add(connection)
        self._rest(connection)
        return True

    def _rest(self, connection: Connection) -> None:
        """Waits for a request, or for the rest of it if some has come already."""
        if connection.begun:
            self._receive(connection)
        elif connection.ended:  # the client has closed its end
            self._close(connection)
        else:
            seconds = self.cfg.keepalive if self.alive else LINGER_SECONDS
            self._enter(connection, Phase.IDLE, seconds, _READ)
            self._idle[connection] = None

    def _receive(self, connection: Connection) -> None:
        if connection.whole:
            self._work(connection)
        else:
            self._enter(connection, Phase.READING, STALL_SECONDS, _READ)

    def _send(self, connection: Connection) -> None:
        """Waits for the client to take the rest of a response, if there is any."""
        if connection.unsent:
            self._enter(connection, Phase.WRITING, STALL_SECONDS, _WRITE)
        elif connection.keeps:
            connection.next_request()
            self._rest(connection)
        elif connection.shut(socket.SHUT_WR):
            self._enter(connection, Phase.CLOSING, LINGER_SECONDS, _READ)
        else:
            self._close(connection)

    def _ready(self, connection: Connection) -> None:
        """Goes on with a connection whose client has sent something, or can take something."""
        try:
            if connection.phase is Phase.WRITING:
                if connection.send_more():
                    self._leave(connection)
                    self._send(connection)
            elif connection.phase is Phase.CLOSING:
                if not connection.discard(LINGER_BYTES):
                    self._close(connection)
            elif not connection.receive():
                if connection.phase is Phase.IDLE and connection.begun:
                    self._idle.pop(connection)
                    connection.enter(Phase.READING, STALL_SECONDS)
            elif connection.begun:
                self._leave(connection)
                self._work(connection)
            else:
                self._close(connection)
        except OSError:
            self._close(connection)

    def _expired(self, connection: Connection) -> None:
        """Ends a wait that has lasted too long."""
        if connection.phase is Phase.READING:
            connection.stall()
            self._leave(connection)
            self._work(connection)
        else:
            self._close(connection)

    def _work(self, connection: Connection) -> None:
        """Has a thread of the right lane go on with a connection."""
        lane = self._working[connection] = self._lane(connection)
        lane.put(connection)

    def _lane(self, connection: Connection) -> Lane:
        """The threads for a request: each kind has its own, to be out of the way of the others.

        Batches may keep theirs for long, bodies wait for their clients, sessions for the store or
        for other players.
        """
        if connection.streams:
            return self._batches if connection.converses else self._bodies
        return self._sessions if connection.asks_for(SESSIONS) else self._ordinary

    def _enter(self, connection: Connection, phase: Phase, seconds: float, event: int) -> None:
        connection.enter(phase, seconds)
        self._selector.register(connection.sock, event, connection)

    def _leave(self, connection: Connection) -> None:
        """Ends what a connection waits for: it is for a thread now, or the next phase."""
        if connection.phase is not Phase.WORKING:
            self._selector.unregister(connection.sock)
            self._idle.pop(connection, None)
            connection.enter(Phase.WORKING, math.inf)

    def _close(self, connection: Connection) -> None:
        self._leave(connection)
        self._connections.discard(connection)
        connection.sock.close()

    # Bounds.

    def _listen(self, wanted: bool) -> None:
        """Accepts connections, or doesn't."""
        if wanted is self._listening:
            return
        self._listening = wanted
        for listener in self.sockets:
            if wanted:
                listener.setblocking(False)
                self._selector.register(listener, _READ, self._accept)
            else:
                self._selector.unregister(listener)

    def _stop_listening(self) -> None:
        """Takes what has been connected already, and leaves the rest to who listens on."""
        self._listen(False)
        for listener in self.sockets:
            while self._accept(listener):
                pass
            listener.close()

    def _make_room(self) -> bool:
        """Closes the connection that has been idle for longest, or else unfinished for longest.

        Returns whether there was one.
        """
        found: Connection | None = next(iter(self._idle), None)
        if found is None:
            unfinished = (Phase.READING, Phase.CLOSING)
            waiting = [each for each in self._connections if each.phase in unfinished]
            found = min(waiting, key=lambda each: each.since, default=None)
        if found is None:
            return False
        self._close(found)
        return True

    def _hurry(self) -> None:
        """Gives up the streams that were waited for longest, if others wait for their threads."""
        for lane in (self._bodies, self._batches):
            if lane.waiting:
                streams = [each for each, its_lane in self._working.items() if its_lane is lane]
                slow = [each for each in streams if each.debt > PATIENCE or each.waited > LONGEST]
                slow.sort(key=lambda each: each.waited, reverse=True)
                for stream in slow[: lane.waiting]:
                    stream.give_up()


def _files() -> int:
    """How many files this process may have open, raised as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return FILES if soft == resource.RLIM_INFINITY else soft
