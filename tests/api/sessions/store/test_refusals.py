"""Responses if the store refuses an action, or if its reply is lost."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
import redis

from tests.api.sessions.playing import PATH, UNTIMED, Kept, Session, make, refusal
from tests.live import JSON, Service, free_port, running
from tests.sessions import servers
from tests.sessions.servers import until

NOTHING_DONE = "The store of sessions is unavailable; nothing was done. Try again."
UNUSABLE = (
    "The store of sessions can't be used; nothing was done. Whoever runs the service finds the "
    "reason in its log, and at /readyz?store."
)
FULL = (
    "The store of sessions is nearly full: it takes no new session, and no action in one of 1,000 "
    "events; nothing was done. Sessions make room when they expire. Try again later."
)
NOT_KNOWN = (
    "The store of sessions doesn't answer; nobody knows whether the request was performed. Try "
    "again, with the same Idempotency-Key if the request has one."
)


@pytest.fixture(scope="module")
def kept() -> Iterator[Kept]:
    """A service with a store that may refuse."""
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.on_a_port(servers.either(), Path(folder)) as url,
        running(REDIS_URL=url) as service,
        closing(redis.Redis.from_url(url)) as store,
    ):
        yield Kept(service, store)


def full(store: redis.Redis) -> None:
    """Leaves the store no memory."""
    store.config_set("maxmemory", 1)


def replica(store: redis.Redis) -> None:
    """Makes the store a replica of one that doesn't exist."""
    store.config_set("replica-serve-stale-data", "yes")
    store.replicaof("127.0.0.1", 1)


def other_password(store: redis.Redis) -> None:
    """Changes the password of the store, and has all others log in again."""
    store.config_set("requirepass", "another")
    others = _clients(store) - {str(store.client_id())}
    store.client_kill_filter(_type="normal", skipme=True)
    until(lambda: not others & _clients(store), "their connections are closed")


def _clients(store: redis.Redis) -> set[str]:
    """The ids of ordinary clients."""
    return {each["id"] for each in store.client_list(_type="normal")}


def without(*commands: str) -> Callable[[redis.Redis], None]:
    """Denies the user of the service some commands."""

    def refuse(store: redis.Redis) -> None:
        store.execute_command("ACL SETUSER", "default", *(f"-{command}" for command in commands))

    return refuse


def no_channels(store: redis.Redis) -> None:
    """Allows the user of the service all commands and keys, but no channel."""
    store.execute_command("ACL SETUSER", "default", "resetchannels")


def mended(store: redis.Redis) -> None:
    """Makes the store usable again."""
    store.config_set("maxmemory", 0)
    store.replicaof("NO", "ONE")
    store.execute_command("ACL SETUSER", "default", "allcommands", "allchannels", "allkeys")
    store.config_set("requirepass", "")


@pytest.mark.parametrize(
    "refuse",
    [full, replica, other_password, no_channels,
     *(without(command) for command in ("eval", "rpush", "pexpireat", "hset"))],
    ids=["full", "replica", "password", "channels", "eval", "rpush", "pexpireat", "hset"],
)  # fmt: skip
def test_nothing_was_done(kept: Kept, refuse: Callable[[redis.Redis], None]) -> None:
    """If the store refuses an action, no part of it is performed, and the problem says so. Only
    what may pass by itself is to be tried again.

    A full store has no room for a new session, and running ones may go on once others expire.
    """
    session = make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    before = session.stands()
    refuse(kept.store)
    passes = refuse in (full, replica)
    said, seconds = (NOTHING_DONE, "1") if passes else (UNUSABLE, "60")
    try:
        for key in ("k", None):
            reply = session.act("roll", version=1, key=key)
            assert refusal(reply, 503) == said
            assert reply.headers["Retry-After"] == seconds
        created = kept.service.post(PATH, {"variant": "dice-poker", "players": ["ann"]})
        assert refusal(created, 503) == (FULL if refuse is full else said)
    finally:
        mended(kept.store)
    assert session.stands() == before
    assert session.act("roll", version=1, key="k").json["version"] == 2


@dataclass(frozen=True)
class Losing:
    """A service whose proxy to the store loses the replies to changes."""

    service: Service
    proxy: servers.DroppingProxy


@pytest.fixture
def losing(kept: Kept) -> Iterator[Losing]:
    """A second service for the same store."""
    with closing(servers.DroppingProxy(b"RPUSH")) as proxy:
        proxy.upstream = kept.store.get_connection_kwargs()["port"]
        with running(REDIS_URL=f"redis://127.0.0.1:{proxy.port}") as service:
            yield Losing(service, proxy)


def test_a_lost_answer(kept: Kept, losing: Losing) -> None:
    """If an action was done and the store's reply was lost, the problem says that the outcome is
    unknown; the same request, sent again with its key, returns the outcome.
    """
    session = make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    through = Session(losing.service, session.made)
    before = losing.proxy.lost  # the service has asked at its start
    reply = through.act("roll", version=1, key="k")
    assert refusal(reply, 503) == NOT_KNOWN
    assert (reply.headers["Retry-After"], losing.proxy.lost) == ("1", before + 1)
    again = through.act("roll", version=1, key="k")
    assert (again.status, again.json["version"]) == (200, 2)
    assert session.read().json == again.json
    assert losing.proxy.lost == before + 1, "it is read whether it was done, and not tried again"


def test_a_lost_answer_to_a_creation(kept: Kept, losing: Losing) -> None:
    """If a session was created and the store's reply was lost, the same request with its key
    returns that session.
    """
    body = json.dumps({"variant": "dice-poker", "players": ["ann"]}).encode()
    headers = {"Content-Type": JSON, "Idempotency-Key": str(uuid4())}
    before = kept.store.dbsize()
    reply = losing.service.ask("POST", PATH, body, headers)
    assert refusal(reply, 503) == NOT_KNOWN
    assert kept.store.dbsize() == before + 4, "it was created"
    losing.proxy.word = b"nothing"
    again, once_more = (
        asked.ask("POST", PATH, body, headers) for asked in (losing.service, kept.service)
    )
    assert (again.status, once_more.status) == (201, 201)
    assert again.body == once_more.body
    assert kept.store.dbsize() == before + 4
    assert Session(losing.service, again.json).read().status == 200


REFUSED = (
    "Sessions are off: the Redis of REDIS_URL refuses its user or password; correct REDIS_URL, "
    "or the users of that Redis.\n"
)
NOT_ALLOWED = (
    "Sessions are off: the Redis of REDIS_URL denies its user a permission that sessions need ("
)


@pytest.mark.parametrize(
    ("login", "expected"),
    [
        ("", REFUSED),
        pytest.param(":wrong@", REFUSED, marks=pytest.mark.proof),
        pytest.param("who:secret@", REFUSED, marks=pytest.mark.proof),
        ("reads:pw@", NOT_ALLOWED),
    ],
    ids=["none", "password", "user", "permission"],
)
def test_said_at_the_start(kept: Kept, login: str, expected: str) -> None:
    """A service that its store refuses logs that once at the start; all else works."""
    port = kept.store.get_connection_kwargs()["port"]
    kept.store.config_set("requirepass", "secret")
    try:
        rules = ("on", ">pw", "allkeys", "allchannels", "+@all", "-pexpireat")
        kept.store.execute_command("ACL SETUSER", "reads", *rules)
        url = f"redis://{login}127.0.0.1:{port}"
        with running(REDIS_URL=url, WEB_CONCURRENCY="2") as service:
            body = {"variant": "dice-poker", "players": ["ann"]}
            assert refusal(service.post(PATH, body), 503) == UNUSABLE
            assert service.post("/v1/variants/dice-poker/evaluate", {"dice": [1] * 5}).status == 200
        said = service.output.whole
        assert (said.count(expected), said.count("Sessions are off")) == (1, 1)
        assert "secret" not in said
        assert f"{port}" not in said.split("Sessions are off")[1].split("\n")[0]
    finally:
        mended(kept.store)


def test_nothing_is_said_at_the_start(kept: Kept) -> None:
    """Nothing is said of a store that accepts the service, and the check leaves nothing in it."""
    before = kept.store.dbsize()
    port = kept.store.get_connection_kwargs()["port"]
    with running(REDIS_URL=f"redis://127.0.0.1:{port}") as service:
        pass
    assert "REDIS_URL" not in service.output.whole
    assert kept.store.dbsize() == before


def test_a_store_that_is_not_up_yet() -> None:
    """One line says that nobody answers at REDIS_URL; the service starts, as somebody may later."""
    with running(REDIS_URL=f"redis://127.0.0.1:{free_port()}") as service:
        assert service.get("/readyz").status == 200
    said = (
        "Sessions are off for now: the Redis of REDIS_URL can't be reached (Connection refused).\n"
    )
    assert service.output.whole.count(said) == 1


def test_a_store_that_evicts(kept: Kept) -> None:
    """One line at the start says that a full store would lose sessions, and so does `/readyz`,
    which is ready: until then, sessions work.
    """
    port = kept.store.get_connection_kwargs()["port"]
    kept.store.config_set("maxmemory-policy", "volatile-lru")
    said = (
        "removes sessions when its memory is full (maxmemory-policy is volatile-lru); set "
        "maxmemory-policy to noeviction."
    )
    try:
        with running(REDIS_URL=f"redis://127.0.0.1:{port}") as service:
            ready = service.get("/readyz?store")
        assert (ready.status, ready.json["warning"]) == (200, f"The store of sessions {said}")
        assert service.output.whole.count(f"The Redis of REDIS_URL {said}\n") == 1
    finally:
        kept.store.config_set("maxmemory-policy", "noeviction")
