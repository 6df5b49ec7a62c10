"""What ends the wait for a client, and what doesn't."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from service.worker.connection import Connection, Phase
from service.worker.phases import Phases
from service.worker.watched import READ, WRITE, Watched
from tests.worker.sockets import connection_and_client


def watching(connection: Connection, phase: Phase, event: int) -> tuple[Phases, Watched]:
    """Phases in which `connection` has waited for too long, and what they watch."""
    watched = Watched()
    unused: Any = SimpleNamespace(abandon=lambda _: None)
    watched.add(connection)
    watched.enter(connection, phase, -1, event)
    return Phases(unused, watched, unused, 75, lambda: None), watched


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.READING])
def test_bytes_that_the_loop_has_not_come_to(phase: Phase) -> None:
    """A client whose bytes have arrived doesn't stall: a busy loop receives them late."""
    with connection_and_client() as (connection, client):
        phases, _ = watching(connection, phase, READ)
        client.sendall(b"GET")
        phases.on_time(connection.deadline)
        assert (connection.phase, connection.sock.recv(9)) == (phase, b"GET")


def test_a_client_that_has_taken_what_was_sent() -> None:
    """A client that has made room for more of its response doesn't stall either."""
    with connection_and_client() as (connection, _):
        phases, _ = watching(connection, Phase.WRITING, WRITE)
        connection.send(b"HTTP/1.1")
        phases.on_time(connection.deadline)
        assert (connection.phase, connection.unsent_bytes) == (Phase.WRITING, 8)


def test_a_client_that_takes_nothing() -> None:
    """A client that leaves no room for its response for too long loses its connection."""
    with connection_and_client() as (connection, _):
        phases, watched = watching(connection, Phase.WRITING, WRITE)
        connection.send(bytes(1 << 24))
        assert not connection.send_more()
        phases.on_time(connection.deadline)
        assert (len(watched), connection.sock.fileno()) == (0, -1)


def test_a_client_that_sends_nothing() -> None:
    """An idle client finds its connection closed."""
    with connection_and_client() as (connection, client):
        phases, _ = watching(connection, Phase.IDLE, READ)
        phases.on_time(connection.deadline)
        assert (connection.phase, client.recv(9)) == (Phase.CLOSING, b"")
