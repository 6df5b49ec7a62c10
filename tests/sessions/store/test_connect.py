"""Every kind of Redis URL connects, and no command is ever sent twice."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from service.redis_address import RedisAddress, parse_address
from service.sessions.store import deadline
from service.sessions.store.connect import FAILURES, connect, never_ran
from tests.live import free_port
from tests.sessions import servers

INCREASE = "return redis.call('INCRBY', KEYS[1], ARGV[1])"


@pytest.mark.smoke
def test_every_kind_of_store_answers(store_url: str) -> None:
    """SET, GET and EVAL do the same in a server, by a sentinel and in a cluster, in bytes."""
    with closing(connect(store_url)) as client:
        for number in range(20):  # of all nodes
            key = f"answers:{number}"
            assert client.set(key, "40", ex=60) is True
            assert client.eval(INCREASE, 1, key, 2) == 42
            assert client.get(key) == b"42"


@pytest.mark.parametrize("kind", ["cluster_url", "sentinel_url"])
def test_any_host_may_be_down(request: pytest.FixtureRequest, kind: str) -> None:
    """Of several nodes or sentinels in a URL, one that answers is enough, wherever it stands."""
    scheme, _, place = request.getfixturevalue(kind).partition("//")
    hosts, *master = place.split("/")
    there = hosts.split(",")[0]
    down = f"127.0.0.1:{free_port()}"
    for several in ((there, down), (down, there), (down, there, down), (down, down, there)):
        url = "/".join([f"{scheme}//{','.join(several)}", *master])
        with closing(connect(url)) as client:
            assert client.set("answers", "40") is True
            assert client.get("answers") == b"40"


def test_idle_connection_is_replaced(store_url: str) -> None:
    """If the server closed an idle connection, the user of the client doesn't notice."""
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
    """If a write ran and its reply was lost, the client gets an error and the write ran once, even
    if the server can't be reached for a second attempt.
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


def test_slow_server_times_out(
    any_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server without a reply in time is unavailable; the command may have run."""
    with servers.on_a_port(any_server, tmp_path) as url, closing(connect(url)) as client:
        client.client_pause(100)
        assert client.get("slow") is None
        client.client_pause(60_000)
        monkeypatch.setattr(deadline, "STEP_SECONDS", 0.1)
        with pytest.raises(FAILURES) as slow:
            client.get("slow")
        assert never_ran(slow.value) is False


@pytest.mark.parametrize(
    "form",
    ["redis://127.0.0.1:{}", "redis+sentinel://127.0.0.1:{}/games", "redis+cluster://127.0.0.1:{}"],
)
def test_nobody_there(form: str) -> None:
    """A URL of any kind at which nothing listens is unavailable."""
    with pytest.raises(FAILURES) as caught:
        connect(form.format(free_port())).get("key")
    assert never_ran(caught.value) is True


def test_an_error_below_redis() -> None:
    """After an error of the system, nobody knows whether the command has run."""
    assert never_ran(OSError("broken pipe")) is False


@pytest.mark.parametrize("form", ["unix://{}/s", "redis://no-such-host.invalid", "redis://{}"])
def test_no_way_there(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing socket, an unknown name and a host that accepts nobody are unavailable."""
    monkeypatch.setattr(deadline, "STEP_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as busy, ExitStack() as waiting:
        host = f"127.0.0.1:{busy.getsockname()[1]}"
        while not refused_in_time(busy, waiting):
            pass
        place = tmp_path if form.startswith("unix") else host
        with pytest.raises(FAILURES) as caught:
            connect(form.format(place)).get("key")
    assert never_ran(caught.value) is True


def refused_in_time(busy: socket.socket, waiting: ExitStack) -> bool:
    """Whether one more client waits without being accepted."""
    client = waiting.enter_context(socket.socket())
    client.settimeout(0.2)
    try:
        client.connect(busy.getsockname())
    except TimeoutError:
        return True
    return False


def test_refused(any_server: str, tmp_path: Path) -> None:
    """A command that a server refuses has not run: by a replica, without memory, by a sentinel."""
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
    """The password in the URL is used, unquoted; without it, the store refuses everything."""
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
