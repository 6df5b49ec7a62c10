"""One client's connection: the phases of its requests, and what leads from one to the next."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from service.worker.client import Client, Phase
from service.worker.exchange import Exchange
from service.worker.refusal import Refusal, refusal_response

if TYPE_CHECKING:
    from service.worker.request import Request
    from service.worker.server import Server, ThreadPool

BRIEF_BYTES = 4096
"""The longest request that is answered in the loop, its head included."""

_TIMED_OUT = "408"


class Connection(Client):
    """A connection. Only the worker's loop uses it, but for `lost`.

    `large_since` is since when a large request has had its slot.
    """

    def __init__(self, server: Server, address: Any, own_address: Any) -> None:
        super().__init__(server, address, own_address)
        self.exchange: Exchange | None = None
        self.large_since = 0.0
        self.lost = False
        self._pool: ThreadPool | None = None  # in which a thread works on the exchange now

    def attempt(self, step: Callable[..., object], *arguments: object) -> None:
        """Does the next step of this connection. An error closes it, and harms no other.

        A step that concerns another connection is an attempt of its own.
        """
        try:
            step(*arguments)
        except OSError:  # the client is gone, or a disk is full
            self.close()
        except BaseException:  # asyncio would end its loop for some, such as SystemExit
            self._server.log.exception("Error on a connection of %s", self.address)
            self.close()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Waits for the first request."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=0)
        self._server.opened(self)
        self.attempt(self._await_request)

    def buffer_updated(self, nbytes: int) -> None:
        """Has a turn to parse what has arrived, unless a request before it is under way."""
        self.attempt(self._receive, nbytes)

    def eof_received(self) -> bool:
        """Goes on without further bytes; the connection stays open for the response."""
        self.incoming.ended = True
        self.attempt(self._end)
        return True

    def resume_writing(self) -> None:
        """Goes on if everything has been sent."""
        if self.phase is Phase.WRITING:
            self.attempt(self.send_on)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # it was closed, or reset
        """Ends what is under way, once no thread works on it any more."""
        self.lost = True
        self._server.forget(self)
        if self._pool is None:
            self._abandon()

    # Receiving.

    def _receive(self, count: int) -> None:
        self.keep(count)
        if self.incoming.begun and self.phase in (Phase.IDLE, Phase.READING):
            self._server.give_turn(self)

    def _end(self) -> None:
        if self.phase is Phase.CLOSING:
            self.close()
        elif self.phase is Phase.WAITING:
            self.give_up()
        elif self.phase in (Phase.IDLE, Phase.READING):
            self._server.give_turn(self)

    # The phases, in their order.

    def _enter(self, phase: Phase, seconds: float = math.inf) -> None:
        if phase is Phase.IDLE:
            self._server.idle[self] = None
        elif self.phase is Phase.IDLE:
            self._server.idle.pop(self, None)
        self.begin(phase, seconds)

    def take_turn(self) -> None:
        """Goes on with what has arrived, or with a response that the loop makes."""
        self.has_turn = False
        if self.lost:
            return
        if self.phase is Phase.WORKING:
            self._work()
        elif self.phase in (Phase.IDLE, Phase.READING):
            self._await_request()

    def _await_request(self) -> None:
        """Waits for a request, or goes on with what has been received of one."""
        if self.incoming.begun:
            self._parse()
        elif self.incoming.ended:
            self.close()
        else:
            self._enter(Phase.IDLE, self._server.idle_seconds)
            self._transport.resume_reading()

    def _parse(self) -> None:
        try:
            self.incoming.parse()
        except Refusal as refusal:
            self._refuse(refusal)
            return
        except OSError as error:  # no space for a temporary file
            self._server.log.error("A body can't be kept: %s", error)
            self.close()
            return
        request = self.incoming.request
        if request is None:
            self._read()
        elif request.large and not self._server.admit(self):
            self._transport.pause_reading()
            self._enter(Phase.QUEUED)
        else:
            self._take_up(request)

    def leave_queue(self) -> None:
        """Goes on with a large request that has a slot now."""
        request = self.incoming.request
        if self.phase is Phase.QUEUED and request is not None and not self.lost:
            self._take_up(request)

    def _take_up(self, request: Request) -> None:
        """Has a complete request answered; of another, waits for the rest."""
        if request.complete:
            short = request.head_bytes + request.received <= BRIEF_BYTES
            brief = short and request.path_info in self._server.hooks.brief_paths
            self.exchange = Exchange(self._server, self, request, brief=brief)
            self._enter(Phase.WORKING)
            self._work()
            return
        self._read()
        if request.expects_continue:
            request.expects_continue = False
            if not request.received:
                self.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if request.large:
            self._server.evict_largest()

    def _read(self) -> None:
        """Waits for more of a request."""
        if self.phase is not Phase.READING:
            self._enter(Phase.READING, self._server.stall_seconds)
        self._transport.resume_reading()

    def _work(self) -> None:
        """Has the response, or more of it, made: here, or by a thread of the right pool."""
        exchange = self.exchange
        assert exchange is not None
        if exchange.brief:
            self._proceed(exchange)
            self._worked(exchange)
        else:
            pool = self._server.pools[exchange.request.work]
            pool.put(partial(self._work_in_thread, exchange))
            self._pool = pool

    def _work_in_thread(self, exchange: Exchange) -> None:
        try:
            self._proceed(exchange)
        finally:
            self._server.call(self.attempt, self._worked, exchange)

    def _proceed(self, exchange: Exchange) -> None:
        try:
            exchange.proceed()
        except BaseException:  # the thread or the loop has to go on, whatever happens
            self._server.log.exception("Error handling a request of %s", self.address)
            exchange.keep_alive = False

    def _worked(self, exchange: Exchange) -> None:
        """Sends what a turn has made, and goes on."""
        if self._pool is not None:
            self._pool.done()
            self._pool = None
        if self.lost:
            self._abandon()
        else:
            exchange.send()
            self.send_on()

    def _refuse(self, refusal: Refusal) -> None:
        """Responds to a request that can't be parsed or doesn't arrive in full, and closes."""
        server, request = self._server, self.incoming.refused()
        response = refusal_response(refusal, request, server.hooks)
        timed_out = response.status.startswith(_TIMED_OUT)
        write = server.log.debug if timed_out else server.log.warning
        write("Refusing the request %s of %s: %s", request.id, self.address, refusal.cause)
        self.write(response.encode())
        seconds = time.monotonic() - self.since
        server.hooks.log_refusal(server.log, response, request, self, seconds)
        self.send_on()

    def send_on(self) -> None:
        """Waits for the client to take what is unsent, or goes on if everything was sent."""
        if not self.has_taken_all():
            self._enter(Phase.WRITING, self._server.stall_seconds)
            return
        exchange = self.exchange
        if exchange is None or exchange.ended:
            self._finish()
        elif exchange.waiting is None:
            self._enter(Phase.WORKING)
            if exchange.brief:
                self._server.give_turn(self)
            else:
                self._work()
        else:
            self._server.release(self)
            self._wait(exchange, exchange.waiting.seconds)

    def _wait(self, exchange: Exchange, seconds: float) -> None:
        """Waits until the request may have a response, `seconds` at most, or its client is gone.

        Meanwhile it has no body.
        """
        if exchange.is_woken or exchange.over or self.incoming.ended:
            exchange.given_up = exchange.given_up or self.incoming.ended
            exchange.is_woken = False
            self._enter(Phase.WORKING)
            self._work()
            return
        exchange.request.drop_body()
        self._enter(Phase.WAITING)
        self._server.wait(self, exchange.request, seconds)

    def resume(self) -> None:
        """Calls the app again for a request that waits."""
        if self.phase is Phase.WAITING and self.exchange is not None:
            self._server.end_wait(self)
            self.exchange.is_woken = False
            self._enter(Phase.WORKING)
            self._work()

    def wake(self) -> None:
        """The same, unless the request has been answered since somebody woke it."""
        if self.exchange is not None and self.exchange.is_woken:
            self.resume()

    def give_up(self) -> None:
        """Has a request that waits answered now."""
        assert self.exchange is not None
        self.exchange.given_up = True
        self.resume()

    def _finish(self) -> None:
        """Waits for the next request, or for the client to close its end."""
        exchange, self.exchange = self.exchange, None
        self._server.answered(self)
        if exchange is None or not exchange.keep_alive:
            self._shut()
            return
        self.incoming.next_request()
        if self.incoming.begun:  # others have their turns before
            self._enter(Phase.READING, self._server.stall_seconds)
            self._server.give_turn(self)
        else:
            self._await_request()

    def _shut(self) -> None:
        """Closes a connection from this end, and waits for the client to close its own.

        A client that is still sending would lose the response otherwise (RFC 9112, 9.6).
        """
        if self.incoming.ended or self._transport.is_closing():
            self.close()
            return
        self._transport.write_eof()
        self._transport.resume_reading()
        self._enter(Phase.CLOSING, self._server.linger_seconds)

    # What ends a connection or a wait.

    def close(self) -> None:
        """Closes a connection at once; asyncio then calls `connection_lost`."""
        self._server.forget(self)
        self._transport.abort()

    def time_out(self, refusal: Refusal | None = None) -> None:
        """Ends a wait that has lasted too long; `refusal` is for a request that is incomplete."""
        if self.phase is Phase.READING:
            self._refuse(refusal or self.incoming.stalled(self._server.stall_seconds))
        elif self.phase is Phase.IDLE:
            self._shut()
        else:
            self.close()

    def refuse_largest(self, refusal: Refusal) -> None:
        """Refuses a large request, and frees what has arrived of its body."""
        assert self.incoming.request is not None
        self.incoming.request.drop_body()
        self._refuse(refusal)
        self._server.release(self)

    def _abandon(self) -> None:
        """Frees what a connection that is closed has kept."""
        exchange, self.exchange = self.exchange, None
        try:
            if exchange is not None:
                exchange.close()
        except BaseException:  # the app's: the loop has to go on, whatever happens
            self._server.log.exception("Error closing a connection of %s", self.address)
        if self.incoming.request is not None:
            self.incoming.request.close()
