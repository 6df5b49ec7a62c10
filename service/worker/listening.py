"""Accepts connections, as many as a worker can have."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from gunicorn.glogging import Logger

from service.worker.connection import Connection
from service.worker.phases import Phases
from service.worker.request import RequestLimits
from service.worker.watched import Watched

ROUND = 8
"""For how many connections that had an event, one more is accepted at a time. An idle worker takes
one, so that others get theirs; a busy one has long rounds, and new clients wait for each of them.
"""


class Listening:
    """The listening sockets of a worker. Without room for a connection it pauses."""

    def __init__(
        self,
        listeners: Sequence[socket.socket],
        watched: Watched,
        phases: Phases,
        limits: RequestLimits,
        max_connections: int,
        log: Logger,
    ) -> None:
        self._listeners, self._watched, self._phases = listeners, watched, phases
        self._limits, self._max_connections, self._log = limits, max_connections, log
        self._accepting = False
        for listener in listeners:
            listener.setblocking(False)

    def resume(self) -> None:
        """Accepts connections from now on."""
        if not self._accepting:
            self._accepting = True
            for listener in self._listeners:
                self._watched.call(listener, self._accept_some)

    def end(self) -> None:
        """Accepts all that are connected already, as far as there is room, and no others."""
        self._pause()
        for listener in self._listeners:
            while self._accept(listener):
                pass
            listener.close()

    def _pause(self) -> None:
        if self._accepting:
            self._accepting = False
            for listener in self._listeners:
                self._watched.ignore(listener)

    def _accept_some(self, listener: socket.socket) -> None:
        """Accepts a connection, and more of them if the last round was long."""
        for _ in range(1 + self._watched.ready // ROUND):
            if not (self._accepting and self._accept(listener)):
                break

    def _accept(self, listener: socket.socket) -> bool:
        """Accepts a connection; returns False once nobody waits for that, or there is no room."""
        if len(self._watched) >= self._max_connections and not self._make_room():
            self._pause()
            return False
        try:
            sock, address = listener.accept()
        except BlockingIOError:  # perhaps another worker has it
            return False
        except ConnectionAbortedError:  # it is gone; others may wait behind it
            return True
        except OSError as error:  # no files, no memory, no network: this may pass
            self._log.warning("A connection can't be accepted: %s", error)
            if not self._make_room():
                self._pause()
                return False
            return True
        self._phases.begin(Connection(sock, address, listener.getsockname(), self._limits))
        return True

    def _make_room(self) -> bool:
        """Closes the connection that is missed least, and returns whether there was one."""
        connection = self._watched.least_useful()
        if connection is None:
            return False
        self._phases.close(connection)
        return True
