"""Which large requests get a slot, which wait, and which lose their slot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.worker.admission import LARGE_SECONDS, Admission
from service.worker.connection import Connection, Phase
from service.worker.request import Request
from tests.worker.sockets import LIMITS, connection_and_client


@pytest.fixture
def connections() -> Iterator[list[Connection]]:
    """Four connections that read large requests."""
    with ExitStack() as stack:
        four = [stack.enter_context(connection_and_client())[0] for _ in range(4)]
        for connection in four:
            connection.enter(Phase.READING, 5)
        yield four


def test_slots_then_queue(connections: list[Connection]) -> None:
    """With two slots, the third and the fourth connection wait; asking again changes nothing."""
    admission = Admission(slots=2)
    for _ in range(2):
        assert [admission.admit(each, 0) for each in connections] == [True, True, False, False]
    assert [each in admission for each in connections] == [True, True, False, False]
    assert admission.pop_next() is None


def test_first_come_first_served(connections: list[Connection]) -> None:
    """A slot that becomes free goes to the connection that has waited longest."""
    first, second, third, fourth = connections
    admission = Admission(slots=1)
    for each in connections:
        admission.admit(each, 0)
    admission.release(first)
    assert admission.pop_next() is second
    assert admission.admit(second, 1)
    assert admission.pop_next() is None
    admission.release(third)  # its client has gone while it waited
    admission.release(second)
    assert admission.pop_next() is fourth


def test_slow_while_others_wait(connections: list[Connection]) -> None:
    """After ten seconds the earliest lose their slots, as many as there are others waiting."""
    admission = Admission(slots=3)
    for seconds, each in enumerate(connections[:3]):
        admission.admit(each, seconds)
    late = LARGE_SECONDS + 10
    assert admission.slow(late) == []
    admission.admit(connections[3], 3)
    assert admission.slow(LARGE_SECONDS) == []
    assert admission.slow(late) == connections[:1]


def test_slow_is_only_who_waits_for_the_client(connections: list[Connection]) -> None:
    """A request that a thread works on keeps its slot, however long that takes."""
    first, second, third, _ = connections
    admission = Admission(slots=2)
    for each in (first, second, third):
        admission.admit(each, 0)
    first.enter(Phase.WORKING, 5)
    second.enter(Phase.WRITING, 5)
    assert admission.slow(LARGE_SECONDS + 1) == [second]


def test_too_many_bytes(connections: list[Connection]) -> None:
    """If all bodies have too many bytes, the largest that is incomplete loses its slot."""
    admission = Admission(most_bytes=100)
    complete, small, large, waits = connections
    for connection, sent in ((complete, 60), (small, 10), (large, 30), (waits, 900)):
        connection.request = Request(LIMITS)
        connection.request.received = sent
    for connection in (complete, small, large):
        admission.admit(connection, 0)
    complete.enter(Phase.WORKING, 5)
    assert admission.one_too_many() is None
    assert small.request is not None
    small.request.received = 11
    assert admission.one_too_many() is large
    admission.release(large)
    assert admission.one_too_many() is None


def test_too_many_bytes_of_complete_bodies(connections: list[Connection]) -> None:
    """A body that is complete keeps its slot, however large it is."""
    admission = Admission(most_bytes=100)
    first, second, _, _ = connections
    for connection in (first, second):
        connection.request = Request(LIMITS)
        connection.request.received = 60
        connection.enter(Phase.WORKING, 5)
        admission.admit(connection, 0)
    assert admission.one_too_many() is None
