"""Every kind of Redis URL connects, and no command is ever sent twice."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

import pytest
import redis
from redis.exceptions import ClusterDownError

from service.redis_address import RedisAddress, parse_address
from service.sessions.store.connect import FAILURES, Client, NotSent, connect, never_ran
from tests.live import free_port
from tests.sessions import servers
from tests.sessions.servers import Direct
from tests.sessions.store.counting_proxy import DroppingProxy
from tests.sessions.store.proxied import proxied

INCREASE = "return redis.call('INCRBY', KEYS[1], ARGV[1])"


def ask(client: Client, *command: str | int) -> Any:
    """The reply to a command about the key that is its first argument."""
    return client.ask(str(command[1]), command)[0]


def fails(client: Client, *command: str | int) -> Exception:
    """The error of a command."""
    with pytest.raises(FAILURES) as caught:
        ask(client, *command)
    return caught.value


@pytest.mark.smoke
def test_every_kind_of_store_answers(store_url: str) -> None:
    """SET, GET and EVAL do the same in a server, by a sentinel and in a cluster, in bytes; several
    commands are sent together.
    """
    client = connect(store_url)
    for number in range(20):  # of all nodes
        key = f"answers:{number}"
        assert ask(client, "SET", key, "40", "EX", 60) == b"OK"
        assert client.ask(key, ("EVAL", INCREASE, 1, key, 2), ("GET", key)) == [42, b"42"]


@pytest.mark.parametrize("kind", ["cluster_url", "sentinel_url"])
def test_any_host_may_be_down(request: pytest.FixtureRequest, kind: str) -> None:
    """Of several nodes or sentinels in a URL, one that answers is enough, wherever it stands."""
    scheme, _, place = request.getfixturevalue(kind).partition("//")
    hosts, *master = place.split("/")
    there = hosts.split(",")[0]
    down = f"127.0.0.1:{free_port()}"
    for several in ((there, down), (down, there), (down, there, down), (down, down, there)):
        client = connect("/".join([f"{scheme}//{','.join(several)}", *master]))
        assert ask(client, "SET", "answers", "40") == b"OK"
        assert ask(client, "GET", "answers") == b"40"


def test_idle_connection_is_replaced(store_url: str) -> None:
    """If the server closed an idle connection, the user of the client doesn't notice."""
    client = connect(store_url)
    ask(client, "SET", "idle", 1)
    with closing(Direct(store_url)) as other:
        other.get("idle")
        nodes: dict[str, Any] = {"target_nodes": "all"} if "cluster" in store_url else {}
        other.client_kill_filter(_type="normal", skipme=True, **nodes)
    assert ask(client, "INCR", "idle") == 2


@pytest.mark.fault
def test_a_key_that_moves(any_server: str, tmp_path: Path) -> None:
    """While keys of a cluster move to another node, and after they have, commands follow them."""
    with servers.cluster(any_server, tmp_path, (0, 0)) as url, ExitStack() as stack:
        client, key = connect(url), "moves"  # which is at the second node
        assert ask(client, "INCR", key) == 1
        ports = [port for _, port in parse_address(url).hosts]
        to, of = (stack.enter_context(closing(redis.Redis("127.0.0.1", each))) for each in ports)
        slot = to.execute_command("CLUSTER KEYSLOT", key)
        ids = {node: node.execute_command("CLUSTER MYID") for node in (to, of)}
        to.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", ids[of])
        of.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", ids[to])
        assert ask(client, "INCR", key) == 2, "it is where it was"
        of.delete(key)
        assert ask(client, "INCR", key) == 1, "it is new, so it is where the others will be"
        for node in (to, of):
            node.execute_command("CLUSTER SETSLOT", slot, "NODE", ids[to])
        assert [ask(client, "INCR", key) for _ in range(2)] == [2, 3]
        assert to.get(key) == b"3"


@pytest.mark.fault
def test_a_node_that_left(any_server: str, tmp_path: Path) -> None:
    """A node that has left the cluster isn't asked again, even if all others are silent."""
    with servers.cluster(any_server, tmp_path, (0, 0)) as url, ExitStack() as stack:
        hosts = parse_address(url).hosts
        client, key = connect(f"redis+cluster://127.0.0.1:{hosts[0][1]}"), "moves"
        assert ask(client, "INCR", key) == 1  # at the second node
        stays, leaves = (stack.enter_context(closing(redis.Redis(*each))) for each in hosts)
        node = leaves.execute_command("CLUSTER MYID")
        leaves.flushall()
        leaves.execute_command("CLUSTER RESET HARD")
        stays.execute_command("CLUSTER FORGET", node)
        stays.execute_command("CLUSTER ADDSLOTSRANGE", servers.SLOTS // 2, servers.SLOTS - 1)
        servers.until(partial(servers.sees_all, stays, 1), "one node is the whole cluster")
        assert isinstance(fails(client, "INCR", key), ClusterDownError), "it asked who left"
        assert ask(client, "INCR", key) == 1
        leaves.config_resetstat()
        stays.shutdown(nosave=True)
        for _ in range(2):
            assert isinstance(fails(client, "INCR", key), NotSent)
        asked = leaves.info("commandstats")
        assert not {each for each in asked if "slots" in each}, asked


@pytest.fixture(params=[False, True], ids=["once", "for good"])
def proxy(request: pytest.FixtureRequest) -> Iterator[DroppingProxy]:
    """A way to a server on which the answer to a command with `counted` is lost."""
    made = DroppingProxy(b"counted", for_good=request.param)
    yield made
    made.close()


@pytest.mark.parametrize(
    "kind", ["redis", "sentinel", pytest.param("cluster", marks=pytest.mark.fault)]
)
def test_lost_answer_is_not_asked_for_again(
    kind: str, any_server: str, tmp_path: Path, proxy: DroppingProxy
) -> None:
    """If a write ran and its reply was lost, the client gets an error and the write ran once, even
    if the server can't be reached for a second attempt.
    """
    with proxied(kind, any_server, tmp_path, proxy) as (_, through):
        client = connect(through)
        assert ask(client, "GET", "other") is None
        lost = fails(client, "INCR", "counted")
        assert (proxy.lost, never_ran(lost)) == (1, False)
        if not proxy.for_good:
            assert ask(client, "GET", "other") is None
        assert ask(connect(f"redis://127.0.0.1:{proxy.upstream}"), "GET", "counted") == b"1"


def test_slow_server_times_out(alone: Direct, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without a reply in time is unavailable; the command may have run."""
    client = connect(alone.url)
    alone.client_pause(100)
    assert ask(client, "GET", "slow") is None
    alone.client_pause(60_000)
    monkeypatch.setattr("service.sessions.store.deadline.STEP_SECONDS", 0.1)
    assert never_ran(fails(client, "GET", "slow")) is False


def test_silent_server(alone: Direct, monkeypatch: pytest.MonkeyPatch) -> None:
    """After one command has waited in vain, no other idle connection to that server is used."""
    client = connect(alone.url)

    def last_commands() -> list[str]:
        return sorted(each["cmd"] for each in alone.client_list())

    with ThreadPoolExecutor(3) as pool:
        waits = [pool.submit(ask, client, "BLPOP", "nothing", 0) for _ in range(3)]
        servers.until(lambda: last_commands().count("blpop") == 3, "all wait")
        alone.rpush("nothing", *range(3))
        assert all(each.result() for each in waits)
    alone.client_pause(60_000, all=False)
    monkeypatch.setattr("service.sessions.store.deadline.STEP_SECONDS", 0.1)
    assert isinstance(fails(client, "INCR", "silent"), redis.TimeoutError)
    servers.until(lambda: "blpop" not in last_commands(), "the others are closed")


@pytest.mark.parametrize(
    "form",
    ["redis://127.0.0.1:{}", "redis+sentinel://127.0.0.1:{}/games", "redis+cluster://127.0.0.1:{}"],
)
def test_nobody_there(form: str) -> None:
    """A URL of any kind at which nothing listens is unavailable."""
    assert never_ran(fails(connect(form.format(free_port())), "GET", "key")) is True


def test_an_error_below_redis() -> None:
    """After an error of the system, nobody knows whether the command has run."""
    assert never_ran(OSError("broken pipe")) is False


@pytest.mark.parametrize("form", ["unix://{}/s", "redis://no-such-host.invalid", "redis://{}"])
def test_no_way_there(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing socket, an unknown name and a host that accepts nobody are unavailable."""
    monkeypatch.setattr("service.sessions.store.deadline.STEP_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as busy, ExitStack() as waiting:
        host = f"127.0.0.1:{busy.getsockname()[1]}"
        while not refused_in_time(busy, waiting):
            pass
        place = tmp_path if form.startswith("unix") else host
        assert never_ran(fails(connect(form.format(place)), "GET", "key")) is True


def refused_in_time(busy: socket.socket, waiting: ExitStack) -> bool:
    """Whether one more client waits without being accepted."""
    client = waiting.enter_context(socket.socket())
    client.settimeout(0.2)
    try:
        client.connect(busy.getsockname())
    except TimeoutError:
        return True
    return False


@contextmanager
def full(*, at_once: bool) -> Iterator[int]:
    """A server that has no room for another client, which it says at once or to a command; its
    port.
    """

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            if not at_once:
                self.request.recv(4096)
            self.request.sendall(b"-ERR max number of clients reached\r\n")
            self.request.recv(4096)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.mark.parametrize("at_once", [True, False])
def test_too_many_clients(at_once: bool) -> None:
    """A server that has no room for another client has not run its command."""
    with full(at_once=at_once) as port:
        refused = fails(connect(f"redis://127.0.0.1:{port}"), "GET", "key")
        assert (str(refused), never_ran(refused)) == ("max number of clients reached", True)


def test_refused(any_server: str, tmp_path: Path) -> None:
    """A command that a server refuses has not run: by a replica, without memory, by a sentinel."""
    with servers.on_a_port(any_server, tmp_path / "server") as url:
        port = int(url.rpartition(":")[2])
        with (
            servers.sentinel(any_server, tmp_path / "sentinel", port) as watched,
            closing(Direct(url)) as direct,
        ):
            clients = [connect(url), connect(watched)]
            for setting, refuses, allows in (("maxmemory", 1, 0), ("min-replicas-to-write", 1, 0)):
                direct.config_set(setting, refuses)
                for client in clients:
                    assert never_ran(fails(client, "SET", "key", "value")) is True
                direct.config_set(setting, allows)
            assert ask(clients[1], "SET", "key", "value") == b"OK"
            direct.replicaof("127.0.0.1", 1)
            for client in clients:
                assert never_ran(fails(client, "SET", "key", "value")) is True


def test_password(any_server: str, tmp_path: Path) -> None:
    """The password in the URL is used, unquoted; without it, the store refuses everything."""
    with servers.on_a_port(any_server, tmp_path, requirepass="p@ss") as url:
        assert ask(connect(url.replace("//", "//:p%40ss@")), "GET", "key") is None
        for other in (url.replace("//", "//:wrong@"), url):
            assert never_ran(fails(connect(other), "GET", "key")) is True


def test_database(any_server: str, tmp_path: Path) -> None:
    """The database of the URL is used."""
    with servers.on_a_port(any_server, tmp_path) as url:
        assert ask(connect(f"{url}/3"), "SET", "key", "of 3") == b"OK"
        assert [ask(connect(f"{url}/{each}"), "GET", "key") for each in (0, 3)] == [None, b"of 3"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "redis+sentinel://:pw@one,two:7/my%20games/4?sentinel_password=s",
            RedisAddress(
                "redis://:pw@one/4",
                "sentinel",
                (("one", 26379), ("two", 7)),
                "my games",
                {"password": "s"},
            ),
        ),
        (
            "rediss+cluster://me:p%40@[::1]:1,two?ssl_ca_certs=/ca.pem",
            RedisAddress(
                "rediss://me:p%40@[::1]:1?ssl_ca_certs=%2Fca.pem",
                "cluster",
                (("::1", 1), ("two", 6379)),
            ),
        ),
    ],
)
def test_several_hosts(url: str, expected: RedisAddress) -> None:
    """Hosts and the master's name are split off; the rest becomes a URL of redis-py."""
    assert parse_address(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "redis://redis",
        "redis://host/",
        "rediss://me:p%40@[::1]:7/3?ssl_ca_certs=/ca.pem",
        "unix://me:p@/run/my%20redis?db=2",
    ],
)
def test_one_server(url: str) -> None:
    """The URL of one server is left to redis-py."""
    assert parse_address(url) == RedisAddress(url)


@pytest.mark.parametrize(
    "url", ["redis://me:secret@host", "redis+sentinel://:secret@h/m?sentinel_password=secret"]
)
def test_address_hides_secrets(url: str) -> None:
    """The `repr` of an address has no password."""
    assert "secret" not in repr(parse_address(url))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("localhost:6379", "must be a URL such as redis://host:6379/0, "),
        ("http://secret@host", "must be a URL such as "),
        ("redis+other://host", "must be a URL such as "),
        ("unix+cluster:///path", "must be a URL such as "),
        ("unix:/path", "must be a URL such as "),
        ("redis:host", "must be a URL such as "),
        ("REDIS://host", "must be a URL such as "),
        ("redis://[secret", "must be a URL such as "),
        ("redis://:sec#ret@host", "must have no #; write %23 "),
        ("redis://", "must have hosts as host:port, with names or IP addresses that can exist"),
        ("redis://host:65536", "must have hosts as host:port"),
        ("redis://::1", "must have hosts as host:port"),
        ("redis://:sec/ret@host", "must have hosts as host:port"),
        ("redis://host:secret", "must have hosts as host:port"),
        ("redis://one..two", "must have hosts as host:port"),
        (f"redis+cluster://one,{'x' * 64}.org", "must have hosts as host:port"),
        ("redis+cluster://one,,two", "must have hosts as host:port"),
        ("redis://one,two", "must have one host; for several: redis+sentinel:// or "),
        ("redis://host/secret", "must end with one database number, or none"),
        ("redis://host/1/2", "must end with one database number, or none"),
        ("redis+sentinel://host:26379", "must name the master that the sentinels watch: "),
        ("redis+cluster://host/1", "must have no database: a Redis Cluster has only one"),
        ("unix://run/redis.sock", "must have three slashes before the path of a socket: "),
        ("unix://", "must have three slashes"),
        ("redis://host?socket_timeout=9", "must have nothing after ?; write %3F "),
        ("redis://:pass?secret@host", "must have nothing after ?; write %3F "),
        ("rediss://host?db=1", "must have only ssl_ca_certs, ssl_certfile, ssl_keyfile after ?"),
        ("unix:///s?retry=1", "must have only db after ?"),
    ],
)
def test_url_that_cannot_be_used(url: str, message: str) -> None:
    """One sentence says what the URL must be, and holds none of what may be secret in it."""
    with pytest.raises(ValueError, match=r"^must ") as caught:
        parse_address(url)
    detail = str(caught.value)
    assert detail.startswith(message)
    assert "secret" not in detail
