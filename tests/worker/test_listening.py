"""Which of the connections that wait to be accepted a worker takes, and when."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.worker.listening import ROUND, Listening
from tests.worker.requests import HOOKS

CLIENTS = 3


class Listener(socket.socket):
    """A listening socket at which some attempts to accept fail, in the order of `errors`."""

    def __init__(self, *errors: OSError | None) -> None:
        super().__init__()
        self._errors = [*errors]

    def accept(self) -> tuple[socket.socket, Any]:
        """The next client."""
        error = self._errors.pop(0) if self._errors else None
        if error is not None:
            raise error
        return super().accept()


@contextmanager
def waiting(*errors: OSError | None) -> Iterator[Listener]:
    """A listening socket at which `CLIENTS` wait."""
    with ExitStack() as opened:
        listener = opened.enter_context(Listener(*errors))
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        for _ in range(CLIENTS):
            opened.enter_context(socket.create_connection(listener.getsockname()))
        yield listener


class Accepting(SimpleNamespace):
    """A server that only accepts connections, and had so many events before."""

    def __init__(self, arrived: int = 0) -> None:
        super().__init__(
            arrived=arrived,
            accepted=[],
            connections=set(),
            idle={},
            hooks=HOOKS,
            log=Logger(Config()),
            loop=SimpleNamespace(add_reader=self._add_reader, remove_reader=lambda _: None),
        )

    @property
    def count(self) -> int:
        """How many connections there are."""
        return len(self.accepted) + len(self.idle)

    def open(self, sock: socket.socket, _: Any) -> None:
        """Begins with a connection."""
        self.accepted.append(sock)

    def close(self) -> None:
        """Closes what was accepted."""
        for sock in self.accepted:
            sock.close()

    def _add_reader(self, _: Any, accept: Any, listener: Any) -> None:
        self.accept = lambda: accept(listener)


class Idle:
    """An idle connection, one of `others`."""

    def __init__(self, others: dict[Any, None]) -> None:
        self._others = others

    def close(self) -> None:
        """Closes it."""
        del self._others[self]


def accepted_at_the_end(listener: Listener, server: Any) -> int:
    """How many clients are accepted by a worker that stops."""
    asyncio.run(Listening(server, [listener], 100).end())
    server.close()
    return len(server.accepted)


@pytest.mark.parametrize("first", range(CLIENTS))
def test_one_that_is_gone(first: int) -> None:
    """A client that has left meanwhile isn't the end of those that wait."""
    with waiting(*[None] * first, ConnectionAbortedError()) as listener:
        assert accepted_at_the_end(listener, Accepting()) == CLIENTS


def test_one_for_which_there_is_room() -> None:
    """A worker without a file for the next client closes an idle connection, and goes on."""
    server = Accepting()
    server.idle[Idle(server.idle)] = None
    with waiting(None, OSError(errno.EMFILE, "Too many open files")) as listener:
        assert accepted_at_the_end(listener, server) == CLIENTS
    assert not server.idle


def test_no_room() -> None:
    """A worker without a file for the next client, and without a connection to close, stops."""
    with waiting(None, OSError(errno.EMFILE, "Too many open files")) as listener:
        assert accepted_at_the_end(listener, Accepting()) == 1


@pytest.mark.parametrize(("arrived", "accepted"), [(0, 1), (ROUND, 2), (5 * ROUND, CLIENTS)])
def test_more_after_a_long_round(arrived: int, accepted: int) -> None:
    """A worker that had much to do accepts several clients at a time; an idle one takes one."""
    server: Any = Accepting(arrived)
    with waiting() as listener:
        Listening(server, [listener], 100).resume()
        server.accept()
        assert len(server.accepted) == accepted
        server.close()
