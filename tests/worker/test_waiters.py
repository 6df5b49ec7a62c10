"""Which of the requests that wait goes on when too many do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.worker.connection import Connection
from service.worker.waiters import FAIR_SHARE, Waiters
from tests.worker.sockets import connection_and_client


@pytest.fixture
def connections() -> Iterator[list[Connection]]:
    """Connections of `FAIR_SHARE` clients, one each, and then one more of the last client."""
    with ExitStack() as stack:
        yield [stack.enter_context(connection_and_client())[0] for _ in range(FAIR_SHARE + 1)]


def client(number: int) -> str:
    """The client of a connection."""
    return f"10.0.0.{min(number, FAIR_SHARE - 1)}"


def test_a_client_with_its_share(connections: list[Connection]) -> None:
    """If a client has no more than its share, the one goes on that has waited longest of all."""
    waiters = Waiters()
    for number, connection in enumerate(connections[:-1]):
        waiters.add(connection, client(number), due=60)
    assert waiters.one_too_many(connections[-2]) is connections[0]


def test_a_client_with_more(connections: list[Connection]) -> None:
    """A client with more than its share makes its own go on, the longest waiting first."""
    waiters = Waiters()
    for number, connection in enumerate(connections):
        waiters.add(connection, client(number), due=60)
    assert waiters.one_too_many(connections[-1]) is connections[-2]
    waiters.discard(connections[-2])
    assert waiters.one_too_many(connections[-1]) is connections[0]
    assert waiters.all() == [*connections[:-2], connections[-1]]


def test_a_unix_socket(connections: list[Connection]) -> None:
    """Clients at a Unix socket have no address; the one that has waited longest goes on."""
    waiters = Waiters()
    for connection in connections:
        waiters.add(connection, "", due=60)
    assert waiters.one_too_many(connections[-1]) is connections[0]
