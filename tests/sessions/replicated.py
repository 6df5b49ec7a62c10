"""Servers with replicas: one master, a master that sentinels watch, and a cluster."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import redis

from service.sessions.store.connect import FAILURES
from tests.live import free_port
from tests.sessions import servers
from tests.sessions.servers import until

LOCAL = "127.0.0.1"
FAST = {"repl-diskless-sync-delay": "0", "repl-ping-replica-period": "1"}
DOWN_MILLISECONDS = 1000
"""After how long a silent master is replaced."""


@dataclass
class Node:
    """A server on a port of its own, and its process."""

    binary: str
    folder: Path
    options: dict[str, str]
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] = field(init=False)
    client: redis.Redis = field(init=False)

    def __post_init__(self) -> None:
        self.client = redis.Redis(LOCAL, self.port, socket_timeout=60)

    def start(self, stack: ExitStack) -> None:
        """Starts it, until the end of `stack`."""
        given = {"port": str(self.port), "bind": LOCAL, **FAST, **self.options}
        self.process = stack.enter_context(servers.process(self.binary, self.folder, given))
        until(partial(servers.answers, f"redis://{LOCAL}:{self.port}"), "the server answers")

    def has_replicas(self, count: int = 1) -> bool:
        """Whether it has so many replicas that confirm what they receive."""
        info = self.client.info("replication")
        found = [info.get(f"slave{number}", {}) for number in range(count)]
        return all(each.get("state") == "online" and each["offset"] > 0 for each in found)

    def is_master(self) -> bool:
        """Whether it is a master now."""
        try:
            return bool(self.client.info("replication")["role"] == "master")
        except FAILURES:
            return False


@contextmanager
def node(binary: str, folder: Path, **options: str) -> Iterator[Node]:
    """A server on a port of its own."""
    made = Node(binary, folder, options)
    with ExitStack() as stack, closing(made.client):
        made.start(stack)
        yield made


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
        ports = []
        for number in range(3):
            own = folder / f"sentinel-{number}"
            own.mkdir()
            (own / "sentinel.conf").write_text(
                f"sentinel monitor games {LOCAL} {master.port} 2\n"
                f"sentinel down-after-milliseconds games {DOWN_MILLISECONDS}\n"
                "sentinel failover-timeout games 5000\n"
            )
            ports.append(free_port())
            options = {"port": str(ports[-1]), "bind": LOCAL}
            conf = str(own / "sentinel.conf")
            stack.enter_context(servers.process(binary, own, options, conf, "--sentinel"))
        for port in ports:
            asked = stack.enter_context(closing(redis.Redis(LOCAL, port)))
            until(
                partial(_sees_all, asked, count), "the sentinels know each other and all replicas"
            )
        hosts = ",".join(f"{LOCAL}:{port}" for port in ports)
        yield f"redis+sentinel://{hosts}/games", master, replicas


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
    with ExitStack() as stack:
        nodes, buses = [], []
        for number in range(2 * shards):
            buses.append(free_port())
            options = {
                "cluster-enabled": "yes",
                "cluster-port": str(buses[-1]),
                "cluster-announce-ip": LOCAL,
                "cluster-node-timeout": str(DOWN_MILLISECONDS),
                "cluster-replica-validity-factor": "0",
            }
            nodes.append(stack.enter_context(node(binary, folder / str(number), **options)))
        share = servers.SLOTS // shards
        for number, master in enumerate(nodes[:shards]):
            last = servers.SLOTS if number == shards - 1 else (number + 1) * share
            master.client.execute_command("CLUSTER ADDSLOTSRANGE", number * share, last - 1)
            master.client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        places = [(each.port, bus) for each, bus in zip(nodes, buses, strict=True)]
        until(partial(servers.all_met, nodes[0].client, places), "the nodes have met")
        for each in nodes:
            until(partial(servers.sees_all, each.client, len(nodes)), "the cluster is whole")
        for master, replica in zip(nodes[:shards], nodes[shards:], strict=True):
            name = master.client.execute_command("CLUSTER MYID").decode()
            replica.client.execute_command("CLUSTER REPLICATE", name)
        for master in nodes[:shards]:
            until(master.has_replicas, "the replicas have caught up")
        hosts = ",".join(f"{LOCAL}:{each.port}" for each in nodes)
        yield f"redis+cluster://{hosts}", nodes
