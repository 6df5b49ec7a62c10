"""A thousand devices that wait for their sessions to change: each gets its change at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.api.sessions.playing import UNTIMED, Kept, Session, keeping, make
from tests.faults.clients import ORDINARY, ordinary
from tests.faults.devices import Devices, wait_request, waiting_clients
from tests.sessions.servers import until

SESSIONS = 250
DEVICES = 4
"""How many devices play in each session."""


@pytest.fixture(scope="module")
def kept() -> Iterator[Kept]:
    """A service with its default settings, and its store."""
    with keeping(WEB_CONCURRENCY="2") as started:
        yield started


def sessions_of(kept: Kept) -> list[Session]:
    """As many sessions as there are."""
    return [
        make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED) for _ in range(SESSIONS)
    ]


def test_a_thousand_devices(kept: Kept) -> None:
    """All get the new state of their session; until then, others are served as ever."""
    sessions = sessions_of(kept)
    asks = [wait_request(session, 1, 60) for session in sessions for _ in range(DEVICES)]
    with closing(Devices(kept.service.port, asks)) as devices:
        until(lambda: waiting_clients(kept.service) == len(asks), "all wait")
        connections = len(kept.store.client_list(_type="pubsub"))
        found = ordinary(kept.service)
        assert waiting_clients(kept.service) == len(asks), (
            "who asked later was answered before them"
        )
        began = time.monotonic()
        acted = [session.act("roll", version=1).json for session in sessions]
        replies = devices.replies(60)
        took = time.monotonic() - began
    right = sum(
        reply is not None and reply.status == 200 and reply.json == acted[device // DEVICES]
        for device, reply in enumerate(replies)
    )
    print(
        f"{len(asks)} devices wait for {SESSIONS} sessions over {connections} connections to the "
        f"store; {found.answered} of {ORDINARY} other requests answered, the slowest in "
        f"{max(found.seconds):.2f} s; {right} devices got their change, {SESSIONS} changes and all "
        f"responses took {took:.1f} s"
    )
    assert (right, connections) == (len(asks), 2)
    assert found.answered == ORDINARY
    until(lambda: waiting_clients(kept.service) == 0, "nobody waits any more")


def test_the_store_cuts_the_subscription(kept: Kept) -> None:
    """If the connections of the subscriptions are cut, nobody is turned away or misses a change."""
    sessions = sessions_of(kept)
    asks = [wait_request(session, 1, 60) for session in sessions for _ in range(DEVICES)]
    with closing(Devices(kept.service.port, asks)) as devices:
        until(lambda: waiting_clients(kept.service) == len(asks), "all wait")
        cut = kept.store.client_kill_filter(_type="pubsub")
        acted = [session.act("roll", version=1).json for session in sessions]
        replies = devices.replies(60)
    right = sum(
        reply is not None and reply.status == 200 and reply.json == acted[device // DEVICES]
        for device, reply in enumerate(replies)
    )
    print(f"{cut} connections cut; {right} of {len(asks)} devices got their change")
    assert right == len(asks)


def test_a_thousand_devices_leave(kept: Kept) -> None:
    """If all devices disconnect at once, their waits end, and others are served as ever."""
    asks = [wait_request(session, 1, 60) for session in sessions_of(kept) for _ in range(DEVICES)]
    with closing(Devices(kept.service.port, asks)):
        until(lambda: waiting_clients(kept.service) == len(asks), "all wait")
    found = ordinary(kept.service)
    until(lambda: waiting_clients(kept.service) == 0, "nobody waits any more")
    until(lambda: not kept.store.client_list(_type="pubsub"), "the subscriptions have ended")
    print(
        f"{len(asks)} devices have left; {found.answered} of {ORDINARY} other requests answered, "
        f"the slowest in {max(found.seconds):.2f} s"
    )
    assert found.answered == ORDINARY
