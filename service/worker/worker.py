"""The worker: a loop that waits for all connections, and threads for what takes long."""

from __future__ import annotations

import math
import os
import selectors
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Container
from contextlib import suppress
from functools import partial
from http import HTTPStatus

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service import lifeline
from service.api.http.cors import Cors
from service.api.http.waiting import Waiting
from service.metrics.declared import CONNECTIONS, WAITING
from service.settings import Settings
from service.worker.access_log import log_refusal
from service.worker.admission import LARGE_SECONDS, Admission
from service.worker.connection import STALL_SECONDS, Connection, Phase
from service.worker.exchange import Exchange, Shared
from service.worker.lane import Lanes
from service.worker.open_files import max_connections
from service.worker.refusal import Refusal, refusal_response
from service.worker.request import Request, RequestLimits
from service.worker.waiters import Waiters

LINGER_SECONDS = 2.0
"""How long a client has to close its end after the last response on a connection.

Until then the connection isn't closed: a client that is still sending would lose the response
(RFC 9112, 9.6). A worker that stops keeps idle connections for as long, in case a request is on
its way.
"""

LINGER_BYTES = 1 << 18
"""How much a client may go on sending meanwhile."""

MAX_DISCARDED_BYTES = 1 << 26
"""How much it may go on sending of a body that is too long, no slower than any other body."""

SWITCH_SECONDS = 0.001
"""How long a batch that computes keeps the interpreter while other threads wait for it. The loop
has to wait for it at each system call, so Python's default, five times as long, slows everybody.
"""

BRIEF_BYTES = 4096
"""The longest request that is answered in the loop, its head included."""

WAITING_SHARE = 0.9
"""Which part of its connections a worker lets wait for something else than their clients. The rest
is for new connections."""

_TICK = 1.0
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class BufferingWorker(Worker):
    """A gunicorn worker in which a client that stalls, lingers or idles costs no thread.

    The loop receives each request in full before the app runs, in a thread or, if it is brief, in
    the loop. If the client doesn't take the response as fast as the app makes it, the loop sends
    what there is, and a thread then continues.
    """

    @classmethod
    def check_config(cls, cfg: Config, log: Logger) -> None:
        """Exits for settings that the worker ignores: with TLS, secrets would be sent in clear."""
        if cfg.is_ssl:
            log.critical("This worker doesn't serve TLS: leave certfile out, and use a proxy.")
            sys.exit(1)
        if cfg.proxy_protocol != "off":
            log.critical("This worker doesn't know the PROXY protocol: leave proxy_protocol out.")
            sys.exit(1)

    def init_process(self) -> None:
        """Prepares the loop, and runs it until the worker is to stop."""
        sys.setswitchinterval(SWITCH_SECONDS)
        settings = Settings.from_environment()
        self._selector = selectors.DefaultSelector()
        self._connections: set[Connection] = set()
        self._exchanges: dict[Connection, Exchange] = {}
        self._idle: dict[Connection, None] = {}  # the longest idle first
        self._waiters = Waiters()
        self._max_connections = max_connections(self.cfg.worker_connections)
        self._max_waiting = int(self._max_connections * WAITING_SHARE)
        self._listening = False
        self._next_tick = 0.0
        self._limits = RequestLimits.of(self.cfg, settings)
        self._cors = Cors(settings.allow_origins)
        self._finished: deque[Connection] = deque()
        self._woken: deque[Connection] = deque()
        self._loop_woken = False
        self._brief: deque[Connection] = deque()
        self._lanes = Lanes(self.cfg.threads, self._respond)
        self._admission = Admission()
        super().init_process()

    def run(self) -> None:
        """Serves until the worker is to stop; then finishes what is under way."""
        self._shared = Shared(
            self.wsgi, self.log, self._cors, stopping=lambda: not self.alive, woken=self._wake
        )
        self._brief_paths: Container[str] = getattr(self.wsgi, "brief_paths", ())
        self._selector.register(self.PIPE[0], _READ, self._collect)
        self._selector.register(lifeline.read_end(), _READ, self._on_death)
        while self.alive:
            self._run_once()
        self._stop_listening()
        for connection in self._waiters.all():
            self._resume(connection)
        for connection in self._idle:
            connection.deadline = min(connection.deadline, time.monotonic() + LINGER_SECONDS)
        end = time.monotonic() + self.cfg.graceful_timeout
        while self._connections and time.monotonic() < end:
            self._run_once()
        for connection in self._connections:
            connection.shut(socket.SHUT_RDWR)

    def _run_once(self) -> None:
        """Handles what has happened, or waits until something does."""
        large = []
        for key, _ in self._selector.select(0 if self._brief else self._waiters.timeout(_TICK)):
            if not isinstance(key.data, Connection):
                key.data(key.fileobj)
            elif key.data in self._admission:
                large.append(key.data)
            else:
                self._on_ready(key.data)
        if large:  # one at a time, or all others would wait for each turn of many uploads
            self._on_ready(min(large, key=lambda each: each.moved_at))
        for _ in range(len(self._brief)):
            self._go_on(self._brief.popleft(), self._respond_at_once)
        now = time.monotonic()
        for connection in self._waiters.due(now):
            self._go_on(connection, self._resume)
        if now >= self._next_tick:
            self._next_tick = now + _TICK
            self._tick(now)

    def _tick(self, now: float) -> None:
        """Does what is due once a second."""
        self.notify()
        self._listen(self.alive)
        CONNECTIONS.set(len(self._connections))
        WAITING.set(len(self._waiters))
        for connection in [each for each in self._connections if each.deadline <= now]:
            self._go_on(connection, partial(self._on_timeout, refusal=connection.stalled))
        for connection in self._admission.slow(now):
            self._go_on(connection, partial(self._on_timeout, refusal=_overtaken))

    def _go_on(self, connection: Connection, step: Callable[[Connection], object]) -> None:
        """Does the next step of a connection. An error closes it, and harms no other."""
        try:
            step(connection)
        except OSError:  # the client is gone, or a disk is full
            self._close(connection)
        except Exception:
            self.log.exception("Error on a connection of %s", connection.address)
            self._close(connection)

    def _on_death(self, read: int) -> None:
        """Stops, as the master has ended: the port must be free for the next one."""
        self._selector.unregister(read)
        self.log.error("The master has ended, so this worker stops")
        self.alive = False

    # Responses: in the loop, or in threads, which hand connections back to the loop.

    def _respond_at_once(self, connection: Connection) -> None:
        """Makes the response to a brief request in the loop."""
        self._proceed_with(connection)
        self._send(connection)

    def _respond(self, connection: Connection) -> None:
        """Makes the response to a request, or the next part of it, in a thread of a lane."""
        self._proceed_with(connection)
        self._finished.append(connection)
        self._wake_loop()

    def _proceed_with(self, connection: Connection) -> None:
        """Makes a response, or the next part of it, and sends what the client takes now."""
        try:
            self._exchanges[connection].proceed()
            connection.send_more()
        except OSError:  # the loop will notice, too
            pass
        except Exception:  # the thread or the loop has to go on, whatever happens
            self.log.exception("Error handling a request of %s", connection.address)
            connection.shut(socket.SHUT_RDWR)

    def _wake(self, connection: Connection) -> None:
        """Goes on with a connection that waits; any thread may call this."""
        self._woken.append(connection)
        self._wake_loop()

    def _wake_loop(self) -> None:
        if not self._loop_woken:
            self._loop_woken = True
            os.write(self.PIPE[1], b".")

    def _collect(self, pipe: int) -> None:
        """Takes back the connections that threads have worked on, and those that are woken."""
        os.read(pipe, 4096)
        self._loop_woken = False
        while self._finished:
            connection = self._finished.popleft()
            self._lanes.done(connection)
            self._go_on(connection, self._send)
        while self._woken:
            connection = self._woken.popleft()
            if connection.phase is Phase.WAITING and self._exchanges[connection].is_woken:
                self._go_on(connection, self._resume)

    # The phases of a connection, in their order.

    def _accept(self, listener: socket.socket) -> bool:
        """Accepts a connection, and returns whether there was one."""
        if len(self._connections) >= self._max_connections and not self._make_room():
            self._listen(False)
            return False
        try:
            sock, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # another worker has it, or it is gone
            return False
        except OSError as error:  # no files, no memory, no network: this may pass
            self.log.warning("A connection can't be accepted: %s", error)
            if not self._make_room():
                self._listen(False)
            return False
        connection = Connection(sock, address, listener.getsockname(), self._limits)
        self._connections.add(connection)
        self._await_request(connection)
        return True

    def _await_request(self, connection: Connection) -> None:
        """Waits for a request, or goes on with what has been received of one."""
        if connection.begun:
            self._parse(connection)
        elif connection.ended:  # the client has closed its end
            self._close(connection)
        else:
            seconds = self.cfg.keepalive if self.alive else LINGER_SECONDS
            self._enter(connection, Phase.IDLE, seconds, _READ)
            self._idle[connection] = None

    def _parse(self, connection: Connection) -> None:
        """Parses what has been received of a request, and goes on with it."""
        try:
            connection.parse()
        except Refusal as refusal:
            self._refuse(connection, refusal)
            return
        except OSError as error:  # no space for a temporary file
            self.log.error("A body can't be kept: %s", error)
            self._close(connection)
            return
        request = connection.request
        if request is None:
            self._read(connection)
        elif request.large and not self._admission.admit(connection, time.monotonic()):
            self._enter(connection, Phase.QUEUED, math.inf)
        else:
            self._proceed(connection, request)

    def _proceed(self, connection: Connection, request: Request) -> None:
        """Has a complete request answered; of another, waits for the rest."""
        if request.complete:
            short = request.head_bytes + request.received <= BRIEF_BYTES
            brief = short and request.path_info in self._brief_paths
            exchange = Exchange(self._shared, connection, request, brief=brief)
            self._exchanges[connection] = exchange
            self._dispatch(connection, request)
            return
        self._read(connection)
        if request.expects_continue:
            self._continue(connection, request)

    def _read(self, connection: Connection) -> None:
        """Waits for more of a request."""
        if connection.phase is not Phase.READING:
            self._enter(connection, Phase.READING, STALL_SECONDS, _READ)

    def _continue(self, connection: Connection, request: Request) -> None:
        """Asks a client that waits for it (`Expect: 100-continue`) to send the body."""
        request.expects_continue = False
        if not request.received:
            connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            with suppress(OSError):  # the loop notices a lost connection when it reads
                connection.send_more()

    def _dispatch(self, connection: Connection, request: Request) -> None:
        """Has the loop or a thread of the right lane make the response, or more of it."""
        if self._exchanges[connection].brief:
            # most are answered before the next event, so what the loop waits for stays as it is
            self._enter(connection, Phase.WORKING, math.inf, connection.event)
            self._brief.append(connection)
            return
        self._enter(connection, Phase.WORKING, math.inf)
        self._lanes.put(connection, request)

    def _refuse(self, connection: Connection, refusal: Refusal) -> None:
        """Responds to a request that can't be parsed or doesn't arrive in full, and closes."""
        timed_out = refusal.status is HTTPStatus.REQUEST_TIMEOUT
        log = self.log.debug if timed_out else self.log.warning
        request = connection.refused_request()
        log("Refusing the request %s of %s: %s", request.id, connection.address, refusal.status)
        response = refusal_response(refusal, request, self._shared.cors)
        connection.send(response.encode())
        seconds = time.monotonic() - connection.since
        log_refusal(self.log, response, request, connection, seconds)
        self._send(connection)

    def _send(self, connection: Connection) -> None:
        """Waits for the client to take what is unsent, or goes on if everything was sent."""
        exchange, request = self._exchanges.get(connection), connection.request
        if connection.unsent:
            self._enter(connection, Phase.WRITING, STALL_SECONDS, _WRITE)
        elif exchange is not None and request is not None and not exchange.ended:
            if exchange.waiting is not None:
                self._wait(connection, exchange, exchange.waiting)
            else:
                self._dispatch(connection, request)
        else:
            self._finish(connection)

    def _wait(self, connection: Connection, exchange: Exchange, waiting: Waiting) -> None:
        """Waits until the request may have a response, or its client is gone.

        Meanwhile it has no slot of a large request, and no body.
        If too many wait, the one that has waited longest gets its response now: its connection is
        idle then, and can be closed for a new one.
        """
        if exchange.is_woken or exchange.over:
            self._resume(connection)
            return
        self._release(connection)
        exchange.drop_body()
        self._enter(connection, Phase.WAITING, math.inf, _READ)
        self._waiters.add(connection, time.monotonic() + waiting.seconds)
        if len(self._waiters) > self._max_waiting:
            first = self._waiters.first()
            self._exchanges[first].give_up()
            self._resume(first)

    def _resume(self, connection: Connection) -> None:
        """Calls the app again for a request that waits."""
        request = connection.request
        assert request is not None
        self._waiters.discard(connection)
        self._exchanges[connection].is_woken = False
        self._dispatch(connection, request)

    def _finish(self, connection: Connection) -> None:
        """Waits for the next request, or for the client to close its end."""
        self._release(connection)
        self.nr += 1
        if self.nr == self.max_requests:
            self.alive = False  # gunicorn starts another worker
        exchange = self._exchanges.pop(connection, None)
        if exchange is not None and exchange.keep_alive:
            connection.next_request()
            self._await_request(connection)
        else:
            self._shut(connection)

    def _shut(self, connection: Connection) -> None:
        """Closes a connection from this end, and waits for the client to close its own."""
        if connection.shut(socket.SHUT_WR):
            self._enter(connection, Phase.CLOSING, LINGER_SECONDS, _READ)
        else:
            self._close(connection)

    def _close(self, connection: Connection) -> None:
        self._enter(connection, Phase.CLOSING, math.inf)
        self._waiters.discard(connection)
        self._connections.discard(connection)
        connection.close()
        exchange = self._exchanges.pop(connection, None)
        if exchange is not None:
            try:
                exchange.close()
            except Exception:  # the app's: the loop has to go on, whatever happens
                self.log.exception("Error closing a connection of %s", connection.address)
        self._release(connection)

    # What ends the wait for a client.

    def _on_ready(self, connection: Connection) -> None:
        """Goes on with a connection whose client has sent something, or can take something."""
        try:
            if connection.phase is Phase.WORKING:  # its turn in the loop hasn't come yet
                self._enter(connection, Phase.WORKING, math.inf)
            elif connection.phase is Phase.WRITING:
                if connection.send_more():
                    self._send(connection)
            elif connection.phase is Phase.CLOSING:
                request = connection.request
                too_long = request is not None and request.too_long
                if not connection.discard(MAX_DISCARDED_BYTES if too_long else LINGER_BYTES):
                    self._close(connection)
            elif connection.phase is Phase.WAITING:
                if connection.gone():
                    self._exchanges[connection].give_up()
                    self._resume(connection)
                else:  # the next request has its turn after this one
                    self._enter(connection, Phase.WAITING, math.inf)
            else:
                connection.receive()
                if connection.phase is Phase.READING or connection.begun or connection.ended:
                    self._await_request(connection)
        except OSError:
            self._close(connection)

    def _on_timeout(self, connection: Connection, refusal: Callable[[], Refusal]) -> None:
        """Ends a wait that has lasted too long; `refusal` is for a request that is incomplete."""
        if connection.phase is Phase.READING:
            self._refuse(connection, refusal())
        elif connection.phase is Phase.IDLE:
            self._shut(connection)
        else:
            self._close(connection)

    def _enter(self, connection: Connection, phase: Phase, seconds: float, event: int = 0) -> None:
        """Begins `phase`, in which the connection waits for `event` on its socket, if any."""
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

    # Limits.

    def _listen(self, wanted: bool) -> None:
        """Starts or stops accepting connections."""
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
        """Accepts what is connected already, and leaves the rest to other workers."""
        self._listen(False)
        for listener in self.sockets:
            while self._accept(listener):
                pass
            listener.close()

    def _make_room(self) -> bool:
        """Closes the connection that has been idle longest, or else incomplete longest.

        Returns whether there was one.
        """
        oldest: Connection | None = next(iter(self._idle), None)
        if oldest is None:
            incomplete = (Phase.READING, Phase.QUEUED, Phase.CLOSING)
            waiting = [each for each in self._connections if each.phase in incomplete]
            oldest = min(waiting, key=lambda each: each.since, default=None)
        if oldest is None:
            return False
        self._close(oldest)
        return True

    def _release(self, connection: Connection) -> None:
        """Frees the slot of a large request, if it has one, for the next in the queue.

        A client that has gone before its request was complete gets no slot.
        """
        self._admission.release(connection)
        while (waiting := self._admission.pop_next()) is not None:
            request = waiting.request
            assert request is not None
            if waiting.can_finish():
                self._admission.admit(waiting, time.monotonic())
                self._proceed(waiting, request)
            else:
                self._refuse(waiting, request.ended_early())


def _overtaken() -> Refusal:
    """The refusal of a large request that takes long while others wait for its slot."""
    return Refusal(
        HTTPStatus.REQUEST_TIMEOUT,
        f"Other requests were waiting, and this one took more than {LARGE_SECONDS:.0f} seconds.",
    )
