"""Servers with replicas: one master, a master that sentinels watch, and a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import redis

from service.sessions.store.connect import FAILURES
from tests.sessions import servers
from tests.sessions.servers import LOCAL, Node, node, until

DOWN_MILLISECONDS = 1000
"""After how long a silent master is replaced."""


@contextmanager
def replicas_of(binary: str, folder: Path, master: Node, count: int) -> Iterator[list[Node]]:
    """So many replicas, which have caught up with `master`."""
    with ExitStack() as stack:
        place = f"{LOCAL} {master.port}"
        several = [
            stack.enter_context(node(binary, folder / f"replica-{number}", replicaof=place))
            for number in range(count)
        ]
        until(partial(master.has_replicas, count), "the replicas have caught up")
        yield several


@contextmanager
def pair(binary: str, folder: Path) -> Iterator[tuple[Node, Node]]:
    """A master and a replica that has caught up with it."""
    with (
        node(binary, folder / "master") as master,
        replicas_of(binary, folder, master, 1) as (replica,),
    ):
        yield master, replica


@contextmanager
def watched(binary: str, folder: Path, count: int) -> Iterator[tuple[str, Node, list[Node]]]:
    """A master and its replicas with three sentinels; their URL."""
    with ExitStack() as stack:
        master = stack.enter_context(node(binary, folder / "master"))
        replicas = stack.enter_context(replicas_of(binary, folder, master, count))
        settings = (
            f"down-after-milliseconds games {DOWN_MILLISECONDS}",
            "failover-timeout games 5000",
        )
        hosts = []
        for number in range(3):
            own = folder / f"sentinel-{number}"
            watching = servers.sentinel(binary, own, master.port, 2, *settings)
            hosts.append(urlsplit(stack.enter_context(watching)).netloc)
        for host in hosts:
            asked = stack.enter_context(closing(redis.Redis.from_url(f"redis://{host}")))
            until(
                partial(_sees_all, asked, count), "the sentinels know each other and all replicas"
            )
        yield f"redis+sentinel://{','.join(hosts)}/games", master, replicas


def _sees_all(sentinel: redis.Redis, count: int) -> bool:
    try:
        states: Any = sentinel.sentinel_masters()
    except FAILURES:
        return False
    state = states.get("games", {})
    return bool(state and state["num-slaves"] == count and state["num-other-sentinels"] == 2)


@contextmanager
def cluster(binary: str, folder: Path, shards: int = 3) -> Iterator[tuple[str, list[Node]]]:
    """A cluster whose masters have a replica each; its URL, and all masters before all replicas."""
    options = {
        "cluster-node-timeout": str(DOWN_MILLISECONDS),
        "cluster-replica-validity-factor": "0",
    }
    started = servers.nodes_of_a_cluster(binary, folder, [0] * shards, shards, **options)
    with started as nodes:
        for master, replica in zip(nodes[:shards], nodes[shards:], strict=True):
            name = master.client.execute_command("CLUSTER MYID").decode()
            replica.client.execute_command("CLUSTER REPLICATE", name)
        for master in nodes[:shards]:
            until(master.has_replicas, "the replicas have caught up")
        yield servers.cluster_url(nodes), nodes
