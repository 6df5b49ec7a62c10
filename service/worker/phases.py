"""The phases of a connection, in their order, and what ends each of them."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from operator import attrgetter

from service.worker.admission import LARGE_SECONDS, MAX_LARGE_BYTES, Admission
from service.worker.answering import Answering
from service.worker.connection import Connection, Phase
from service.worker.exchange import Shared
from service.worker.refusal import Refusal, refusal_response
from service.worker.request import Request
from service.worker.turns import Turns
from service.worker.watched import READ, WRITE, Watched

LINGER_SECONDS = 2.0
"""How long a client has to close its end after the last response on a connection, unless a worker
has it else.

Until then the connection isn't closed: a client that is still sending would lose the response
(RFC 9112, 9.6). A worker that stops keeps idle connections for as long, in case a request is on
its way.
"""

LINGER_BYTES = 1 << 18
"""How much a client may go on sending meanwhile."""

MAX_DISCARDED_BYTES = 1 << 26
"""How much it may go on sending of a body that is too long, no slower than any other body."""

LARGE_SECONDS_A_ROUND = 0.002
"""How long a round of the loop receives large requests, after all others: at least a part of one.
"""

_MAY_MOVE = (Phase.IDLE, Phase.READING, Phase.WRITING)
"""The phases that go on once the client sends or takes something."""

_moved_at = attrgetter("moved_at")


class Phases:
    """Takes connections from phase to phase. The worker's loop alone uses it.

    `keep_alive` says for how many seconds a connection may be idle. `answered` is called after each
    response.
    """

    def __init__(
        self,
        shared: Shared,
        watched: Watched,
        answering: Answering,
        keep_alive: float,
        answered: Callable[[], None],
    ) -> None:
        self._shared, self._watched, self._answering = shared, watched, answering
        self._keep_alive, self._answered = keep_alive, answered
        self._admission = Admission()
        self._admitting = False

    def attempt(self, step: Callable[[Connection], object], connection: Connection) -> None:
        """Does the next step of a connection. An error closes it, and harms no other.

        A step that concerns another connection is an attempt of its own.
        """
        try:
            step(connection)
        except OSError:  # the client is gone, or a disk is full
            self.close(connection)
        except BaseException:
            self._shared.log.exception("Error on a connection of %s", connection.address)
            self.close(connection)

    def begin(self, connection: Connection) -> None:
        """Waits for the first request of a new connection."""
        self._watched.add(connection)
        self.attempt(self._await_request, connection)

    def _await_request(self, connection: Connection) -> None:
        """Waits for a request, or goes on with what has been received of one."""
        if connection.begun:
            self._parse(connection)
        elif connection.ended:  # the client has closed its end
            self.close(connection)
        else:
            stopping = self._shared.stopping()
            seconds = connection.limits.linger_seconds if stopping else self._keep_alive
            self._watched.enter(connection, Phase.IDLE, seconds, READ)

    def _parse(self, connection: Connection) -> None:
        """Parses what has been received of a request, and goes on with it."""
        try:
            connection.parse()
        except Refusal as refusal:
            self._refuse(connection, refusal)
            return
        except OSError as error:  # no space for a temporary file
            self._shared.log.error("A body can't be kept: %s", error)
            self.close(connection)
            return
        request = connection.request
        if request is None:
            self._read(connection)
        elif request.large and not self._admit(connection, request):
            self._watched.enter(connection, Phase.QUEUED, math.inf)
            self._make_way()
        else:
            self._take_up(connection, request)

    def _take_up(self, connection: Connection, request: Request) -> None:
        """Has a complete request answered; of another, waits for the rest."""
        if request.complete:
            self._answering.begin(connection, request)
            return
        self._read(connection)
        if request.expects_continue:
            self._continue(connection, request)
        if request.large:
            self._make_room()

    def _admit(self, connection: Connection, request: Request) -> bool:
        """Gives a large request a slot, or has it wait; returns whether it has one."""
        if connection in self._admission:
            return True
        client = self._shared.client(connection, request)
        return self._admission.admit(connection, client, time.monotonic())

    def _make_way(self) -> None:
        """Refuses a large request whose client has too many, if another client waits."""
        connection = self._admission.in_excess()
        if connection is not None:
            self.attempt(partial(self._time_out, _too_many()), connection)

    def _make_room(self) -> None:
        """Refuses a large request if the bodies of all have too many bytes."""
        connection = self._admission.one_too_many()
        if connection is not None:
            self.attempt(self._refuse_largest, connection)

    def _refuse_largest(self, connection: Connection) -> None:
        """Refuses a large request, and frees what has arrived of its body."""
        assert connection.request is not None
        refusal = _no_room(connection.request.received)
        connection.request.drop_body()
        self._refuse(connection, refusal)
        self._release(connection)

    def _read(self, connection: Connection) -> None:
        """Waits for more of a request."""
        if connection.phase is not Phase.READING:
            self._watched.enter(connection, Phase.READING, connection.limits.stall_seconds, READ)

    def _continue(self, connection: Connection, request: Request) -> None:
        """Asks a client that waits for it (`Expect: 100-continue`) to send the body."""
        request.expects_continue = False
        if not request.received:
            connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            with suppress(OSError):  # the loop notices a lost connection when it reads
                connection.send_more()

    def _refuse(self, connection: Connection, refusal: Refusal) -> None:
        """Responds to a request that can't be parsed or doesn't arrive in full, and closes."""
        log = self._shared.log
        timed_out = refusal.status is HTTPStatus.REQUEST_TIMEOUT
        request = connection.refused_request()
        write = log.debug if timed_out else log.warning
        write("Refusing the request %s of %s: %s", request.id, connection.address, refusal.status)
        response = refusal_response(refusal, request, self._shared.hooks)
        connection.send(response.encode())
        seconds = time.monotonic() - connection.since
        self._shared.hooks.log_refusal(log, response, request, connection, seconds)
        self.send(connection)

    def send(self, connection: Connection) -> None:
        """Waits for the client to take what is unsent, or goes on if everything was sent."""
        if connection.unsent:
            self._watched.enter(connection, Phase.WRITING, connection.limits.stall_seconds, WRITE)
            return
        exchange = self._answering.exchange(connection)
        if exchange is None or exchange.ended:
            self._finish(connection)
        elif exchange.waiting is None:
            self._answering.go_on(connection)
        else:
            self._release(connection)
            self._answering.wait(connection, exchange.waiting.seconds)
            other = self._answering.one_too_many(connection)
            if other is not None:
                self.attempt(self._answering.give_up, other)

    def _finish(self, connection: Connection) -> None:
        """Waits for the next request, or for the client to close its end."""
        self._release(connection)
        self._answered()
        if self._answering.end(connection):
            connection.next_request()
            self._await_request(connection)
        else:
            self._shut(connection)

    def _shut(self, connection: Connection) -> None:
        """Closes a connection from this end, and waits for the client to close its own."""
        if connection.shut(socket.SHUT_WR):
            self._watched.enter(connection, Phase.CLOSING, connection.limits.linger_seconds, READ)
        else:
            self.close(connection)

    def close(self, connection: Connection) -> None:
        """Closes a connection at once."""
        self._watched.enter(connection, Phase.CLOSING, math.inf)
        self._watched.discard(connection)
        connection.close()
        self._answering.abandon(connection)
        self._release(connection)

    def _release(self, connection: Connection) -> None:
        """Frees the slot of a large request, if it has one, for the next in the queue."""
        self._admission.release(connection)
        if self._admitting:  # this is a step of one that comes from the queue
            return
        self._admitting = True
        while (waited := self._admission.pop_next()) is not None:
            queued, client = waited
            self.attempt(partial(self._take_from_queue, client), queued)
        self._admitting = False

    def _take_from_queue(self, client: str, connection: Connection) -> None:
        """Gives a large request the slot it has waited for, unless its client has gone halfway."""
        request = connection.request
        assert request is not None
        if connection.can_finish():
            self._admission.admit(connection, client, time.monotonic())
            self._take_up(connection, request)
        else:
            self._refuse(connection, request.ended_early())

    # What ends the wait for a client.

    def on_ready(self, ready: list[Connection]) -> None:
        """Goes on with connections whose clients have sent something, or can take something.

        Those with large requests have less time, or all others would wait for each turn of many
        uploads. Those for which the time doesn't suffice are ready in the next round.
        """
        large = [each for each in ready if each in self._admission]
        if large:
            ready = [each for each in ready if each not in self._admission]
        for connection in _turns(ready).take():
            self.attempt(self._on_event, connection)
        for connection in _turns(large).take(LARGE_SECONDS_A_ROUND):
            self.attempt(self._on_event, connection)

    def on_time(self, now: float) -> None:
        """Ends the waits that have lasted too long.

        A client doesn't stall if its next bytes have arrived, and the loop hasn't come to them.
        """
        for connection in self._watched.overdue(now):
            if connection.phase in _MAY_MOVE and connection.ready():
                continue
            self.attempt(partial(self._time_out, connection.stalled()), connection)
        for connection in self._admission.slow(now):
            self.attempt(partial(self._time_out, _overtaken()), connection)
        self._make_way()

    def _on_event(self, connection: Connection) -> None:
        """Receives, sends or looks, as the phase has it."""
        phase = connection.phase
        if phase is Phase.WORKING:  # its turn in the loop hasn't come yet
            self._watched.enter(connection, Phase.WORKING, math.inf)
        elif phase is Phase.WRITING:
            if connection.send_more():
                self.send(connection)
        elif phase is Phase.CLOSING:
            request = connection.request
            too_long = request is not None and request.too_long
            if not connection.discard(MAX_DISCARDED_BYTES if too_long else LINGER_BYTES):
                self.close(connection)
        elif phase is Phase.WAITING:
            if connection.gone():
                self._answering.give_up(connection)
            else:  # the next request has its turn after this one
                self._watched.enter(connection, Phase.WAITING, math.inf)
        else:
            connection.receive()
            if phase is Phase.READING or connection.begun or connection.ended:
                self._await_request(connection)

    def _time_out(self, refusal: Refusal, connection: Connection) -> None:
        """Ends a wait that has lasted too long; `refusal` is for a request that is incomplete."""
        if connection.phase is Phase.READING:
            self._refuse(connection, refusal)
        elif connection.phase is Phase.IDLE:
            self._shut(connection)
        else:
            self.close(connection)


def _turns(ready: list[Connection]) -> Turns:
    """The turns of connections; of a peer, those come first that moved longest ago."""
    return Turns(sorted(ready, key=_moved_at))


def _overtaken() -> Refusal:
    """The refusal of a large request that takes long while others wait for its slot."""
    return Refusal(
        HTTPStatus.REQUEST_TIMEOUT,
        f"Other requests were waiting, and this one took more than {LARGE_SECONDS:.0f} seconds.",
    )


def _too_many() -> Refusal:
    """The refusal of a large request whose client has more of them than its share."""
    return Refusal(
        HTTPStatus.REQUEST_TIMEOUT,
        "Another client was waiting, and yours sends many large requests at once. Send it again.",
    )


def _no_room(received: int) -> Refusal:
    """The refusal of a large request when the bodies of all have too many bytes."""
    mebibytes = MAX_LARGE_BYTES >> 20
    return Refusal(
        HTTPStatus.REQUEST_TIMEOUT,
        f"Large bodies had more than {mebibytes} MiB in all, and this one the most: {received} "
        "bytes had arrived. Send it again later, or in smaller parts.",
    )
