"""Every kind of Redis URL connects, and no command is ever sent twice."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from service.redis_address import RedisAddress, address, check
from service.sessions.store.connect import FAILURES, connect, never_ran
from tests.live import free_port
from tests.sessions import servers

INCREASE = "return redis.call('INCRBY', KEYS[1], ARGV[1])"


def test_every_kind_of_store_answers(store_url: str) -> None:
    """SET, GET and EVAL do the same in a server, by a sentinel and in a cluster, in bytes."""
    with closing(connect(store_url)) as client:
        for number in range(20):  # of all nodes
            key = f"answers:{number}"
            assert client.set(key, "40", ex=60) is True
            assert client.eval(INCREASE, 1, key, 2) == 42
            assert client.get(key) == b"42"


def test_idle_connection_is_replaced(store_url: str) -> None:
    """A connection that the server closed while it was idle isn't noticed by who uses it."""
    with closing(connect(store_url)) as client, closing(connect(store_url)) as other:
        client.set("idle", 1)
        other.get("idle")
        nodes: dict[str, Any] = {"target_nodes": "all"} if "cluster" in store_url else {}
        other.client_kill_filter(_type="normal", skipme=True, **nodes)
        assert client.incr("idle") == 2


@pytest.fixture(params=[False, True], ids=["once", "for good"])
def proxy(request: pytest.FixtureRequest) -> Iterator[servers.DroppingProxy]:
    """A way to a server on which the answer to a command with `counted` is lost."""
    made = servers.DroppingProxy(b"counted", for_good=request.param)
    yield made
    made.close()


@pytest.mark.parametrize("kind", ["redis", "sentinel", "cluster"])
def test_lost_answer_is_not_asked_for_again(
    kind: str, any_server: str, tmp_path: Path, proxy: servers.DroppingProxy
) -> None:
    """Where a write ran and its answer was lost, it is told so, and the write ran once; also where
    the server can't be reached any more when the client looks for it again.
    """
    run = {"redis": servers.on_a_port, "sentinel": servers.on_a_port}.get(kind)
    started = (
        run(any_server, tmp_path / "server")
        if run
        else servers.cluster(any_server, tmp_path / "server", (proxy.port,))
    )
    with started as url:
        direct = url.replace("redis+cluster", "redis")
        proxy.upstream = int(direct.rpartition(":")[2])
        through = f"{url.partition('//')[0]}//127.0.0.1:{proxy.port}"
        watching = servers.sentinel(any_server, tmp_path / "sentinel", proxy.port)
        if kind == "sentinel":
            with watching as through:
                _loses_once(through, proxy)
        else:
            _loses_once(through, proxy)
        with closing(connect(direct)) as client:
            assert client.get("counted") == b"1"


def _loses_once(url: str, proxy: servers.DroppingProxy) -> None:
    with closing(connect(url)) as client:
        assert client.get("other") is None
        with pytest.raises(FAILURES) as lost:
            client.incr("counted")
        assert proxy.lost == 1
        assert never_ran(lost.value) is False
        if not proxy.for_good:
            assert client.get("other") is None


def test_slow_server_is_given_up(any_server: str, tmp_path: Path) -> None:
    """A server that doesn't answer in time is unreachable; by default it has two seconds."""
    with (
        servers.on_a_port(any_server, tmp_path) as url,
        closing(connect(url, socket_seconds=0.1)) as hasty,
        closing(connect(url)) as patient,
    ):
        patient.ping()
        patient.client_pause(500)
        with pytest.raises(FAILURES) as slow:
            hasty.get("slow")
        assert never_ran(slow.value) is False
        assert patient.get("slow") is None


@pytest.mark.parametrize(
    "form",
    ["redis://127.0.0.1:{}", "redis+sentinel://127.0.0.1:{}/games", "redis+cluster://127.0.0.1:{}"],
)
def test_nobody_there(form: str) -> None:
    """A URL that nobody answers at is unreachable, of whatever kind."""
    with pytest.raises(FAILURES) as caught:
        connect(form.format(free_port())).get("key")
    assert never_ran(caught.value) is True


@pytest.mark.parametrize("form", ["unix://{}/s", "redis://no-such-host.invalid", "redis://{}"])
def test_no_way_there(form: str, tmp_path: Path) -> None:
    """So is a socket that isn't there, a name that isn't known, and a host that takes nobody in."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as busy, ExitStack() as waiting:
        host = f"127.0.0.1:{busy.getsockname()[1]}"
        while not refused_in_time(busy, waiting):
            pass
        place = tmp_path if form.startswith("unix") else host
        with pytest.raises(FAILURES) as caught:
            connect(form.format(place)).get("key")
    assert never_ran(caught.value) is True


def refused_in_time(busy: socket.socket, waiting: ExitStack) -> bool:
    """Whether one more client waits in vain to be taken in."""
    client = waiting.enter_context(socket.socket())
    client.settimeout(0.2)
    try:
        client.connect(busy.getsockname())
    except TimeoutError:
        return True
    return False


def test_refused(any_server: str, tmp_path: Path) -> None:
    """What a server answers it hasn't done: as a replica, without memory, by a sentinel too."""
    with servers.on_a_port(any_server, tmp_path / "server") as url:
        port = int(url.rpartition(":")[2])
        with (
            servers.sentinel(any_server, tmp_path / "sentinel", port) as watched,
            closing(connect(url)) as direct,
            closing(connect(watched)) as found,
        ):
            for setting, refuses, allows in (
                ("maxmemory", 1, 0),
                ("min-replicas-to-write", 1, 0),
            ):
                direct.config_set(setting, refuses)
                for client in (direct, found):
                    with pytest.raises(FAILURES) as refused:
                        client.set("key", "value")
                    assert never_ran(refused.value) is True
                direct.config_set(setting, allows)
            assert found.set("key", "value") is True
            direct.replicaof("127.0.0.1", 1)
            for client in (direct, found):
                with pytest.raises(FAILURES) as refused:
                    client.set("key", "value")
                assert never_ran(refused.value) is True


def test_password(any_server: str, tmp_path: Path) -> None:
    """A password in the URL is used, unquoted; without it the store is not to be used."""
    with servers.on_a_port(any_server, tmp_path, requirepass="p@ss") as url:
        with closing(connect(url.replace("//", "//:p%40ss@"))) as client:
            assert client.ping() is True
        with (
            closing(connect(url.replace("//", "//:wrong@"))) as client,
            pytest.raises(FAILURES) as refused,
        ):
            client.ping()
        assert never_ran(refused.value) is True


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://redis", RedisAddress("redis", hosts=(("redis", 6379),))),
        (
            "rediss://me:p%40@[::1]:7/3?ssl_ca_certs=/ca.pem",
            RedisAddress(
                "redis", True, (("::1", 7),), "", "", 3, "me", "p@", {"ssl_ca_certs": "/ca.pem"}
            ),
        ),
        ("unix:///run/my%20redis?db=2", RedisAddress("unix", path="/run/my redis", database=2)),
        (
            "redis+sentinel://:pw@one,two:7/games/4?sentinel_password=s",
            RedisAddress(
                "sentinel",
                False,
                (("one", 26379), ("two", 7)),
                "",
                "games",
                4,
                None,
                "pw",
                {"sentinel_password": "s"},
            ),
        ),
        (
            "rediss+cluster://one:1,two",
            RedisAddress("cluster", True, (("one", 1), ("two", 6379))),
        ),
    ],
)
def test_what_a_url_says(url: str, expected: RedisAddress) -> None:
    """Hosts, socket, master, database and login are read as they stand."""
    assert (address(url), check(url)) == (expected, url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("localhost:6379", "must start as one of redis://host:6379/0, "),
        ("http://secret@host", "must start as one of "),
        ("redis+other://host", "must start as one of "),
        ("unix+cluster:///path", "must start as one of "),
        ("redis://[secret", "must be a URL such as "),
        ("redis://:sec#ret@host", "must have no #; write %23 "),
        ("redis://", "must have hosts as host:port, with ports from 1 to 65535"),
        ("redis://host:0", "must have hosts as host:port"),
        ("redis://host:secret", "must have hosts as host:port"),
        ("redis://one..two", "must have names of hosts that can be"),
        (f"redis+cluster://one,{'x' * 64}.org", "must have names of hosts that can be"),
        ("redis+cluster://one,,two", "must have hosts as host:port"),
        ("redis://one,two", "must have one host; for several: redis+sentinel:// or "),
        ("redis://host/secret", "must have a whole number as its database"),
        ("redis://host/1/2", "must end with one database number, or none"),
        ("redis+sentinel://host:26379", "must name the master that the sentinels watch: "),
        ("redis+cluster://host/1", "must have no database: a Redis Cluster has only one"),
        ("unix://run/redis.sock", "must have three slashes before a socket's path: "),
        ("unix://", "must have three slashes"),
        ("redis://host?socket_timeout=9", "must have nothing after ?, not 'socket_timeout'"),
        ("unix:///s?retry=1", "must have only db after ?, not 'retry'"),
    ],
)
def test_url_that_cannot_be_used(url: str, message: str) -> None:
    """One sentence says what the URL must be, and holds none of what may be secret in it."""
    with pytest.raises(ValueError, match=r"^must ") as caught:
        check(url)
    told = str(caught.value)
    assert told.startswith(message)
    assert "secret" not in told
