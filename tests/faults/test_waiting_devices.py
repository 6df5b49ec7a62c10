"""A thousand devices that wait for their sessions to change: each gets its change at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.api.sessions.playing import UNTIMED, Kept, Session, keeping, make
from tests.faults.clients import ORDINARY, ordinary
from tests.faults.devices import Devices, wait_request, waiting_clients
from tests.sessions.servers import until

SESSIONS = 250
DEVICES = 4
"""How many devices play in each session."""

ALL = SESSIONS * DEVICES


@pytest.fixture(scope="module")
def kept() -> Iterator[Kept]:
    """A service with its default settings, and its store."""
    with keeping(WEB_CONCURRENCY="2") as started:
        yield started


@contextmanager
def waiting(kept: Kept) -> Iterator[tuple[list[Session], Devices]]:
    """New sessions, and devices that wait for them to change."""
    sessions = [
        make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED) for _ in range(SESSIONS)
    ]
    asks = [wait_request(session, 1, 60) for session in sessions for _ in range(DEVICES)]
    with closing(Devices(kept.service.port, asks)) as devices:
        until(lambda: waiting_clients(kept.service) == ALL, "all wait")
        yield sessions, devices


def act(sessions: list[Session], devices: Devices) -> int:
    """Changes each session; how many devices get the change of theirs."""
    acted = [session.act("roll", version=1).json for session in sessions]
    return sum(
        reply is not None and reply.status == 200 and reply.json == acted[device // DEVICES]
        for device, reply in enumerate(devices.replies(60))
    )


def test_a_thousand_devices(kept: Kept) -> None:
    """All get the new state of their session; until then, others are served as ever."""
    with waiting(kept) as (sessions, devices):
        connections = len(kept.store.client_list(_type="pubsub"))
        slowest = ordinary(kept.service)
        assert waiting_clients(kept.service) == ALL, "who asked later was answered before them"
        began = time.monotonic()
        right = act(sessions, devices)
        took = time.monotonic() - began
    print(
        f"{ALL} devices wait for {SESSIONS} sessions over {connections} connections to the store; "
        f"all {ORDINARY} other requests answered, the slowest in {slowest:.2f} s; {right} devices "
        f"got their change, {SESSIONS} changes and all responses took {took:.1f} s"
    )
    assert (right, connections) == (ALL, 2)
    until(lambda: waiting_clients(kept.service) == 0, "nobody waits any more")


def test_the_store_cuts_the_subscription(kept: Kept) -> None:
    """If the connections of the subscriptions are cut, nobody is turned away or misses a change."""
    with waiting(kept) as (sessions, devices):
        cut = kept.store.client_kill_filter(_type="pubsub")
        right = act(sessions, devices)
    print(f"{cut} connections cut; {right} of {ALL} devices got their change")
    assert right == ALL


def test_a_thousand_devices_leave(kept: Kept) -> None:
    """If all devices disconnect at once, their waits end, and others are served as ever."""
    with waiting(kept):
        pass
    slowest = ordinary(kept.service)
    until(lambda: waiting_clients(kept.service) == 0, "nobody waits any more")
    until(lambda: not kept.store.client_list(_type="pubsub"), "the subscriptions have ended")
    print(
        f"{ALL} devices have left; all {ORDINARY} other requests answered, the slowest in "
        f"{slowest:.2f} s"
    )
