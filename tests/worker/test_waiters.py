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
    """Connections of `FAIR_SHARE` hosts, one each, and then one more of the last host."""
    with ExitStack() as stack:
        opened = [stack.enter_context(connection_and_client())[0] for _ in range(FAIR_SHARE + 1)]
        for number, connection in enumerate(opened):
            connection.address = (f"10.0.0.{min(number, FAIR_SHARE - 1)}", 4321)
        yield opened


def test_a_host_with_its_share(connections: list[Connection]) -> None:
    """A host that has no more than its share makes the one go on that has waited longest of all."""
    waiters = Waiters()
    for connection in connections[:-1]:
        waiters.add(connection, due=60)
    assert waiters.one_too_many(connections[-2]) is connections[0]


def test_a_host_with_more(connections: list[Connection]) -> None:
    """A host with more than its share makes its own go on, the longest waiting first."""
    waiters = Waiters()
    for connection in connections:
        waiters.add(connection, due=60)
    assert waiters.one_too_many(connections[-1]) is connections[-2]
    waiters.discard(connections[-2])
    assert waiters.one_too_many(connections[-1]) is connections[0]
    assert waiters.all() == [*connections[:-2], connections[-1]]


def test_a_unix_socket(connections: list[Connection]) -> None:
    """Clients at a Unix socket have no address; the one that has waited longest goes on."""
    waiters = Waiters()
    for connection in connections:
        connection.address = ""
        waiters.add(connection, due=60)
    assert waiters.one_too_many(connections[-1]) is connections[0]
