"""Requests that don't arrive in full get problems, and idle clients make room for others."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

import pytest

from tests.api.causes import LANGUAGE, LANGUAGES, Said
from tests.live import Service, running
from tests.problems import problem
from tests.worker.raw import BODY, EVALUATE, connected, get, head, last_reply, refused


@pytest.fixture(scope="module")
def impatient() -> Iterator[Service]:
    """A service with room for 16 connections, which waits a moment only for clients that stall."""
    options = "--worker-class=tests.worker.waits.Impatient --worker-connections=16"
    with running(GUNICORN_CMD_ARGS=options) as started:
        yield started


HEAD_STALLED = Said(
    "head-stalled",
    408,
    "The head of the request did not arrive within 0.2 seconds.",
    translated=False,
)
BODY_STALLED = Said(
    "body-stalled", 408, "The body stalled for 0.2 seconds, or came slower than 1 KiB a second."
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_stalled(impatient: Service, language: str) -> None:
    """An incomplete request gets 408 after some time without a byte, wherever it stalls."""
    to = partial(head, "POST", EVALUATE, f"{LANGUAGE}: {language}")
    sent = {
        "head": get("/livez", f"{LANGUAGE}: {language}")[:-2],
        "body": to("Content-Length: 20") + BODY[:5],
        "long body": to("Content-Length: 100000") + BODY[:5],
        "chunk": to("Transfer-Encoding: chunked") + b"5\r\n" + BODY[:3],
    }
    with ThreadPoolExecutor(len(sent)) as pool:
        replies = dict(zip(sent, pool.map(partial(refused, impatient), sent.values()), strict=True))
    HEAD_STALLED.check_reply(replies.pop("head"), "", language)
    for reply in replies.values():
        BODY_STALLED.check_reply(reply, EVALUATE, language)


def test_half_a_body_and_the_end(service: Service) -> None:
    """A client that closes its end within a body still gets a 400."""
    sent = {
        head("POST", EVALUATE, "Content-Length: 20") + BODY[:5]: (
            "The body ended after 5 of 20 bytes."
        ),
        head("POST", EVALUATE, "Transfer-Encoding: chunked") + b"5\r\n" + BODY[:3]: (
            "The body ended early, or its chunked encoding is invalid."
        ),
    }
    for request, detail in sent.items():
        reply = last_reply(service, request, ends=True)
        assert reply.json == problem(400, detail, EVALUATE)


def test_half_a_head_and_the_end(service: Service) -> None:
    """A client that closes its end within a head still gets a 400."""
    detail = "The connection ended within the head of the request."
    assert last_reply(service, get()[:-2], ends=True).json == problem(400, detail, "")


def test_nothing_at_all(service: Service) -> None:
    """A client that closes without a request, or after blank lines only, gets no response."""
    assert service.send(b"") == service.send(b"\r\n") == b""


def test_room_for_new_connections(impatient: Service) -> None:
    """At the limit of connections, a new one replaces the one that has been idle longest."""
    with ExitStack() as stack:
        clients = [stack.enter_context(connected(impatient)) for _ in range(16)]
        for client in [*clients, clients[0]]:  # so the second one is the longest idle
            client.send(get())
            assert client.reply("GET").status == 200
        assert impatient.get("/livez").status == 200
        assert clients[1].end() == b""
        clients[0].send(get())
        assert clients[0].reply("GET").status == 200
