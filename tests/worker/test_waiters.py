"""Which of the requests that wait goes on when too many do."""

from __future__ import annotations

from typing import Any

import pytest

from service.worker.fairness import FAIR_SHARE, Waiters


@pytest.fixture
def connections() -> list[Any]:
    """Connections of `FAIR_SHARE` clients, one each, and then one more of the last client."""
    return [*range(FAIR_SHARE + 1)]


def client(number: int) -> str:
    """The client of a connection."""
    return f"10.0.0.{min(number, FAIR_SHARE - 1)}"


def test_a_client_with_its_share(connections: list[Any]) -> None:
    """If a client has no more than its share, the one goes on that has waited longest of all."""
    waiters = Waiters()
    for number, connection in enumerate(connections[:-1]):
        waiters.add(connection, client(number))
    assert waiters.one_too_many(connections[-2]) is connections[0]


def test_a_client_with_more(connections: list[Any]) -> None:
    """A client with more than its share makes its own go on, the longest waiting first."""
    waiters = Waiters()
    for number, connection in enumerate(connections):
        waiters.add(connection, client(number))
    assert waiters.one_too_many(connections[-1]) is connections[-2]
    assert waiters.discard(connections[-2]) == client(FAIR_SHARE - 1)
    assert waiters.one_too_many(connections[-1]) is connections[0]
    assert [*waiters] == [*connections[:-2], connections[-1]]
    assert waiters.discard(connections[-2]) is None


def test_a_unix_socket(connections: list[Any]) -> None:
    """Clients at a Unix socket have no address; the one that has waited longest goes on."""
    waiters = Waiters()
    for connection in connections:
        waiters.add(connection, "")
    assert waiters.one_too_many(connections[-1]) is connections[0]
