"""A replica takes over from a master that dies: what is lost with and without `WAIT_REPLICAS`."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.players import PLAYERS, Players, playing
from tests.live import running
from tests.sessions import replicated, servers
from tests.sessions.servers import until

MORE = 100
"""How many actions are acknowledged after the failover."""

BEHIND = 40
"""How many actions the replicas miss if they are cut off; as many 503s if replicas must have them.
"""

NOWHERE = ("127.0.0.1", 1)


def one_takes_over(replicas: Sequence[servers.Node], players: Players) -> float:
    """Waits until one of the replicas is a master, and actions are acknowledged; returns how many
    seconds that took.
    """
    began = time.monotonic()
    until(lambda: any(each.is_master() for each in replicas), "a replica takes over")
    players.await_more(1)
    return time.monotonic() - began


@pytest.mark.parametrize("wait", [0, 1])
@pytest.mark.parametrize("fault", ["killed", "frozen", "killed after its replicas were cut off"])
def test_sentinel(tmp_path: Path, wait: int, fault: str) -> None:
    """After a failover by Sentinel, only what no replica had is lost, and with `WAIT_REPLICAS`
    nothing; nothing is performed twice. A frozen master that goes on later changes nothing.
    """
    with ExitStack() as stack:
        watched = replicated.watched(servers.either(), tmp_path, 2)
        url, master, replicas = stack.enter_context(watched)
        service = stack.enter_context(
            running(REDIS_URL=url, WEB_CONCURRENCY="2", WAIT_REPLICAS=str(wait))
        )
        with playing(service) as players:
            if "cut off" in fault:
                for each in replicas:
                    each.client.replicaof(*NOWHERE)
                (players.await_refusals if wait else players.await_more)(BEHIND)
            master.process.send_signal(signal.SIGSTOP if fault == "frozen" else signal.SIGKILL)
            seconds = one_takes_over(replicas, players)
            players.await_more(MORE)
            if fault == "frozen":
                master.process.send_signal(signal.SIGCONT)  # it is a master for some seconds
                players.await_more(MORE)
        found = players.find().printed(
            f"WAIT_REPLICAS={wait}: master {fault}, replaced by Sentinel in {seconds:.1f} s"
        )
    assert (found.twice, found.failed) == (0, 0)
    if wait:
        assert found.lost == 0
    elif "cut off" in fault:
        # one action of each player may have been copied before the cut, and counted after it
        assert found.lost >= BEHIND - PLAYERS


@pytest.mark.parametrize("wait", [0, 1])
def test_cluster(tmp_path: Path, wait: int) -> None:
    """After a failover in a cluster, only what the replica didn't have is lost, and with
    `WAIT_REPLICAS` nothing; nothing is performed twice.
    """
    with ExitStack() as stack:
        url, nodes = stack.enter_context(replicated.cluster(servers.either(), tmp_path))
        master, replica = nodes[0], nodes[3]
        service = stack.enter_context(
            running(REDIS_URL=url, WEB_CONCURRENCY="2", WAIT_REPLICAS=str(wait))
        )
        with playing(service) as players:
            master.process.kill()
            master.process.wait()
            until(replica.is_master, "the replica takes over")
            master.start(stack)  # as the replica of the other one
            seconds = one_takes_over([replica], players)
            players.await_more(MORE)
        found = players.find().printed(
            f"WAIT_REPLICAS={wait}: one of three masters of a cluster killed and replaced, then "
            f"{seconds:.1f} s until the next action"
        )
    assert (found.twice, found.failed) == (0, 0)
    if wait:
        assert found.lost == 0
