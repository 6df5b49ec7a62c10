"""Which of the connections that wait to be accepted a worker takes, and when."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.worker.connection import Connection, Phase
from service.worker.listening import ROUND, Listening
from service.worker.watched import Watched
from tests.worker.sockets import LIMITS, connection_and_client

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


def accepted_at_the_end(listener: Listener, watched: Watched) -> int:
    """How many clients are accepted by a worker that stops, and has the connections `watched`."""
    taken: list[Connection] = []
    phases: Any = SimpleNamespace(begin=taken.append, close=watched.discard)
    Listening([listener], watched, phases, LIMITS, 100, Logger(Config())).end()
    for each in taken:
        each.close()
    return len(taken)


@pytest.mark.parametrize("first", range(CLIENTS))
def test_one_that_is_gone(first: int) -> None:
    """A client that has left meanwhile isn't the end of those that wait."""
    with waiting(*[None] * first, ConnectionAbortedError()) as listener:
        assert accepted_at_the_end(listener, Watched()) == CLIENTS


def test_one_for_which_there_is_room() -> None:
    """A worker without a file for the next client closes an idle connection, and goes on."""
    watched = Watched()
    with (
        waiting(None, OSError(errno.EMFILE, "Too many open files")) as listener,
        connection_and_client() as (idle, _),
    ):
        watched.add(idle)
        watched.enter(idle, Phase.IDLE, 60)
        assert accepted_at_the_end(listener, watched) == CLIENTS
    assert len(watched) == 0


def test_no_room() -> None:
    """A worker without a file for the next client, and without a connection to close, stops."""
    with waiting(None, OSError(errno.EMFILE, "Too many open files")) as listener:
        assert accepted_at_the_end(listener, Watched()) == 1


@pytest.mark.parametrize(("ready", "accepted"), [(0, 1), (ROUND, 2), (5 * ROUND, CLIENTS)])
def test_more_after_a_long_round(ready: int, accepted: int) -> None:
    """A worker that had much to do accepts several clients at a time; an idle one takes one."""
    taken: list[Connection] = []
    phases: Any = SimpleNamespace(begin=taken.append)
    watched = Watched()
    with waiting() as listener:
        Listening([listener], watched, phases, LIMITS, 100, Logger(Config())).resume()
        watched.ready = ready
        assert watched.select(10) == []
        assert len(taken) == accepted
        for each in taken:
            each.close()
