"""Responses if the store refuses an action, or if its reply is lost."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
import redis

from service.app import create_app
from service.sessions.store.failures import NotReplicated
from service.sessions.view import Crowded
from service.settings import Settings
from tests.api.causes import Said, request
from tests.api.sessions.causing import creates
from tests.api.sessions.playing import PATH, UNTIMED, Kept, Session, make, refusal
from tests.api.sessions.store import said
from tests.api.sessions.test_caps import STORE_FULL
from tests.live import Reply, Service, free_port, running
from tests.sessions import servers
from tests.sessions.servers import until


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
    why, seconds = (said.NOTHING_DONE, "1") if passes else (said.UNUSABLE, "60")
    try:
        for key in ("k", None):
            reply = _answered(partial(session.act, "roll", version=1, key=key), passes=passes)
            assert refusal(reply, 503) == why.detail
            assert reply.headers["Retry-After"] == seconds
        create = partial(kept.service.post, PATH, {"variant": "dice-poker", "players": ["ann"]})
        created = _answered(create, passes=passes)
        problem = STORE_FULL if refuse is full else why
        assert refusal(created, 503) == problem.detail
    finally:
        mended(kept.store)
    assert session.stands() == before
    assert session.act("roll", version=1, key="k").json["version"] == 2


def _answered(ask: Callable[[], Reply], *, passes: bool) -> Reply:
    """What is said once the store has answered: on a busy machine a new connection may take longer
    than a request waits for it.
    """
    replies = (ask() for _ in range(100))
    return next(
        each for each in replies if passes or refusal(each, 503) != said.NOTHING_DONE.detail
    )


def test_what_it_says(kept: Kept) -> None:
    """Whoever runs the service has to do something about a store that refuses a command."""
    without("eval")(kept.store)
    try:
        said.UNUSABLE.check(*creates()(kept.service))
    finally:
        mended(kept.store)


TOO_MANY_AT_ONCE = Said(
    "too-many-at-once",
    503,
    "Too many clients act in this session at once, and another one came first each time; nothing "
    "was done. Try again.",
)


@pytest.mark.parametrize(
    ("error", "problem"),
    [(Crowded(), TOO_MANY_AT_ONCE), (NotReplicated(), said.NOT_REPLICATED)],
    ids=["crowded", "not replicated"],
)
def test_rare_failures(error: Exception, problem: Said) -> None:
    """What the store raises only under load, or if its replicas are slow, gets its problem."""
    app = create_app(Settings())

    @app.post("/acts")
    def acts() -> str:
        raise error

    def ask(headers: Mapping[str, str]) -> Reply:
        reply = app.test_client().post("/acts", headers=headers)
        return Reply(reply.status_code, dict(reply.headers), reply.data)

    problem.check(ask, "/acts")


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
    assert refusal(reply, 503) == said.OUTCOME_UNKNOWN.detail
    assert (reply.headers["Retry-After"], losing.proxy.lost) == ("1", before + 1)
    again = through.act("roll", version=1, key="k")
    assert (again.status, again.json["version"]) == (200, 2)
    assert session.read().json == again.json
    assert losing.proxy.lost == before + 1, "it is read whether it was done, and not tried again"


@pytest.mark.fault
def test_what_it_says_of_a_lost_answer(losing: Losing) -> None:
    """The problem says that nobody knows whether a session was created."""
    said.OUTCOME_UNKNOWN.check(*creates()(losing.service))


@pytest.mark.fault
def test_a_lost_answer_to_a_creation(kept: Kept, losing: Losing) -> None:
    """If a session was created and the store's reply was lost, the same request with its key
    returns that session.
    """
    body, key = {"variant": "dice-poker", "players": ["ann"]}, str(uuid4())
    before = kept.store.dbsize()
    reply = losing.service.post(PATH, body, Idempotency_Key=key)
    assert refusal(reply, 503) == said.OUTCOME_UNKNOWN.detail
    assert kept.store.dbsize() == before + 4, "it was created"
    losing.proxy.word = b"nothing"
    again, once_more = (
        asked.post(PATH, body, Idempotency_Key=key) for asked in (losing.service, kept.service)
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


@pytest.mark.fault
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
            assert refusal(service.post(PATH, body), 503) == said.UNUSABLE.detail
            assert service.post("/v1/variants/dice-poker/evaluate", {"dice": [1] * 5}).status == 200
        logged = service.output.whole
        assert (logged.count(expected), logged.count("Sessions are off")) == (1, 1)
        assert "secret" not in logged
        assert f"{port}" not in logged.split("Sessions are off")[1].split("\n")[0]
    finally:
        mended(kept.store)


@pytest.mark.fault
def test_nothing_is_said_at_the_start(kept: Kept) -> None:
    """Nothing is said of a store that accepts the service, and the check leaves nothing in it."""
    before = kept.store.dbsize()
    port = kept.store.get_connection_kwargs()["port"]
    with running(REDIS_URL=f"redis://127.0.0.1:{port}") as service:
        pass
    assert "REDIS_URL" not in service.output.whole
    assert kept.store.dbsize() == before


@pytest.mark.fault
def test_a_store_that_is_not_up_yet() -> None:
    """One line says that nobody answers at REDIS_URL; the service starts, as somebody may later.
    Until then, requests to sessions get problems, and so does `/readyz?store`.
    """
    with running(REDIS_URL=f"redis://127.0.0.1:{free_port()}") as service:
        assert service.get("/readyz").status == 200
        said.NO_STORE.check(*request("GET", "/readyz?store")(service))
        said.NOTHING_DONE.check(*creates()(service))
        said.AWAY.check(*request("GET", f"{PATH}/{0:022}", Authorization="Bearer any")(service))
    logged = (
        "Sessions are off for now: the Redis of REDIS_URL can't be reached (Connection refused).\n"
    )
    assert service.output.whole.count(logged) == 1


@pytest.mark.fault
def test_a_store_that_evicts(kept: Kept) -> None:
    """One line at the start says that a full store would lose sessions, and so does `/readyz`,
    which is ready: until then, sessions work.
    """
    port = kept.store.get_connection_kwargs()["port"]
    kept.store.config_set("maxmemory-policy", "volatile-lru")
    warning = (
        "removes sessions when its memory is full (maxmemory-policy is volatile-lru); set "
        "maxmemory-policy to noeviction."
    )
    try:
        with running(REDIS_URL=f"redis://127.0.0.1:{port}") as service:
            ready = service.get("/readyz?store")
        assert (ready.status, ready.json["warning"]) == (200, f"The store of sessions {warning}")
        assert service.output.whole.count(f"The Redis of REDIS_URL {warning}\n") == 1
    finally:
        kept.store.config_set("maxmemory-policy", "noeviction")
