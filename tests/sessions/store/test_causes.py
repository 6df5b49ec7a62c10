"""What is said about a store that can't be used: the true cause, and nothing of its address."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from service.sessions.store import scripts
from service.sessions.store.connect import connect
from service.sessions.store.failures import MAX_FAILURES, StoreUnavailable, Unusable, cause_of
from service.sessions.store.redis_store import Store
from tests.live import free_port
from tests.sessions import servers

TLS = "rediss:// is for a port with TLS, redis:// for one without"
USER = "refuses its user or password; correct REDIS_URL, or the users of that Redis"
GIVE = "; give it all commands, on the keys and channels dice:*"
CLOSES = f"closes connections without an answer; {TLS}"

USERS = {
    "quiet": ("allkeys", "resetchannels", "+@all"),
    "reader": ("allkeys", "allchannels", "+@all", "-pexpireat"),
    "careful": ("allkeys", "allchannels", "+@all", "-@dangerous"),
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server with a password, and with users who may not do everything."""
    folder = tmp_path_factory.mktemp("server")
    with servers.on_a_port(servers.either(), folder, requirepass="secret") as url:
        number = urlsplit(url).port
        assert number
        with redis.Redis(port=number, password="secret") as store:
            for name, rules in USERS.items():
                store.execute_command("ACL SETUSER", name, "on", ">pw", *rules)
        yield number


def said(url: str) -> tuple[str, bool]:
    """The cause, and whether it lasts until somebody changes something. Redis and Valkey have other
    words for a denied channel, which are left out.
    """
    with pytest.raises(StoreUnavailable) as caught:
        Store(lambda: connect(url)).check()
    cause, lasts = cause_of(caught.value.__cause__)
    assert isinstance(caught.value, Unusable) is lasts
    return re.sub(r"\([^)]*\bchannel[^)]*\)", "(channels)", cause), lasts


@pytest.mark.parametrize(
    ("url", "cause", "lasts"),
    [
        ("redis://127.0.0.1:{port}", USER, True),
        ("redis://:wrong@127.0.0.1:{port}", USER, True),
        (
            "redis://quiet:pw@127.0.0.1:{port}",
            "denies its user a permission that sessions need (channels)" + GIVE,
            True,
        ),
        (
            "redis://reader:pw@127.0.0.1:{port}",
            "denies its user a permission that sessions need ("
            "LLEN, HLEN, HSET, RPUSH, PEXPIREAT or PUBLISH)" + GIVE,
            True,
        ),
        (
            "redis://:secret@127.0.0.1:{port}/99",
            "refuses what sessions need (DB index is out of range)",
            True,
        ),
        (
            "redis+cluster://:secret@127.0.0.1:{port}",
            "refuses what sessions need (This instance has cluster support disabled)",
            True,
        ),
        ("redis://127.0.0.1:{free}", "can't be reached (Connection refused)", False),
        ("redis+cluster://127.0.0.1:{free}", "can't be reached (Connection refused)", False),
        (
            "redis+sentinel://127.0.0.1:{free}/games",
            "has no master that any of its sentinels names",
            False,
        ),
        ("unix:///nowhere/socket", "can't be reached (No such file or directory)", False),
    ],
    ids=[
        *("no password", "password", "channels", "command", "database", "cluster"),
        *("refused", "refused cluster", "sentinel", "socket"),
    ],
)
def test_causes(port: int, url: str, cause: str, lasts: bool) -> None:
    """The cause is said as it is."""
    assert said(url.format(port=port, free=free_port())) == (cause, lasts)


@pytest.mark.parametrize("user", [":wrong", "quiet:pw"])
def test_a_slow_refusal(port: int, user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that refuses its user is asked each time, however slowly it answers: nobody is told
    to try again soon.
    """
    monkeypatch.setattr("service.sessions.store.failures.SLOW_SECONDS", 0.0)
    store = Store(lambda: connect(f"redis://{user}@127.0.0.1:{port}"))
    for _ in range(MAX_FAILURES + 2):
        with pytest.raises(Unusable):
            store.check()


def test_a_port_without_tls(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that waits for the rest of a handshake isn't waited for."""
    monkeypatch.setattr("service.sessions.store.deadline.STEP_SECONDS", 0.1)
    assert said(f"rediss://127.0.0.1:{port}") == (f"doesn't answer TLS in time; {TLS}", False)


def test_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that accepts connections and says nothing isn't waited for."""
    monkeypatch.setattr("service.sessions.store.deadline.STEP_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        assert said(url) == ("doesn't answer in time", False)


SCRIPTS = "".join((scripts.READ, scripts.REPLAY, scripts.WRITE, scripts.REMOVE))
COMMANDS = {*re.findall(r"redis\.call\('(\w+)'", SCRIPTS), "EVAL", "SUBSCRIBE"}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_denied(port: int, command: str) -> None:
    """Each command that sessions need is missed if it is denied, until somebody changes that."""
    with redis.Redis(port=port, password="secret") as store:
        rules = ("allkeys", "allchannels", "+@all", f"-{command}")
        store.execute_command("ACL SETUSER", command, "on", ">pw", *rules)
    cause, lasts = said(f"redis://{command}:pw@127.0.0.1:{port}")
    assert cause.startswith("denies its user a permission that sessions need (")
    assert command in cause.upper()
    assert lasts


def test_replicas_that_are_missing(tmp_path: Path) -> None:
    """Without the replicas of WAIT_REPLICAS, nothing would be acknowledged."""
    with servers.on_a_port(servers.either(), tmp_path) as url:
        said = Store(lambda: connect(url), 1).check()
    assert said == (
        "has 0 of the 1 replicas that WAIT_REPLICAS asks for, so no action is acknowledged"
    )


def test_tls(tmp_path: Path) -> None:
    """A port with TLS isn't taken for a Redis that is away, and its certificate is named."""
    with servers.with_tls(
        servers.debian() or pytest.skip(servers.NO_DEBIAN), tmp_path / "s"
    ) as url:
        bare = url.partition("?")[0]
        why = "has a certificate that isn't trusted (self-signed certificate); see ssl_ca_certs"
        assert said(bare) == (why, True)
        assert said(bare.replace("rediss", "redis")) == (CLOSES, False)


def test_nothing_is_wrong(port: int) -> None:
    """Nothing is said of a store that works, even if its user may not ask for its memory."""
    for login in (":secret", "careful:pw"):
        url = f"redis://{login}@127.0.0.1:{port}"
        assert Store(partial(connect, url)).check() == ""


def test_a_replica(port: int) -> None:
    """A read-only replica can be read, so its cause is a warning."""
    with redis.Redis(port=port, password="secret") as store:
        store.replicaof("127.0.0.1", "1")
        try:
            found = Store(lambda: connect(f"redis://:secret@127.0.0.1:{port}")).check()
        finally:
            store.replicaof("NO", "ONE")
    assert found == "is a read-only replica; name its master in REDIS_URL"
