"""Accepts connections, as many as a worker can have."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from service.worker.client import Phase
from service.worker.connection import Connection

if TYPE_CHECKING:
    from service.worker.server import Server

ROUND = 8
"""For how many times that something has arrived, one more connection is accepted at a time. An idle
worker takes one, so that others get theirs; a busy one has long rounds, and new clients wait for
each of them.
"""

WANTED_FILES = 1 << 16
"""How many open files and sockets a worker asks for."""

OTHER_FILES = 256
"""How many of them are for other uses than connections."""

_LEAST = 16

_INCOMPLETE = (Phase.READING, Phase.QUEUED, Phase.CLOSING)


class Listening:
    """The listening sockets of a worker. Without room for a connection it pauses."""

    def __init__(self, server: Server, listeners: Sequence[socket.socket], wanted: int) -> None:
        """A worker has `wanted` connections, or fewer if the limit of open files is lower."""
        self._server, self._listeners = server, listeners
        self.max_connections = min(wanted, max(_file_limit() - OTHER_FILES, _LEAST))
        self._accepting = False
        for listener in listeners:
            listener.setblocking(False)

    def resume(self) -> None:
        """Accepts connections from now on."""
        if not self._accepting:
            self._accepting = True
            for listener in self._listeners:
                self._server.loop.add_reader(listener, self._accept_some, listener)

    async def end(self) -> None:
        """Accepts all that are connected already, as far as there is room, and no others."""
        self._pause()
        for listener in self._listeners:
            while self._accept(listener):
                await asyncio.sleep(0)  # until those that made room are closed
            listener.close()

    def _pause(self) -> None:
        if self._accepting:
            self._accepting = False
            for listener in self._listeners:
                self._server.loop.remove_reader(listener)

    def _accept_some(self, listener: socket.socket) -> None:
        """Accepts a connection, and more of them if the last rounds were long."""
        arrived, self._server.arrived = self._server.arrived, 0
        for _ in range(1 + arrived // ROUND):
            before = self._server.count
            if not self._accept(listener) or self._server.count <= before:
                break  # nobody waits, or one that made room is still to be closed

    def _accept(self, listener: socket.socket) -> bool:
        """Accepts a connection; returns False once nobody waits for that, or there is no room."""
        if self._server.count >= self.max_connections and not self._evict():
            self._pause()
            return False
        try:
            sock, address = listener.accept()
        except BlockingIOError:  # perhaps another worker has it
            return False
        except ConnectionAbortedError:  # it is gone; others may wait behind it
            return True
        except OSError as error:  # no files, no memory, no network: this may pass
            self._server.log.warning("A connection can't be accepted: %s", error)
            if not self._evict():
                self._pause()
                return False
            return True
        sock.setblocking(False)
        self._server.open(sock, Connection(self._server, address, sock.getsockname()))
        return True

    def _evict(self) -> bool:
        """Closes the connection that has been idle longest, or else incomplete longest.

        Returns whether there was one.
        """
        oldest = next(iter(self._server.idle), None)
        if oldest is None:
            incomplete = (each for each in self._server.connections if each.phase in _INCOMPLETE)
            oldest = min(incomplete, key=lambda each: each.since, default=None)
        if oldest is None:
            return False
        oldest.close()
        return True


def _file_limit() -> int:
    """The limit of open files, after raising it as far as needed and allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return WANTED_FILES if soft == resource.RLIM_INFINITY else soft
