"""Waiting for a session to change."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
import redis
from werkzeug.test import TestResponse

from service.app import create_app
from service.settings import Settings
from service.worker.fairness import MAX_LARGE_REQUESTS
from service.worker.request import SMALL_BYTES
from tests.api.sessions.causing import session_of
from tests.api.sessions.playing import Kept, Session, keeping, make, refusal, tagged
from tests.live import Reply, Service, running
from tests.problems import error
from tests.sessions import servers
from tests.sessions.servers import until
from tests.worker.raw import connected, get


@contextmanager
def waiting(session: Session, seconds: int, count: int = 1) -> Iterator[list[Future[Reply]]]:
    """Clients that wait for the first change."""
    with ThreadPoolExecutor(count) as pool:
        yield [pool.submit(session.wait, 1, seconds) for _ in range(count)]


def is_unchanged(reply: Reply) -> bool:
    """Whether the response is that version 1 is still current."""
    return (reply.status, reply.body, tagged(reply)) == (304, b"", 1)


@pytest.fixture
def kept(own_kept: Kept) -> Kept:
    """The service that tests share."""
    return own_kept


def test_another_version(kept: Kept) -> None:
    """A client with another version gets the current one at once: before those who wait."""
    session = session_of(kept.service)
    with waiting(session, 60) as (first,):
        kept.wait_for(session)
        replies = [session.wait(7, 60), session.read(below="?wait=60")]
        assert not first.done()
        session.act("roll", version=1)
    assert [(reply.status, reply.json["version"]) for reply in replies] == [(200, 1)] * 2


def test_no_change(kept: Kept) -> None:
    """A client with the current version gets a 304 when the wait is over, not before."""
    session = session_of(kept.service)
    with waiting(session, 60) as (longer,):
        kept.wait_for(session)
        started = time.monotonic()
        reply = session.wait(1, 1)
        assert time.monotonic() - started >= 1
        assert not longer.done()
        session.act("roll", version=1)
    assert is_unchanged(reply)
    assert "Retry-After" not in reply.headers
    assert "Content-Type" not in reply.headers


def test_without_wait(service: Service) -> None:
    """If-None-Match without a wait gets a response at once, in every form."""
    session = session_of(service)
    tag = session.read().headers["ETag"]
    for match in ('"1"', 'W/"1"', '"9", "1"', "*", tag, f"W/{tag}", f'"1-00000000", {tag}'):
        assert is_unchanged(session.read(If_None_Match=match)), match
    for match in ('"2"', '""', '"', "1", '"01"', '"1-00000000"', tag.strip('"')):
        assert session.read(If_None_Match=match).status == 200, match


@pytest.mark.parametrize("query", ["61", "-1", "", "1.5", "x", "1e1", "%D9%A3", "0001", "9" * 500])
def test_no_such_wait(service: Service, query: str) -> None:
    """A wait must be a whole number of seconds up to a minute."""
    session = session_of(service)
    reply = session.read(below=f"?wait={query}")
    must = "must be a whole number of seconds between 0 and 60"
    assert refusal(reply, 422) == f"/wait {must}."
    assert reply.json["errors"] == [error("/wait", must)]


def test_an_action_wakes(kept: Kept) -> None:
    """All waiting requests get the new version once someone acts."""
    session = session_of(kept.service)
    with waiting(session, 60, count=3) as replies:
        until(partial(kept.is_waited_for, session), "they wait")
        acted = session.act("roll", version=1)
        woken = [reply.result().json for reply in replies]
    assert woken == [acted.json] * 3


def test_deleting_wakes(kept: Kept) -> None:
    """A request that waits for a session gets a 404 when the session is deleted."""
    session = session_of(kept.service)
    with waiting(session, 60) as (reply,):
        kept.wait_for(session)
        assert session.delete().status == 204
        assert "There is no such session" in refusal(reply.result(), 404)


def test_more_wait_than_there_are_threads(kept: Kept) -> None:
    """Any number of clients wait at once, for as many sessions, and each gets its change."""
    sessions = [session_of(kept.service) for _ in range(40)]
    with ThreadPoolExecutor(len(sessions)) as pool:
        replies = [pool.submit(session.wait, 1, 60) for session in sessions]
        kept.wait_for(*sessions)
        assert kept.service.get("/livez").status == 200
        acted = [session.act("roll", version=1).json for session in sessions]
        assert [reply.result().json for reply in replies] == acted


def request_of(session: Session, method: str = "GET", **headers: str) -> bytes:
    """A request that waits for a minute."""
    named = {"Host": "test", "If-None-Match": '"1"', **session.bearer(), **headers}
    lines = [
        f"{method} {session.path}?wait=60 HTTP/1.1",
        *(": ".join(each) for each in named.items()),
    ]
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def test_who_has_gone_waits_no_longer(kept: Kept) -> None:
    """The wait of a client that closes its connection is ended long before its time."""
    session = session_of(kept.service)
    with ExitStack() as opened:
        for _ in range(16):
            opened.enter_context(connected(kept.service)).send(request_of(session))
        kept.wait_for(session)
    until(lambda: not kept.is_waited_for(session), "nobody waits")
    assert is_unchanged(session.wait(1, 1))


def test_who_closes_one_end(kept: Kept) -> None:
    """A client that waits and then closes its end for sending gets a response at once."""
    session = session_of(kept.service)
    with connected(kept.service) as raw:
        raw.send(request_of(session))
        kept.wait_for(session)
        raw.socket.shutdown(socket.SHUT_WR)
        assert is_unchanged(raw.reply("GET"))
        assert raw.end() == b""


def test_head(kept: Kept) -> None:
    """HEAD waits, too, and gets the headers of the new version without its body."""
    session = session_of(kept.service)
    with connected(kept.service) as raw:
        raw.send(request_of(session, "HEAD"))
        kept.wait_for(session)
        acted = session.act("roll", version=1)
        reply = raw.reply("HEAD")
        assert (reply.status, reply.body, tagged(reply)) == (200, b"", 2)
        assert reply.headers["Content-Length"] == str(len(acted.body))


def test_a_request_behind_one_that_waits(kept: Kept) -> None:
    """A request that is sent while another one waits on its connection has its turn after it."""
    session = session_of(kept.service)
    with connected(kept.service) as raw:
        raw.send(request_of(session))
        kept.wait_for(session)
        raw.send(get("/livez"))
        acted = session.act("roll", version=1)
        assert raw.reply("GET").json == acted.json
        assert raw.reply("GET").json == {"status": "ok"}


def test_the_clock_wakes(kept: Kept) -> None:
    """A waiting request gets the new version when a turn times out, not before."""
    untimed = session_of(kept.service)
    session = make(kept.service, "dice-poker", "ann", "ben", house_rules={"turn_seconds": 1})
    with waiting(untimed, 60) as (longer,):
        reply = session.wait(1, 60)
        assert time.time() >= session.made["state"]["ends_at"] / 1000
        assert (reply.status, reply.json["version"], tagged(reply)) == (200, 2, 2)
        assert not longer.done()
        untimed.act("roll", version=1)


@pytest.mark.fault
def test_slots_of_large_requests() -> None:
    """Requests that wait leave their slots to other large requests, however long their bodies."""
    body = b" " * (SMALL_BYTES + 1)
    batch = {"hands": [[1, 2, 3, 4, 6]]}
    with keeping(WEB_CONCURRENCY="1") as kept, ExitStack() as opened:
        session = session_of(kept.service)
        request = request_of(session).replace(
            b"\r\n\r\n", f"\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        )
        clients = []
        for _ in range(MAX_LARGE_REQUESTS):
            clients.append(opened.enter_context(connected(kept.service)))
            clients[-1].send(request + body)
        assert kept.service.post("/v1/variants/poker-dice/batch", batch).status == 200
        acted = session.act("roll", version=1).json
        assert all(client.reply("GET").json == acted for client in clients)


@pytest.mark.proof
@pytest.mark.parametrize("proxied", [False, True])
def test_room_for_others(proxied: bool) -> None:
    """If nine tenths of the connections wait, the one that has waited longest gets its response,
    and its connection is idle: new ones find room. But a client that has more than its share of all
    waits ends its own, also behind a proxy.
    """
    settings = {"TRUSTED_PROXIES": "127.0.0.1"} if proxied else {}
    with (
        keeping(GUNICORN_CMD_ARGS="--worker-connections=10", **settings) as kept,
        ExitStack() as opened,
    ):
        sessions = [session_of(kept.service) for _ in range(10)]
        clients = []
        for number, session in enumerate(sessions):
            clients.append(opened.enter_context(connected(kept.service)))
            forwarded = {"X-Forwarded-For": "203.0.113.9" if number else "198.51.100.1"}
            clients[-1].send(request_of(session, **(forwarded if proxied else {})))
            until(partial(kept.is_waited_for, session), "it waits")
        ended = 1 if proxied else 0
        assert is_unchanged(clients[ended].reply("GET"))
        assert kept.service.get("/livez").status == 200
        for number, (client, session) in enumerate(zip(clients, sessions, strict=True)):
            if number != ended:
                acted = session.act("roll", version=1).json
                assert client.reply("GET").json == acted


@pytest.mark.proof
def test_a_client_without_units() -> None:
    """A request that waits gets its response even if its client has used up its units meanwhile,
    by requests that cost one each: it owes none.
    """
    with keeping(RATE_LIMIT="60") as kept, ThreadPoolExecutor(1) as pool:
        session = session_of(kept.service)
        reply = pool.submit(session.wait, 1, 4)
        kept.wait_for(session)
        statuses = set()
        while not reply.done():
            roll = {"dice": [1, 2, 3, 4, 6]}
            statuses.add(kept.service.post("/v1/variants/poker-dice/evaluate", roll).status)
        assert statuses == {200, 429}
        assert is_unchanged(reply.result())


@pytest.mark.fault
def test_another_server(tmp_path: Path) -> None:
    """Under a server that knows nothing but WSGI, a request waits in its thread."""
    with servers.on_a_socket(servers.either(), tmp_path) as url, running(REDIS_URL=url) as service:
        session = session_of(service)
        client = create_app(Settings(redis_url=url)).test_client()

        def wait(version: int, seconds: int) -> TestResponse:
            headers = {**session.bearer(), "If-None-Match": f'"{version}"'}
            return client.get(session.path, query_string={"wait": seconds}, headers=headers)

        assert (wait(7, 60).status_code, wait(1, 1).status_code) == (200, 304)
        with (
            ThreadPoolExecutor(1) as pool,
            closing(redis.Redis(unix_socket_path=url.removeprefix("unix://"))) as store,
        ):
            kept = Kept(service, store)
            until(lambda: not kept.is_waited_for(session), "nobody waits any more")
            reply = pool.submit(wait, 1, 60)
            kept.wait_for(session)
            acted = session.act("roll", version=1)
            assert reply.result().get_json() == acted.json


@pytest.mark.fault
def test_stopping() -> None:
    """A service that is stopping responds to the waiting requests at once."""
    with keeping() as kept, ThreadPoolExecutor(8) as pool:
        service = kept.service
        sessions = [session_of(service) for _ in range(8)]
        replies = [pool.submit(session.wait, 1, 60) for session in sessions]
        kept.wait_for(*sessions)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(timeout=60) == 0
        assert all(is_unchanged(reply.result()) for reply in replies)
        assert {reply.result().headers["Connection"] for reply in replies} == {"close"}
        assert "Traceback" not in service.output.whole
        assert "SIGKILL" not in service.output.whole
