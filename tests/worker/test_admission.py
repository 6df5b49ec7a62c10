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
        assert [admission.admit(each, "ann", 0) for each in connections] == [
            True,
            True,
            False,
            False,
        ]
    assert [each in admission for each in connections] == [True, True, False, False]
    assert admission.pop_next() is None


def test_first_come_first_served(connections: list[Connection]) -> None:
    """A slot that becomes free goes to the connection that has waited longest."""
    first, second, third, fourth = connections
    admission = Admission(slots=1)
    for each in connections:
        admission.admit(each, "ann", 0)
    admission.release(first)
    assert admission.pop_next() == (second, "ann")
    assert admission.admit(second, "ann", 1)
    assert admission.pop_next() is None
    admission.release(third)  # its client has gone while it waited
    admission.release(second)
    assert admission.pop_next() == (fourth, "ann")


def test_the_client_with_the_fewest_slots_is_next(connections: list[Connection]) -> None:
    """A free slot goes to the client that has the fewest; of those, to the one served last."""
    first, second, third, fourth = connections
    admission = Admission(slots=2)
    assert admission.admit(first, "ann", 0)
    assert admission.admit(second, "ann", 0)
    assert not admission.admit(third, "ann", 0)
    assert not admission.admit(fourth, "ben", 0)
    admission.release(first)
    assert admission.pop_next() == (fourth, "ben")
    assert admission.admit(fourth, "ben", 1)
    assert admission.pop_next() is None
    admission.release(second)
    assert admission.pop_next() == (third, "ann")


def test_a_client_with_more_than_its_share(connections: list[Connection]) -> None:
    """A client with more than a sixteenth of the slots makes room for one that has fewer.

    It loses the request of which nothing has come for longest, and none that is answered already.
    """
    admission = Admission(slots=16)
    with ExitStack() as stack:
        own = [stack.enter_context(connection_and_client())[0] for _ in range(16)]
        for number, each in enumerate(own):
            each.enter(Phase.READING, 5)
            each.moved_at = (number + 5) % 16
            assert admission.admit(each, "ann", 0)
        assert admission.in_excess() is None  # nobody waits
        admission.admit(connections[0], "ann", 0)
        assert admission.in_excess() is None  # only "ann" waits
        admission.admit(connections[1], "ben", 0)
        assert admission.in_excess() is own[11]
        own[11].enter(Phase.WORKING, 5)
        assert admission.in_excess() is own[12]
        admission.release(own[12])
        assert admission.pop_next() == (connections[1], "ben")
        assert admission.admit(connections[1], "ben", 0)
        admission.admit(connections[2], "ben", 0)
        assert admission.in_excess() is None  # "ben" has a sixteenth


def test_slow_while_others_wait(connections: list[Connection]) -> None:
    """After ten seconds the earliest lose their slots, as many as there are others waiting."""
    admission = Admission(slots=3)
    for seconds, each in enumerate(connections[:3]):
        admission.admit(each, "ann", seconds)
    late = LARGE_SECONDS + 10
    assert admission.slow(late) == []
    admission.admit(connections[3], "ann", 3)
    assert admission.slow(LARGE_SECONDS) == []
    assert admission.slow(late) == connections[:1]


def test_slow_is_only_who_waits_for_the_client(connections: list[Connection]) -> None:
    """A request that a thread works on keeps its slot, however long that takes."""
    first, second, third, _ = connections
    admission = Admission(slots=2)
    for each in (first, second, third):
        admission.admit(each, "ann", 0)
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
        admission.admit(connection, "ann", 0)
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
        admission.admit(connection, "ann", 0)
    assert admission.one_too_many() is None
