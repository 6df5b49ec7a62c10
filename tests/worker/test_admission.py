"""Which large requests get a slot, which wait, and which lose their slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from service.worker.client import Phase
from service.worker.fairness import LARGE_SECONDS, Admission


@dataclass(eq=False)
class Large:
    """A connection with a large request, of which `body_bytes` have arrived."""

    phase: Phase = Phase.READING
    moved_at: float = 0
    large_since: float = 0
    body_bytes: int = 0


@pytest.fixture
def connections() -> list[Any]:
    """Four connections that read large requests."""
    return [Large() for _ in range(4)]


def test_slots_then_queue(connections: list[Any]) -> None:
    """With two slots, the third and the fourth connection wait."""
    admission = Admission(slots=2)
    admitted = [admission.admit(each, "ann") for each in connections]
    assert admitted == [True, True, False, False]
    assert [each in admission for each in connections] == admitted


def test_first_come_first_served(connections: list[Any]) -> None:
    """A slot that becomes free goes to the connection that has waited longest."""
    first, second, third, fourth = connections
    admission = Admission(slots=1)
    for each in connections:
        admission.admit(each, "ann")
    assert admission.release(first) == second
    assert admission.release(third) is None  # its client has gone while it waited
    assert admission.release(second) == fourth
    assert admission.release(fourth) is None


def test_the_client_with_the_fewest_slots_is_next(connections: list[Any]) -> None:
    """A free slot goes to the client that has the fewest; of those, to the one served last."""
    first, second, third, fourth = connections
    admission = Admission(slots=2)
    assert admission.admit(first, "ann")
    assert admission.admit(second, "ann")
    assert not admission.admit(third, "ann")
    assert not admission.admit(fourth, "ben")
    assert admission.release(first) == fourth
    assert admission.release(second) == third


def test_a_client_with_more_than_its_share(connections: list[Any]) -> None:
    """A client with more than a sixteenth of the slots makes room for one that has fewer.

    It loses the request of which nothing has come for longest, and none that is answered already.
    """
    admission = Admission(slots=16)
    own: list[Any] = [Large(moved_at=(number + 5) % 16) for number in range(16)]
    for each in own:
        assert admission.admit(each, "ann")
    assert admission.in_excess() is None  # nobody waits
    admission.admit(connections[0], "ann")
    assert admission.in_excess() is None  # only "ann" waits
    admission.admit(connections[1], "ben")
    assert admission.in_excess() == own[11]
    own[11].phase = Phase.WORKING
    assert admission.in_excess() == own[12]
    assert admission.release(own[12]) == connections[1]
    admission.admit(connections[2], "ben")
    assert admission.in_excess() is None  # "ben" has a sixteenth


def test_slow_while_others_wait(connections: list[Any]) -> None:
    """After ten seconds the earliest lose their slots, as many as there are others waiting."""
    admission = Admission(slots=3)
    for seconds, each in enumerate(connections[:3]):
        admission.admit(each, "ann")
        each.large_since = seconds
    late = LARGE_SECONDS + 10
    assert admission.slow(late) == []
    admission.admit(connections[3], "ann")
    assert admission.slow(LARGE_SECONDS) == []
    assert admission.slow(late) == connections[:1]


def test_slow_is_only_who_waits_for_the_client(connections: list[Any]) -> None:
    """A request that a thread works on keeps its slot, however long that takes."""
    first, second, third, _ = connections
    admission = Admission(slots=2)
    for each in (first, second, third):
        admission.admit(each, "ann")
    first.phase, second.phase = Phase.WORKING, Phase.WRITING
    assert admission.slow(LARGE_SECONDS + 1) == [second]


def test_too_many_bytes(connections: list[Any]) -> None:
    """If all bodies have too many bytes, the largest that is incomplete loses its slot."""
    admission = Admission(most_bytes=100)
    complete, small, large, waits = connections
    for connection, sent in ((complete, 60), (small, 10), (large, 30), (waits, 900)):
        connection.body_bytes = sent
    for connection in (complete, small, large):
        admission.admit(connection, "ann")
    complete.phase = Phase.WORKING
    assert admission.one_too_many() is None
    small.body_bytes = 11
    assert admission.one_too_many() == large
    admission.release(large)
    assert admission.one_too_many() is None


def test_too_many_bytes_of_complete_bodies() -> None:
    """A body that is complete keeps its slot, however large it is."""
    admission = Admission(most_bytes=100)
    bodies: list[Any] = [Large(Phase.WORKING, body_bytes=60) for _ in range(2)]
    for each in bodies:
        admission.admit(each, "ann")
    assert admission.one_too_many() is None
