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
from contextlib import suppress
from http import HTTPStatus

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service.api.sessions.answers import PATH as SESSIONS
from service.settings import Settings
from service.worker.connection import STALL_SECONDS, Connection, Phase
from service.worker.exchange import Exchange, Served
from service.worker.lane import Lane
from service.worker.refusal import Refusal, response
from service.worker.request import Limits, Request

LONG_REQUESTS = 256
"""How many long requests (batches, and bodies of more than 64 KiB) a worker receives or answers at
a time; further ones wait."""

LONG_SECONDS = 10.0
"""How long a client may take for a long request while others wait."""

BATCH_THREADS = 32
"""How many batches have a thread at a time. One of them computes; the others have their turns."""

LINGER_SECONDS = 2.0
"""How long a client has to close its end after the last response on a connection.

Until then the connection isn't closed: if the client were still sending, it would lose the response
(RFC 9112, 9.6). A worker that stops keeps idle connections as long, for a request on its way.
"""

LINGER_BYTES = 1 << 18
"""How much a client may go on sending meanwhile."""

UNREAD_BYTES = 1 << 26
"""How much it may go on sending of a body that is too long; not more slowly than any other."""

FILES = 1 << 16
"""How many files and sockets a worker would like to be allowed to have open."""

OTHER_FILES = 256
"""How many of them are kept for other uses than connections."""

SWITCH_SECONDS = 0.001
"""How long a batch that computes keeps the interpreter to itself while others wait for it. The loop
waits for it at each system call, so Python's default, five times as long, slows everybody.
"""

_TICK = 1.0
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class BufferingWorker(Worker):
    """A gunicorn worker in which a client that stalls, lingers or idles costs no thread.

    The loop receives requests whole before a thread answers them. A response that the client
    doesn't take as fast as it is made goes on in a thread once the client has taken what there is.
    """

    @classmethod
    def check_config(cls, cfg: Config, log: Logger) -> None:
        """Exits for what the worker can't do: with TLS, secrets would go over the wire in clear."""
        if cfg.is_ssl:
            log.critical("This worker doesn't serve TLS: leave certfile out, and use a proxy.")
            sys.exit(1)
        if cfg.proxy_protocol != "off":
            log.critical("This worker doesn't know the PROXY protocol: leave proxy_protocol out.")
            sys.exit(1)

    def init_process(self) -> None:
        """Prepares the loop, and runs it until the worker is to stop."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self._selector = selectors.DefaultSelector()
        self._connections: set[Connection] = set()
        self._idle: dict[Connection, None] = {}  # the longest idle first
        self._most = min(self.cfg.worker_connections, max(_files() - OTHER_FILES, 16))
        self._listening = False
        self._next_tick = 0.0
        self._limits = Limits.of(self.cfg, Settings.from_environment())
        self._finished: deque[Connection] = deque()
        self._woken = False
        self._ordinary = Lane(self.cfg.threads, self._answer)
        self._sessions = Lane(self.cfg.threads, self._answer)
        self._batches = Lane(BATCH_THREADS, self._answer)
        self._working: dict[Connection, Lane] = {}
        self._long: dict[Connection, float] = {}  # since when, the first one first
        self._queued: dict[Connection, None] = {}  # long ones that wait, the first one first
        super().init_process()

    def run(self) -> None:
        """Serves until the worker is told to stop; then ends what is under way."""
        self._served = Served(self.wsgi, self.log, lambda: not self.alive)
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
        long = []
        for key, _ in self._selector.select(_TICK):
            if not isinstance(key.data, Connection):
                key.data(key.fileobj)
            elif key.data in self._long:
                long.append(key.data)
            else:
                self._ready(key.data)
        if long:  # one at a time, or all others would wait for each turn of many uploads
            self._ready(min(long, key=lambda each: each.moved_at))
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
        self._hurry(now)

    # What the threads report.

    def _answer(self, connection: Connection) -> None:
        """Answers a request, or goes on answering it, in a thread of a lane."""
        try:
            assert connection.exchange is not None
            connection.exchange.proceed()
            connection.send_more()
        except OSError:  # the loop finds out, too
            pass
        except Exception:  # the thread has to go on, whatever happens
            self.log.exception("Error handling a request of %s", connection.address)
            connection.shut(socket.SHUT_RDWR)
        self._finished.append(connection)
        if not self._woken:
            self._woken = True
            os.write(self.PIPE[1], b".")

    def _wake(self, pipe: int) -> None:
        """Takes back the connections that threads have worked on."""
        os.read(pipe, 4096)
        self._woken = False
        while self._finished:
            connection = self._finished.popleft()
            self._working.pop(connection).done()
            self._send(connection)

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
        connection = Connection(sock, address, listener.getsockname(), self._limits)
        self._connections.add(connection)
        self._next(connection)
        return True

    def _next(self, connection: Connection) -> None:
        """Waits for a request, or goes on with what has come of one."""
        if connection.begun:
            self._receive(connection)
        elif connection.ended:  # the client has closed its end
            self._close(connection)
        else:
            seconds = self.cfg.keepalive if self.alive else LINGER_SECONDS
            self._enter(connection, Phase.IDLE, seconds, _READ)
            self._idle[connection] = None

    def _receive(self, connection: Connection) -> None:
        """Goes on with what has come of a request."""
        try:
            whole = connection.parse()
        except Refusal as refusal:
            self._refuse(connection, refusal)
            return
        except OSError as error:  # no room for a temporary file
            self.log.error("A body can't be kept: %s", error)
            self._close(connection)
            return
        request = connection.request
        if request is not None and request.long and not self._admit(connection):
            self._queued[connection] = None
            self._enter(connection, Phase.QUEUED, math.inf)
        elif request is not None and whole:
            connection.exchange = Exchange(self._served, connection, request)
            self._work(connection)
        else:
            if connection.phase is not Phase.READING:
                self._enter(connection, Phase.READING, STALL_SECONDS, _READ)
            if request is not None and request.expects_continue:
                self._continue(connection, request)

    def _continue(self, connection: Connection, request: Request) -> None:
        """Answers a client that asks whether to send its body."""
        request.expects_continue = False
        if not request.received:
            connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            with suppress(OSError):  # a lost connection is found out when it is read
                connection.send_more()

    def _work(self, connection: Connection) -> None:
        """Has a thread of the right lane make the response, or more of it."""
        lane = self._working[connection] = self._lane(connection)
        self._enter(connection, Phase.WORKING, math.inf)
        lane.put(connection)

    def _lane(self, connection: Connection) -> Lane:
        """The threads for a request: each kind has its own, to be out of the way of the others.

        Batches compute for long, and sessions wait for the store or for other players.
        """
        request = connection.request
        assert request is not None
        if request.is_batch:
            return self._batches
        return self._sessions if request.path_info.startswith(SESSIONS) else self._ordinary

    def _refuse(self, connection: Connection, refusal: Refusal) -> None:
        """Answers a request that can't be parsed or doesn't arrive whole, and closes."""
        stalled = refusal.status is HTTPStatus.REQUEST_TIMEOUT
        log = self.log.debug if stalled else self.log.warning
        log("Refusing a request of %s: %s", connection.address, refusal)
        request = connection.request or Request(self._limits)
        with_body = request.method != "HEAD"
        connection.send(response(refusal, request.instance, request.id, with_body=with_body))
        self._send(connection)

    def _send(self, connection: Connection) -> None:
        """Waits for the client to take what is unsent; goes on if there is nothing."""
        exchange = connection.exchange
        if connection.unsent:
            self._enter(connection, Phase.WRITING, STALL_SECONDS, _WRITE)
        elif exchange is not None and not exchange.over:
            self._work(connection)
        else:
            self._finish(connection)

    def _finish(self, connection: Connection) -> None:
        """Waits for the next request, or for the client to close its end."""
        self._dismiss(connection)
        self.nr += 1
        if self.nr == self.max_requests:
            self.alive = False  # gunicorn starts another worker
        if connection.exchange is not None and connection.exchange.keeps:
            connection.next_request()
            self._next(connection)
        elif connection.shut(socket.SHUT_WR):
            self._enter(connection, Phase.CLOSING, LINGER_SECONDS, _READ)
        else:
            self._close(connection)

    def _ready(self, connection: Connection) -> None:
        """Goes on with a connection whose client has sent something, or can take something."""
        try:
            if connection.phase is Phase.WRITING:
                if connection.send_more():
                    self._send(connection)
            elif connection.phase is Phase.CLOSING:
                request = connection.request
                too_long = request is not None and request.too_long
                if not connection.discard(UNREAD_BYTES if too_long else LINGER_BYTES):
                    self._close(connection)
            else:
                connection.receive()
                if connection.phase is Phase.READING or connection.begun or connection.ended:
                    self._next(connection)
        except OSError:
            self._close(connection)

    def _expired(self, connection: Connection) -> None:
        """Ends a wait that has lasted too long."""
        if connection.phase is Phase.READING:
            self._refuse(connection, connection.stalled())
        else:
            self._close(connection)

    def _enter(self, connection: Connection, phase: Phase, seconds: float, event: int = 0) -> None:
        """Begins `phase`, in which the connection waits for `event` on its socket, if for any."""
        if connection.event and event:
            if event != connection.event:
                self._selector.modify(connection.sock, event, connection)
        elif event:
            self._selector.register(connection.sock, event, connection)
        elif connection.event:
            self._selector.unregister(connection.sock)
        connection.event = event
        self._idle.pop(connection, None)
        connection.enter(phase, seconds)

    def _close(self, connection: Connection) -> None:
        self._enter(connection, Phase.CLOSING, math.inf)
        self._connections.discard(connection)
        self._queued.pop(connection, None)
        try:
            connection.close()
        except Exception:  # the app's: the loop has to go on, whatever happens
            self.log.exception("Error closing a connection of %s", connection.address)
        self._dismiss(connection)

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
            unfinished = (Phase.READING, Phase.QUEUED, Phase.CLOSING)
            waiting = [each for each in self._connections if each.phase in unfinished]
            found = min(waiting, key=lambda each: each.since, default=None)
        if found is None:
            return False
        self._close(found)
        return True

    def _admit(self, connection: Connection) -> bool:
        """Whether a long request is among those that are received and answered now."""
        if connection not in self._long and len(self._long) < LONG_REQUESTS:
            self._long[connection] = time.monotonic()
        return connection in self._long

    def _dismiss(self, connection: Connection) -> None:
        """Ends a long request, if it is one, and admits the next."""
        if self._long.pop(connection, None) is not None and self._queued:
            first = next(iter(self._queued))
            del self._queued[first]
            self._receive(first)

    def _hurry(self, now: float) -> None:
        """Gives up the long requests that wait for their clients and began first, if others wait
        for them.
        """
        if self._queued:
            waiting = (Phase.READING, Phase.WRITING)
            slow = [
                each
                for each, since in self._long.items()
                if since < now - LONG_SECONDS and each.phase in waiting
            ]
            for connection in slow[: len(self._queued)]:
                self._expired(connection)


def _files() -> int:
    """How many files this process may have open, raised as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return FILES if soft == resource.RLIM_INFINITY else soft
