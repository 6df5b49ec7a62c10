"""Requests that have arrived in full, until their responses have been made."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

from service.worker.connection import Connection, Phase
from service.worker.exchange import Exchange, Shared
from service.worker.handback import Handback
from service.worker.lane import Lanes
from service.worker.request import Request
from service.worker.turns import Turns
from service.worker.waiters import Waiters
from service.worker.watched import READ, Watched

BRIEF_BYTES = 4096
"""The longest request that is answered in the loop, its head included."""


class Answering:
    """Makes each response, in the loop or in a thread, in as many turns as it takes.

    After a turn the connection comes back, from `turns` or `finished`, for what the turn has made
    to be sent. Only the loop calls these methods.
    """

    def __init__(
        self, shared: Shared, watched: Watched, handback: Handback, max_waiting: int
    ) -> None:
        """At most `max_waiting` requests wait for something else than their clients."""
        self._shared, self._watched, self._handback = shared, watched, handback
        self._max_waiting = max_waiting
        self._exchanges: dict[Connection, Exchange] = {}
        self._brief = Turns()
        self._lanes = Lanes(shared.hooks.kinds, self._work)
        self._waiters = Waiters()

    @property
    def waiting(self) -> int:
        """How many requests wait for something else than their clients."""
        return len(self._waiters)

    def exchange(self, connection: Connection) -> Exchange | None:
        """The exchange of a connection whose request is complete and whose response isn't sent."""
        return self._exchanges.get(connection)

    def begin(self, connection: Connection, request: Request) -> None:
        """Has the response to a complete request made."""
        short = request.head_bytes + request.received <= BRIEF_BYTES
        brief = short and request.path_info in self._shared.hooks.brief_paths
        self._exchanges[connection] = Exchange(self._shared, connection, request, brief=brief)
        self.go_on(connection)

    def go_on(self, connection: Connection) -> None:
        """Has the response, or more of it, made by the loop or by a thread of the right lane."""
        exchange = self._exchanges[connection]
        if exchange.brief:
            # most are answered before the next event, so what the loop waits for stays as it is
            self._watched.enter(connection, Phase.WORKING, math.inf, connection.event)
            self._brief.add(connection)
        else:
            self._watched.enter(connection, Phase.WORKING, math.inf)
            self._lanes.put(connection, exchange.request)

    def wait(self, connection: Connection, seconds: float) -> None:
        """Waits until the request may have a response, `seconds` at most, or its client is gone.

        Meanwhile it has no body.
        """
        exchange = self._exchanges[connection]
        if exchange.is_woken or exchange.over:
            self.resume(connection)
            return
        exchange.drop_body()
        self._watched.enter(connection, Phase.WAITING, math.inf, READ)
        self._waiters.add(connection, exchange.client, time.monotonic() + seconds)

    def one_too_many(self, latest: Connection) -> Connection | None:
        """The connection whose request must be answered now, so that `latest` can wait.

        It is idle then, and can be closed for a new one. None as long as not too many wait.
        """
        if len(self._waiters) <= self._max_waiting:
            return None
        return self._waiters.one_too_many(latest)

    def resume(self, connection: Connection) -> None:
        """Calls the app again for a request that waits."""
        self._waiters.discard(connection)
        self._exchanges[connection].is_woken = False
        self.go_on(connection)

    def give_up(self, connection: Connection) -> None:
        """Has a request that waits answered now."""
        self._exchanges[connection].give_up()
        self.resume(connection)

    def end(self, connection: Connection) -> bool:
        """Notes that a response has been sent, and returns whether to keep the connection."""
        exchange = self._exchanges.pop(connection, None)
        return exchange is not None and exchange.keep_alive

    def abandon(self, connection: Connection) -> None:
        """Ends the exchange of a connection that is closed, if it has one."""
        self._waiters.discard(connection)
        exchange = self._exchanges.pop(connection, None)
        if exchange is not None:
            try:
                exchange.close()
            except BaseException:  # the app's: the loop has to go on, whatever happens
                self._shared.log.exception("Error closing a connection of %s", connection.address)

    # What the loop asks for.

    def timeout(self, most: float) -> float:
        """Seconds until there is something to do, and `most` at most."""
        return 0 if self._brief else self._waiters.timeout(most)

    def turns(self) -> Iterator[Connection]:
        """Gives brief requests their turns in the loop, and returns each connection after its own.

        Those for which `ROUND_SECONDS` don't suffice have them in the next round.
        """
        for connection in self._brief.take():
            self._work_on(connection)
            yield connection

    def finished(self) -> Iterator[Connection]:
        """The connections that threads have handed back after a turn."""
        for connection in self._handback.finished():
            self._lanes.done(connection)
            yield connection

    def woken(self) -> Iterator[Connection]:
        """The connections whose requests need not wait any longer."""
        for connection in self._handback.woken():
            if connection.phase is Phase.WAITING and self._exchanges[connection].is_woken:
                yield connection

    def due(self, now: float) -> list[Connection]:
        """The connections whose requests have waited for as long as they may."""
        return self._waiters.due(now)

    def all_waiting(self) -> list[Connection]:
        """The connections whose requests wait, the longest waiting first."""
        return self._waiters.all()

    # The turns themselves.

    def _work(self, connection: Connection) -> None:
        """Gives a request its turn in a thread of a lane."""
        try:
            self._work_on(connection)
        finally:
            self._handback.finish(connection)

    def _work_on(self, connection: Connection) -> None:
        """Makes a response, or the next part of it, and sends what the client takes now."""
        try:
            self._exchanges[connection].proceed()
            with suppress(ConnectionError):  # the loop will notice, too
                connection.send_more()
        except BaseException:  # the thread or the loop has to go on, whatever happens
            self._shared.log.exception("Error handling a request of %s", connection.address)
            connection.shut(socket.SHUT_RDWR)
