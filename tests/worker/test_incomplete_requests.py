"""Requests that don't arrive in full get problems, like every other error."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.live import Service
from tests.worker.raw import BODY, EVALUATE, connected, get, head
from tests.worker.refusing import problem, refused


def test_stalled(service: Service) -> None:
    """An incomplete request gets 408 after five seconds without a byte, wherever it stalls."""
    sent = {
        "head": get()[:-2],
        "body": head("POST", EVALUATE, "Content-Length: 20") + BODY[:5],
        "long body": head("POST", EVALUATE, "Content-Length: 100000") + BODY[:5],
        "chunk": head("POST", EVALUATE, "Transfer-Encoding: chunked") + b"5\r\n" + BODY[:3],
    }
    with ThreadPoolExecutor(len(sent)) as pool:
        replies = dict(zip(sent, pool.map(partial(refused, service), sent.values()), strict=True))
    for where, reply in replies.items():
        instance = "" if where == "head" else EVALUATE
        detail = "The body stalled for 5 seconds, or came slower than 1 KiB a second."
        if where == "head":
            detail = "The head of the request did not arrive within 5 seconds."
        assert reply.json == problem(408, "Request Timeout", detail, instance), where


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
        with connected(service) as raw:
            raw.send(request)
            raw.socket.shutdown(socket.SHUT_WR)
            reply = raw.reply()
            assert reply.json == problem(400, "Bad Request", detail, EVALUATE)
            assert raw.end() == b""


def test_half_a_head_and_the_end(service: Service) -> None:
    """A client that closes its end within a head still gets a 400."""
    with connected(service) as raw:
        raw.send(get()[:-2])
        raw.socket.shutdown(socket.SHUT_WR)
        reply = raw.reply()
        detail = "The connection ended within the head of the request."
        assert reply.json == problem(400, "Bad Request", detail, "")
        assert raw.end() == b""


def test_nothing_at_all(service: Service) -> None:
    """A client that closes without a request, or after blank lines only, gets no response."""
    assert service.send(b"") == service.send(b"\r\n") == b""
