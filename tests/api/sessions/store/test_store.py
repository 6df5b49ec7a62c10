"""Sessions whose store is gone, that expired, or that a newer release wrote."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import redis

from service.sessions.store.codec import FORMAT_VERSION, pack, unpack
from tests.api.causes import Said
from tests.api.sessions.playing import PATH, UNTIMED, Kept, keeping, make, refusal
from tests.api.sessions.store import said
from tests.live import Reply, free_port, running
from tests.sessions import servers
from tests.sessions.servers import until

NOTHING = "is unavailable; nothing was done. Try again."
"""The end of the detail for a request that would have changed a session."""

AGAIN = "is unavailable. Try again."
"""The end of the detail for any other request."""


@pytest.fixture
def any_server() -> str:
    """A server to be the store."""
    return servers.either()


@pytest.fixture
def kept(own_kept: Kept) -> Kept:
    """A service with a store that the test can inspect."""
    return own_kept


CURRENT = bytes([FORMAT_VERSION])


def with_layout(written: bytes) -> bytes:
    """Changes the stored layout to a newer one; only its first byte is known."""
    return bytes([FORMAT_VERSION + 1]) + b"by other means" + written


def with_terms(**changed: object) -> Callable[[bytes], bytes]:
    """Adds terms of a newer release."""
    return lambda written: written[:1] + pack({**unpack(written[1:]), **changed})


def with_states(written: bytes) -> bytes:
    """Replaces the state by one of a newer release."""
    return written[:1] + pack([1000, *unpack(written[1:])[1:]])


def damage(stored: bytes) -> Callable[[bytes], bytes]:
    """Stores something else."""
    return lambda _: stored


@pytest.mark.parametrize(
    ("field", "write", "problem"),
    [
        ("t", with_layout, said.NEWER_RELEASE),
        ("t", with_terms(variant="dice-of-next-year"), said.NEWER_RELEASE),
        ("t", with_terms(rules={"wild_ones": True}), said.NEWER_RELEASE),
        ("s", with_layout, said.NEWER_RELEASE),
        ("s", with_states, said.NEWER_RELEASE),
        ("t", damage(b""), said.DAMAGED),
        ("t", damage(CURRENT + b"not deflated"), said.DAMAGED),
        ("t", damage(CURRENT + pack({"variant": "dice-poker"})), said.DAMAGED),
        ("s", damage(CURRENT + pack([1, "2", None])), said.DAMAGED),
        ("t", damage(b"\x01of old"), said.OLDER_RELEASE),
        ("s", damage(b"\x01of old"), said.OLDER_RELEASE),
        ("s", damage(b"\x00"), said.DAMAGED),
    ],
    ids=["terms", "variant", "house rule", "snapshot", "states", "no terms", "packed otherwise",
         "half the terms", "half a snapshot", "old terms", "old snapshot", "a byte"],
)  # fmt: skip
def test_unreadable(kept: Kept, field: str, write: Callable[[bytes], bytes], problem: Said) -> None:
    """A session that another release wrote gets a 409, and one of which the store has no longer
    what was written a 503. It is not changed.
    """
    session = make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    session.act("roll", version=1, key="k")
    key = kept.key(session)
    known = kept.store.execute_command("HGET", key, field)
    kept.store.execute_command("HSET", key, field, write(known), "v", 9)
    before = stored(kept, key)
    for reply in session.every_request(session.bearer(), 9):
        assert refusal(reply, problem.status) == problem.detail
    problem.check(lambda more: session.read(**more), session.path)
    assert stored(kept, key) == before
    kept.store.execute_command("HSET", key, field, known, "v", 2)
    assert session.act("roll", version=2).json["version"] == 3


def test_damaged_history(kept: Kept) -> None:
    """Only what needs the damaged part of a session is refused. It isn't repaired within a second,
    so no client should try again that soon.
    """
    session = make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    kept.store.execute_command("LSET", f"{kept.key(session)}:events", 0, b"\xff")
    reply = session.events()
    assert (refusal(reply, 503), reply.headers["Retry-After"]) == (said.DAMAGED.detail, "60")
    assert session.read().status == 200


def test_damaged_version(kept: Kept) -> None:
    """A version that is no number counts as a store that is unavailable."""
    session = make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    kept.store.execute_command("HSET", kept.key(session), "v", b"x")
    assert is_down(session.read(), AGAIN)


def stored(kept: Kept, key: str) -> list[Any]:
    """All that is stored of a session, except its time to live."""
    return [
        kept.store.execute_command("HGETALL", key),
        kept.store.execute_command("LRANGE", f"{key}:events", 0, -1),
        kept.store.execute_command("HGETALL", f"{key}:keys"),
    ]


@pytest.mark.fault
def test_expired() -> None:
    """A session expires at its time if nobody acts; acting extends it."""
    with keeping(SESSION_SECONDS="2") as kept:
        status = 0
        while status != 200:  # on a slow machine it may have expired
            session = make(kept.service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
            reply = session.act("roll", version=1, key="k")
            status = reply.status
        first = reply.json
        assert first["expires_at"] > session.made["expires_at"]
        while (read := session.read()).status == 200:
            assert read.json["expires_at"] == first["expires_at"], "reading doesn't keep it"
        ends = datetime.fromisoformat(first["expires_at"])
        assert datetime.now(ends.tzinfo) >= ends
        for reply in session.every_request(session.bearer(), 2):
            assert refusal(reply, 404).startswith("There is no such session: it never existed")
        until(lambda: kept.store.execute_command("DBSIZE") == 0, "all its keys are gone")


@pytest.mark.fault
def test_store_down(any_server: str, tmp_path: Path) -> None:
    """While the store is gone, all requests to sessions get a 503; afterwards they continue."""
    port = free_port()
    url = f"redis://127.0.0.1:{port}"
    options = {"port": str(port), "bind": "127.0.0.1", "appendonly": "yes"}
    with running(REDIS_URL=url) as service:
        body = {"variant": "dice-poker", "players": ["ann"], "house_rules": UNTIMED}
        assert is_down(service.post(PATH, body))
        with servers.process(any_server, tmp_path, options):
            until(lambda: servers.answers(url), "the store answers")
            session = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
            second = session.act("roll", version=1, key="k").json
            before = session.stands()
        replies = session.every_request(session.bearer(), 2)
        assert all(is_down(reply, AGAIN) for reply in replies[:3])
        assert all(is_down(reply) for reply in replies[3:])
        assert is_down(service.post(PATH, body))
        assert service.get("/v1/variants").status == 200
        assert service.post("/v1/variants/dice-poker/evaluate", {"dice": [1] * 5}).status == 200
        with servers.process(any_server, tmp_path, options):
            until(lambda: servers.answers(url), "the store answers again")
            assert session.stands() == before
            assert session.act("roll", version=1, key="k").json == second
            assert session.act("roll", version=2).json["version"] == 3


def is_down(reply: Reply, what: str = NOTHING) -> bool:
    """Whether the response is that the store is unavailable, and `what` that means."""
    assert refusal(reply, 503) == f"The store of sessions {what}"
    return reply.headers["Retry-After"] == "1"


def test_what_the_store_refuses_is_logged(kept: Kept) -> None:
    """An error of Redis in a script is logged with the request: it may be a bug of the service."""
    session = make(kept.service, "dice-poker", "ann", house_rules=UNTIMED)
    kept.store.delete(kept.key(session))
    kept.store.set(kept.key(session), "a text")
    reply = session.act("roll", version="*")
    assert is_down(reply)
    asked = reply.headers["X-Request-ID"]
    kept.service.output.wait_for(
        f"request {asked}: the store of sessions failed: ResponseError: WRONGTYPE"
    )


@pytest.mark.fault
def test_store_lost_while_waiting(any_server: str, tmp_path: Path) -> None:
    """A waiting request gets a 503 as soon as the store goes away."""
    port = free_port()
    options = {"port": str(port), "bind": "127.0.0.1"}
    with running(REDIS_URL=f"redis://127.0.0.1:{port}") as service, ExitStack() as stack:
        with servers.process(any_server, tmp_path, options):
            until(lambda: servers.answers(f"redis://127.0.0.1:{port}"), "the store answers")
            session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
            pool = stack.enter_context(ThreadPoolExecutor(1))
            waiting = pool.submit(session.wait, 1, 60)
            with closing(redis.Redis("127.0.0.1", port)) as store:
                Kept(service, store).wait_for(session)
        assert is_down(waiting.result(timeout=60), AGAIN)
