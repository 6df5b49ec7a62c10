"""Caps on sessions: new ones for a client, events, and the memory of the service's own store."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from service.api.http.causes import Cause
from service.sessions.store.scripts import LONG
from tests.api.causes import LANGUAGE, LANGUAGES, Said, request
from tests.api.sessions.playing import PATH, Session, make, refusal
from tests.contract.openapi import Contract, answer, operations
from tests.live import JSON, Reply, Service, running
from tests.metrics.scrapes import scraped, value
from tests.sessions.servers import Direct

GAME = {"variant": "poker-dice", "players": ["ann", "ben"], "house_rules": {"rounds": None}}
SMALL = ("ante", "meet", "roll", "check", "stop")
"""Actions of poker dice that risk next to nothing, so that the game is long."""

STORE_BYTES = 8 * 2**20


@pytest.fixture(scope="module")
def capped() -> Iterator[Service]:
    """A service whose clients may create three sessions an hour, of at most 100 events."""
    settings = {"RATE_LIMIT": "1000000", "TRUSTED_PROXIES": "127.0.0.1", "WEB_CONCURRENCY": "2"}
    with running(SESSION_LIMIT="3", MAX_EVENTS="100", **settings) as service:
        yield service


def create(service: Service, client: str, key: str = "", **fields: int) -> Reply:
    """A request of `client` for a new session."""
    keyed = {"Idempotency-Key": key} if key else {}
    return service.post(PATH, {**GAME, **fields}, X_Forwarded_For=client, **keyed)


@pytest.mark.fault
def test_a_session_that_is_kept_longer(capped: Service) -> None:
    """One that is kept for two days counts as two, and leaves room for one that is kept a day."""
    client, two_days = "203.0.113.9", 2 * 86_400
    assert create(capped, client, keep_seconds=two_days).status == 201
    assert create(capped, client, keep_seconds=two_days).status == 429
    assert [create(capped, client).status for _ in range(2)] == [201, 429]


def shown(contract: Contract, name: str, cause: str) -> str:
    """The detail of a problem, whose code the contract names for the operation `name`."""
    status, code = cause.split()
    (operation,) = [each for _, _, each in operations(contract) if each["operationId"] == name]
    assert f"`{code}`" in answer(contract, operation, int(status))["description"]
    (found,) = [each for each in Cause if each.code == code]
    return str(found.problem(**found.example))


TOO_MANY_EVENTS = Said(
    "too-many-events",
    409,
    "This session has as many events as it may have; nothing was done. It can be read until it "
    "expires. Create another session to play on.",
)
STORE_FULL = Said(
    "store-full",
    503,
    "The store of sessions is nearly full: it takes no new session, and no action in one of 1,000 "
    "events; nothing was done. Sessions make room when they expire. Try again later.",
)


def too_many_sessions(seconds: int) -> Said:
    """The problem of a client that has to wait so long before it may create another session."""
    return Said(
        "too-many-sessions",
        429,
        "You can create 3 sessions in an hour, and have done so; nothing was done. Existing "
        f"sessions continue. Try again in {seconds} s.",
    )


def test_new_sessions_of_a_client(capped: Service, contract: Contract) -> None:
    """A client creates so many sessions in an hour, in whichever worker; a repeated request with a
    key gets its session as before, and others create their own.
    """
    keys = ("some-random-key-1", "another-random-key", "")
    made = [create(capped, "203.0.113.1", key) for key in keys]
    assert [reply.status for reply in made] == [201] * 3
    for key in ("", "one-more-random-key"):
        refused = create(capped, "203.0.113.1", key)
        seconds = int(refused.headers["Retry-After"])
        assert 1100 < seconds <= 1200
        named = (refused.headers[name] for name in ("RateLimit", "RateLimit-Policy"))
        assert tuple(each.split(", ")[0] for each in named) == (
            f'"sessions";r=0;t={seconds}',
            '"sessions";q=3;w=3600',
        )
        detail = shown(contract, "createSession", "429 too-many-sessions")
        detail = detail.replace("600", "3").replace("in 6 s", f"in {seconds} s")
        assert refusal(refused, 429) == detail
    for language in LANGUAGES:
        refused = capped.post(PATH, GAME, X_Forwarded_For="203.0.113.1", **{LANGUAGE: language})
        said = too_many_sessions(int(refused.headers["Retry-After"]))
        said.check_reply(refused, PATH, language)
    again = create(capped, "203.0.113.1", keys[0])
    assert (again.status, again.body) == (201, made[0].body)
    assert create(capped, "203.0.113.2").status == 201


@pytest.mark.fault
def test_without_rate_limits() -> None:
    """Without a RATE_LIMIT, nobody is counted."""
    with running(SESSION_LIMIT="1") as service:
        assert [service.post(PATH, GAME).status for _ in range(3)] == [201] * 3


def test_most_events(capped: Service, contract: Contract) -> None:
    """A session that has as many events as it may have can be read, and repeats what was done, but
    nobody acts in it any more.
    """
    session = Session(capped, create(capped, "203.0.113.3").json)
    version, moves = 1, session.made["actions"]
    while True:
        action = next(each["action"] for each in moves if each["action"] in SMALL)
        values: dict[str, Any] = {"amount": 1} if action == "ante" else {}
        reply = session.act(action, version=version, key=str(version), **values)
        if reply.status != 200:
            break
        last, version, moves = reply, reply.json["version"], reply.json["actions"]
        done = action, values
    assert (version, refusal(reply, 409)) == (
        100,
        shown(contract, "actInSession", "409 too-many-events"),
    )
    own, body = session.headers(), json.dumps({"action": action, **values}).encode()
    TOO_MANY_EVENTS.check(
        lambda more: session.send(body, {**own, **more}), f"{session.path}/actions"
    )
    repeated = session.act(done[0], version=99, key="99", **done[1])
    assert (repeated.status, repeated.body) == (200, last.body)
    assert session.read().json["version"] == 100


@pytest.mark.fault
def test_a_full_store(contract: Contract) -> None:
    """The service's own store takes so much memory. When three quarters are used, no sessions are
    created, but those that are there go on, and a request that is repeated gets its session. When
    nine tenths are used, long ones don't go on either, until there is room.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        running(DATA_DIR=folder, MAX_STORE_BYTES=str(STORE_BYTES)) as service,
        closing(Direct(f"unix://{folder}/store.sock")) as connected,
    ):
        store: Direct = connected
        session = make(service, "dice-poker", "ann", house_rules={"turn_seconds": None})
        long = make(service, "dice-poker", "ann", house_rules={"turn_seconds": None})
        keyed = create(service, "", "some-random-key-1")
        for piece in range(60):
            store.execute_command("SET", f"filler {piece}", b"x" * (STORE_BYTES // 80))
        refused = service.post(PATH, GAME)
        assert refusal(refused, 503) == shown(contract, "createSession", "503 store-full")
        assert refused.headers["Retry-After"] == "60"
        STORE_FULL.check(
            *request("POST", PATH, json.dumps(GAME).encode(), Content_Type=JSON)(service)
        )
        assert create(service, "", "some-random-key-1").body == keyed.body
        assert session.act("roll").status == 200
        fillers = 60
        while store.execute_command("INFO", "memory")["used_memory"] < 0.92 * STORE_BYTES:
            store.execute_command("SET", f"filler {fillers}", b"x" * (STORE_BYTES // 200))
            fillers += 1
        store.execute_command("RPUSH", f"dice:{{{long.made['id']}}}:events", *([b"event"] * LONG))
        refused = long.act("roll")
        assert refusal(refused, 503) == shown(contract, "actInSession", "503 store-full")
        assert refused.headers["Retry-After"] == "60"
        assert value(scraped(service), "dice_session_actions_total", outcome="store_full") == 1
        assert long.read().json["version"] == 1
        assert session.act("score", box="chance").status == 200
        store.execute_command("DEL", *(f"filler {piece}" for piece in range(fillers)))
        assert long.act("roll").status == 200
        assert service.post(PATH, GAME).status == 201
