"""Which connection has the next turn, which large requests get a slot or lose it, and which of the
requests that wait goes on when too many do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from service.worker.client import Phase
from service.worker.fairness import FAIR_SHARE, LARGE_SECONDS, Admission, Turns, Waiters


@pytest.fixture
def peers() -> list[Any]:
    """Connections of the peers a, a, a, b, c and a."""
    return [SimpleNamespace(peer=peer, number=number) for number, peer in enumerate("aaabca")]


def numbers(taken: Iterator[Any]) -> list[int]:
    """Which connections were taken."""
    return [each.number for each in taken]


def turns_of(connections: list[Any]) -> Turns:
    """Turns for which the connections wait."""
    turns = Turns()
    for each in connections:
        turns.add(each)
    return turns


def test_turns(peers: list[Any]) -> None:
    """Each peer has a turn before another has its second; those of a peer keep their order."""
    turns = turns_of(peers)
    assert numbers(turns.take(60)) == [0, 3, 4, 1, 2, 5]
    assert not turns


def test_turns_that_take_long(peers: list[Any]) -> None:
    """When the time is over, the rest waits for the next round; one always has its turn."""
    turns = turns_of(peers)
    rounds = []
    while turns:
        rounds.append(numbers(turns.take(-1)))
    assert rounds == [[0], [3], [4], [1], [2], [5]]


def test_turns_that_lead_to_others(peers: list[Any]) -> None:
    """A connection that is added during a round has its turn in the next one."""
    turns = turns_of(peers[:2])
    taken = []
    connection: Any
    for connection in turns.take(60):
        taken.append(connection.number)
        turns.add(connection)
    assert (taken, numbers(turns.take(60))) == ([0, 1], [0, 1])


@pytest.fixture
def waiting() -> list[Any]:
    """Connections of `FAIR_SHARE` clients, one each, and then one more of the last client."""
    return [*range(FAIR_SHARE + 1)]


def client(number: int) -> str:
    """The client of a connection."""
    return f"10.0.0.{min(number, FAIR_SHARE - 1)}"


def test_a_client_with_its_share(waiting: list[Any]) -> None:
    """If a client has no more than its share, the one goes on that has waited longest of all."""
    waiters = Waiters()
    for number, connection in enumerate(waiting[:-1]):
        waiters.add(connection, client(number))
    assert waiters.one_too_many(waiting[-2]) is waiting[0]


def test_a_client_with_more(waiting: list[Any]) -> None:
    """A client with more than its share makes its own go on, the longest waiting first."""
    waiters = Waiters()
    for number, connection in enumerate(waiting):
        waiters.add(connection, client(number))
    assert waiters.one_too_many(waiting[-1]) is waiting[-2]
    assert waiters.discard(waiting[-2]) == client(FAIR_SHARE - 1)
    assert waiters.one_too_many(waiting[-1]) is waiting[0]
    assert [*waiters] == [*waiting[:-2], waiting[-1]]
    assert waiters.discard(waiting[-2]) is None


def test_a_unix_socket(waiting: list[Any]) -> None:
    """Clients at a Unix socket have no address; the one that has waited longest goes on."""
    waiters = Waiters()
    for connection in waiting:
        waiters.add(connection, "")
    assert waiters.one_too_many(waiting[-1]) is waiting[0]


@dataclass(eq=False)
class Large:
    """A connection with a large request, of which `body_bytes` have arrived."""

    phase: Phase = Phase.READING
    moved_at: float = 0
    large_since: float = 0
    body_bytes: int = 0


@pytest.fixture
def large() -> list[Any]:
    """Four connections that read large requests."""
    return [Large() for _ in range(4)]


def test_slots_then_queue(large: list[Any]) -> None:
    """With two slots, the third and the fourth connection wait."""
    admission = Admission(slots=2)
    admitted = [admission.admit(each, "ann") for each in large]
    assert admitted == [True, True, False, False]
    assert [each in admission for each in large] == admitted


def test_first_come_first_served(large: list[Any]) -> None:
    """A slot that becomes free goes to the connection that has waited longest."""
    first, second, third, fourth = large
    admission = Admission(slots=1)
    for each in large:
        admission.admit(each, "ann")
    assert admission.release(first) == second
    assert admission.release(third) is None  # its client has gone while it waited
    assert admission.release(second) == fourth
    assert admission.release(fourth) is None


def test_the_client_with_the_fewest_slots_is_next(large: list[Any]) -> None:
    """A free slot goes to the client that has the fewest; of those, to the one served last."""
    first, second, third, fourth = large
    admission = Admission(slots=2)
    assert admission.admit(first, "ann")
    assert admission.admit(second, "ann")
    assert not admission.admit(third, "ann")
    assert not admission.admit(fourth, "ben")
    assert admission.release(first) == fourth
    assert admission.release(second) == third


def test_a_client_with_more_than_its_share(large: list[Any]) -> None:
    """A client with more than a sixteenth of the slots makes room for one that has fewer.

    It loses the request of which nothing has come for longest, and none that is answered already.
    """
    admission = Admission(slots=16)
    own: list[Any] = [Large(moved_at=(number + 5) % 16) for number in range(16)]
    for each in own:
        assert admission.admit(each, "ann")
    assert admission.in_excess() is None  # nobody waits
    admission.admit(large[0], "ann")
    assert admission.in_excess() is None  # only "ann" waits
    admission.admit(large[1], "ben")
    assert admission.in_excess() == own[11]
    own[11].phase = Phase.WORKING
    assert admission.in_excess() == own[12]
    assert admission.release(own[12]) == large[1]
    admission.admit(large[2], "ben")
    assert admission.in_excess() is None  # "ben" has a sixteenth


def test_slow_while_others_wait(large: list[Any]) -> None:
    """After ten seconds the earliest lose their slots, as many as there are others waiting."""
    admission = Admission(slots=3)
    for seconds, each in enumerate(large[:3]):
        admission.admit(each, "ann")
        each.large_since = seconds
    late = LARGE_SECONDS + 10
    assert admission.slow(late) == []
    admission.admit(large[3], "ann")
    assert admission.slow(LARGE_SECONDS) == []
    assert admission.slow(late) == large[:1]


def test_slow_is_only_who_waits_for_the_client(large: list[Any]) -> None:
    """A request that a thread works on keeps its slot, however long that takes."""
    first, second, third, _ = large
    admission = Admission(slots=2)
    for each in (first, second, third):
        admission.admit(each, "ann")
    first.phase, second.phase = Phase.WORKING, Phase.WRITING
    assert admission.slow(LARGE_SECONDS + 1) == [second]


def test_too_many_bytes(large: list[Any]) -> None:
    """If all bodies have too many bytes, the largest that is incomplete loses its slot."""
    admission = Admission(most_bytes=100)
    complete, small, largest, waits = large
    for connection, sent in ((complete, 60), (small, 10), (largest, 30), (waits, 900)):
        connection.body_bytes = sent
    for connection in (complete, small, largest):
        admission.admit(connection, "ann")
    complete.phase = Phase.WORKING
    assert admission.one_too_many() is None
    small.body_bytes = 11
    assert admission.one_too_many() == largest
    admission.release(largest)
    assert admission.one_too_many() is None


def test_too_many_bytes_of_complete_bodies() -> None:
    """A body that is complete keeps its slot, however large it is."""
    admission = Admission(most_bytes=100)
    bodies: list[Any] = [Large(Phase.WORKING, body_bytes=60) for _ in range(2)]
    for each in bodies:
        admission.admit(each, "ann")
    assert admission.one_too_many() is None
