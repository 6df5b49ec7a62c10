"""The worker: a loop that waits for all connections, and threads for what takes long."""

from __future__ import annotations

import socket
import sys
import time

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service.worker.answering import Answering
from service.worker.connection import STALL_SECONDS
from service.worker.exchange import Shared
from service.worker.handback import Handback
from service.worker.hooks import Hooks
from service.worker.listening import Listening
from service.worker.open_files import max_connections
from service.worker.phases import LINGER_SECONDS, Phases
from service.worker.request import RequestLimits
from service.worker.watched import Watched

SWITCH_SECONDS = 0.001
"""How long a batch that computes keeps the interpreter while other threads wait for it. The loop
has to wait for it at each system call, so Python's default, five times as long, slows everybody.
"""

WAITING_SHARE = 0.9
"""Which part of its connections a worker lets wait for something else than their clients. The rest
is for new connections."""

_TICK = 1.0


class BufferingWorker(Worker):
    """A gunicorn worker in which a client that stalls, lingers or idles costs no thread.

    The loop receives each request in full before the app runs, in a thread or, if it is brief, in
    the loop. If the client doesn't take the response as fast as the app makes it, the loop sends
    what there is, and a thread then continues. A client may stall for `stall_seconds`, and has
    `linger_seconds` to close its end.
    """

    hooks: Hooks
    """Those of the service; its configuration sets them before `run`."""

    stall_seconds: float = STALL_SECONDS
    linger_seconds: float = LINGER_SECONDS

    @classmethod
    def check_config(cls, cfg: Config, log: Logger) -> None:
        """Exits for settings that the worker ignores: with TLS, secrets would be sent in clear."""
        if cfg.is_ssl:
            log.critical("This worker doesn't serve TLS: leave certfile out, and use a proxy.")
            sys.exit(1)
        if cfg.proxy_protocol != "off":
            log.critical("This worker doesn't know the PROXY protocol: leave proxy_protocol out.")
            sys.exit(1)

    def run(self) -> None:
        """Serves until the worker is to stop; then finishes what is under way."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self._prepare()
        try:
            self._serve()
        finally:
            self.hooks.lines.close()

    def _serve(self) -> None:
        """`run`, once all is prepared."""
        while self.alive:
            self._run_once()
        self._listening.end()
        for connection in self._answering.all_waiting():
            self._phases.attempt(self._answering.resume, connection)
        self._watched.end_idle(self.linger_seconds)
        end = time.monotonic() + self.cfg.graceful_timeout
        while self._watched and time.monotonic() < end:
            self._run_once()
        for connection in self._watched:
            connection.shut(socket.SHUT_RDWR)

    def _prepare(self) -> None:
        """Makes what the loop consists of, and begins to listen."""
        most = max_connections(self.cfg.worker_connections)
        self._max_connections = most
        handback = Handback(self.PIPE[1])
        shared = Shared(
            self.wsgi,
            self.log,
            self.hooks,
            stopping=lambda: not self.alive,
            woken=handback.wake,
        )
        watched = Watched()
        waiting = int(most * WAITING_SHARE)
        answering = Answering(shared, watched, handback, waiting)
        phases = Phases(shared, watched, answering, self.cfg.keepalive, self._count)
        waits = self.stall_seconds, self.linger_seconds
        limits = RequestLimits.of(self.cfg, self.hooks, *waits)
        self._listening = Listening(self.sockets, watched, phases, limits, most, self.log)
        self._watched, self._answering, self._phases = watched, answering, phases
        self._handback = handback
        self._next_tick = 0.0
        watched.call(self.PIPE[0], self._take_back)
        watched.call(self.hooks.parent, self._on_death)
        self._listening.resume()

    def _run_once(self) -> None:
        """Handles what has happened, or waits until something does."""
        answering, phases = self._answering, self._phases
        most = self.hooks.lines_seconds if self.hooks.lines.waiting else _TICK
        phases.on_ready(self._watched.select(answering.timeout(most)))
        for connection in answering.turns():
            phases.attempt(phases.send, connection)
        now = time.monotonic()
        for connection in answering.due(now):
            phases.attempt(answering.resume, connection)
        if now >= self._next_tick:
            self._next_tick = now + _TICK
            self._tick(now)
        if self.hooks.lines.waiting:
            self.hooks.lines.write_due(now)

    def _tick(self, now: float) -> None:
        """Does what is due once a second."""
        self.notify()
        if self.alive:
            self._listening.resume()
        self.hooks.note(self._max_connections, len(self._watched), self._answering.waiting)
        self._phases.on_time(now)

    def _take_back(self, pipe: int) -> None:
        """Goes on with the connections that threads hand back."""
        self._handback.collect(pipe)
        for connection in self._answering.finished():
            self._phases.attempt(self._phases.send, connection)
        for connection in self._answering.woken():
            self._phases.attempt(self._answering.resume, connection)

    def _on_death(self, read: int) -> None:
        """Stops, as the master has ended: the port must be free for the next one."""
        self._watched.ignore(read)
        self.log.error("The master has ended, so this worker stops")
        self.alive = False

    def _count(self) -> None:
        """Counts a response; after so many, gunicorn starts another worker."""
        self.nr += 1
        if self.nr == self.max_requests:
            self.alive = False
