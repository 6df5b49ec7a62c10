"""Waiting for a session to change."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from tests.api.sessions.playing import UNTIMED, Kept, Session, keeping, make, refusal, tagged
from tests.live import Reply, Service, running


def game(service: Service) -> Session:
    """A game that doesn't change until someone acts."""
    return make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)


@contextmanager
def waiting(session: Session, seconds: int, count: int = 1) -> Iterator[list[Future[Reply]]]:
    """Clients that wait for the first change."""
    with ThreadPoolExecutor(count) as pool:
        yield [pool.submit(session.wait, 1, seconds) for _ in range(count)]


def is_unchanged(reply: Reply) -> bool:
    """Whether the response is that version 1 is still current."""
    return (reply.status, reply.body, tagged(reply)) == (304, b"", 1)


@pytest.fixture(scope="module")
def shared() -> Iterator[Kept]:
    """A service for all tests that need no other."""
    with keeping() as started:
        yield started


@pytest.fixture
def kept(shared: Kept) -> Kept:
    """The shared service, once no requests wait there."""
    shared.wait_for(0)
    return shared


def test_another_version(service: Service) -> None:
    """A client with another version gets the current one at once."""
    session = game(service)
    started = time.monotonic()
    replies = [session.wait(7, 30), session.read(query="?wait=30")]
    assert time.monotonic() - started < 10
    assert [(reply.status, reply.json["version"]) for reply in replies] == [(200, 1)] * 2


def test_no_change(service: Service) -> None:
    """A client with the current version gets a 304 when the wait is over, not before."""
    session = game(service)
    started = time.monotonic()
    reply = session.wait(1, 2)
    assert 2 <= time.monotonic() - started < 10
    assert is_unchanged(reply)
    assert "Retry-After" not in reply.headers
    assert "Content-Type" not in reply.headers


def test_without_wait(service: Service) -> None:
    """If-None-Match without a wait gets a response at once, in every form."""
    session = game(service)
    tag = session.read().headers["ETag"]
    for match in ('"1"', 'W/"1"', '"9", "1"', "*", tag, f"W/{tag}", f'"1-00000000", {tag}'):
        assert is_unchanged(session.read(If_None_Match=match)), match
    for match in ('"2"', '""', '"', "1", '"01"', '"1-00000000"', tag.strip('"')):
        assert session.read(If_None_Match=match).status == 200, match


@pytest.mark.parametrize("query", ["61", "-1", "", "1.5", "x", "1e1", "%D9%A3", "0001", "9" * 500])
def test_no_such_wait(service: Service, query: str) -> None:
    """A wait must be a whole number of seconds up to a minute."""
    session = game(service)
    reply = session.read(query=f"?wait={query}")
    must = "must be a whole number of seconds between 0 and 60"
    assert refusal(reply, 422) == f"/wait {must}."
    assert reply.json["errors"] == [{"pointer": "/wait", "detail": must}]


def test_an_action_wakes(kept: Kept) -> None:
    """All waiting requests get the new version as soon as someone acts."""
    sessions = [game(kept.service) for _ in range(4)]
    took = 0.0
    for session in sessions:
        with waiting(session, 30, count=3) as replies:
            kept.wait_for(3)
            started = time.monotonic()
            acted = session.act("roll", version=1)
            woken = [reply.result().json for reply in replies]
            took += time.monotonic() - started
        kept.wait_for(0)
        assert woken == [acted.json] * 3
    assert took < 2, "all four together; looking once a second would take twice as long"


def test_deleting_wakes(kept: Kept) -> None:
    """A request that waits for a session gets a 404 when the session is deleted."""
    session = game(kept.service)
    with waiting(session, 30) as (reply,):
        kept.wait_for(1)
        assert session.delete().status == 204
        assert "There is no such session" in refusal(reply.result(), 404)


def test_nobody_is_left_waiting(kept: Kept) -> None:
    """After a wait its place and its subscription are free again."""
    session = game(kept.service)
    with waiting(session, 2, count=16) as replies:
        kept.wait_for(16)
        assert all(is_unchanged(reply.result()) for reply in replies)
    kept.wait_for(0)
    assert "Retry-After" not in session.wait(1, 1).headers


def test_who_has_gone_waits_no_longer(kept: Kept) -> None:
    """A client that closes its connection frees its place long before the wait is over."""
    session = game(kept.service)
    head = f'GET {session.path}?wait=60 HTTP/1.1\r\nHost: test\r\nIf-None-Match: "1"\r\n'
    named = "".join(f"{name}: {value}\r\n" for name, value in session.bearer().items())
    with ExitStack() as opened:
        for _ in range(16):
            raw = socket.create_connection(("127.0.0.1", kept.service.port), timeout=60)
            opened.enter_context(raw).sendall(f"{head}{named}\r\n".encode())
        kept.wait_for(16)
    kept.wait_for(0)
    assert "Retry-After" not in session.wait(1, 1).headers


def test_the_clock_wakes(service: Service) -> None:
    """A waiting request gets the new version as soon as a turn times out."""
    session = make(service, "dice-poker", "ann", "ben", house_rules={"turn_seconds": 2})
    reply = session.wait(1, 30)
    late = time.time() - session.made["state"]["turn"]["ends_at"] / 1000
    assert (reply.status, reply.json["version"], tagged(reply)) == (200, 2, 2)
    assert 0 <= late < 1


def test_too_many_wait() -> None:
    """If too many requests wait, the next one gets a 304 at once, with Retry-After."""
    with keeping(MAX_WAITS="2", THREADS="2") as kept:
        session = game(kept.service)
        with waiting(session, 60, count=2) as replies:
            kept.wait_for(2)
            started = time.monotonic()
            reply = session.wait(1, 60)
            assert time.monotonic() - started < 5
            assert is_unchanged(reply)
            assert reply.headers["Retry-After"] == "1"
            acted = session.act("roll", version=1)
            assert [reply.result().json for reply in replies] == [acted.json] * 2
            done = session.wait(1, 60)
        assert done.json == acted.json


def test_nobody_may_wait() -> None:
    """A service without places to wait responds at once."""
    with running(MAX_WAITS="0") as service:
        reply = game(service).wait(1, 60)
        assert is_unchanged(reply)
        assert reply.headers["Retry-After"] == "1"


def test_stopping() -> None:
    """A service that is stopping responds to the waiting requests at once."""
    with keeping(MAX_WAITS="3") as kept:
        service = kept.service
        session = game(service)
        with waiting(session, 60, count=3) as replies:
            kept.wait_for(3)
            service.process.send_signal(signal.SIGTERM)
            assert service.process.wait(timeout=30) == 0
            assert all(is_unchanged(reply.result()) for reply in replies)
        assert "Traceback" not in service.output.whole
        assert "SIGKILL" not in service.output.whole
