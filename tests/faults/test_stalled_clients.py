"""Clients that stall, linger, dribble or idle: others are answered as if they weren't there.

Each crowd is 500 connections of one kind, with the default settings of the service. Without the
worker of `service/worker`, each of them is an outage.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.api.batch import batching
from tests.api.batch.batching import NDJSON, POKER_DICE
from tests.faults.clients import ORDINARY, Act, crowd, ordinary
from tests.live import JSON, Service, running
from tests.worker.raw import BODY, EVALUATE, get, head, post

CROWD = 500

HALF = head("POST", EVALUATE, f"Content-Length: {len(BODY)}")[:-2]

CHUNKED = head("POST", EVALUATE, "Transfer-Encoding: chunked")

LINES = batching.head(NDJSON, "Transfer-Encoding: chunked")

FAST_LINE = b"200\r\n" + BODY + b" " * (0x200 - len(BODY) - 1) + b"\n\r\n"
"""A chunk with a line; five of them in a second are fast enough."""

BUNDLE = get("/docs/assets/swagger-ui-bundle.js")


def dribble(client: socket.socket) -> None:
    """Sends one more byte."""
    with suppress(BlockingIOError):
        client.send(b"1")


def dribble_chunk(client: socket.socket) -> None:
    """Sends one more chunk of a byte."""
    with suppress(BlockingIOError):
        client.send(b"1\r\n \r\n")


CROWDS: dict[str, tuple[bytes, Act | None]] = {
    "nothing sent": (b"", None),
    "half a head": (HALF, None),
    "a head that dribbles": (HALF + b"X-Slow: ", dribble),
    "half a body": (HALF + b"\r\n{", None),
    "a body that dribbles": (head("POST", EVALUATE, "Content-Length: 60000") + b"{", dribble),
    "half a body of a megabyte": (head("POST", EVALUATE, "Content-Length: 1000000") + b"{", None),
    "half a chunked body": (CHUNKED, None),
    "a chunked body that dribbles": (CHUNKED, dribble_chunk),
    "lines that don't come": (LINES, None),
    "lines that dribble": (LINES, dribble_chunk),
    "an answer, and the connection kept": (post(), None),
    "an answer, and an end that is kept open": (post(BODY, "Connection: close"), None),
}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The service with its default settings, whose workers live to the end."""
    with running(WEB_CONCURRENCY="2") as started:
        yield started
        assert started.output.text.count("Booting worker") == 2
        assert "WORKER TIMEOUT" not in started.output.text
        assert "Traceback" not in started.output.text


@pytest.mark.parametrize("kind", CROWDS)
def test_a_crowd(service: Service, kind: str) -> None:
    """All ordinary requests get a response despite the crowd.

    Behind so many that stall for five seconds each, nobody would get one within a minute.
    """
    first, again = CROWDS[kind]
    with crowd(service, CROWD, first, again):
        found = ordinary(service)
    print(f"{kind}: {found.answered} of {ORDINARY}, slowest {max(found.seconds):.2f} s")
    assert found.answered == ORDINARY


def test_answers_that_are_not_read(service: Service) -> None:
    """Clients that request a long response and don't read it don't delay others."""
    with crowd(service, CROWD, BUNDLE, reads=False):
        found = ordinary(service)
    assert found.answered == ORDINARY


def test_closing_after_a_moment(service: Service) -> None:
    """Twenty clients that close a tenth of a second after their response don't delay others."""

    def close_late(client: socket.socket) -> None:
        client.shutdown(socket.SHUT_RDWR)

    with crowd(service, 20, post(BODY, "Connection: close"), close_late):
        found = ordinary(service)
    assert found.answered == ORDINARY


def test_idle_connections(service: Service) -> None:
    """More idle connections than gunicorn accepts by default don't shut others out."""
    with crowd(service, 2_100, post(), reads=False):
        found = ordinary(service)
    assert found.answered == ORDINARY


def test_a_dribbled_stream(service: Service) -> None:
    """A body that comes slower than 1 KiB a second is refused, however it is sent."""
    response = response_while_sending(service, CHUNKED, b"1\r\n \r\n")
    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"The body stalled for 5 seconds, or came slower than 1 KiB a second." in response


def response_while_sending(service: Service, first: bytes, again: bytes) -> bytes:
    """What a client receives that sends `first`, and then `again` every 0.2 seconds."""
    over = threading.Event()
    with socket.create_connection(("127.0.0.1", service.port), 60) as client:

        def go_on() -> None:
            with suppress(OSError):
                while not over.wait(0.2):
                    client.sendall(again)

        client.sendall(first)
        sender = threading.Thread(target=go_on)
        sender.start()
        response = client.recv(65536)
        over.set()
        sender.join()
    return response


def test_more_streams_than_fit() -> None:
    """A batch is handled while 600 others send almost nothing."""
    with running(WEB_CONCURRENCY="1") as service, crowd(service, 600, LINES, dribble_chunk):
        reply = service.ask("POST", POKER_DICE, BODY, {"Content-Type": NDJSON})
    assert (reply.status, reply.json["rank"]) == (200, "small_straight")


def test_more_streams_than_fit_that_are_fast_enough() -> None:
    """Endless batches, and endless single requests in chunks, don't shut out others."""

    def line(client: socket.socket) -> None:
        with suppress(BlockingIOError):
            client.send(FAST_LINE)

    with running(WEB_CONCURRENCY="1") as service, crowd(service, 300, LINES, line):
        chunked = {"Content-Type": JSON, "Transfer-Encoding": "chunked"}
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
        single = service.ask("POST", EVALUATE, body, chunked)
        lines = service.ask("POST", POKER_DICE, BODY, {"Content-Type": NDJSON})
    assert [single.status, lines.status] == [200, 200]
    assert single.json == lines.json


def test_a_steady_stream_that_others_wait_for() -> None:
    """A batch that is sent fast enough, but for more than ten seconds, is refused while other
    batches wait. The response gives that reason, and not that the client stalled.
    """
    with running(WEB_CONCURRENCY="1") as service, crowd(service, 300, LINES):
        response = response_while_sending(service, LINES, FAST_LINE)
    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"Other requests were waiting, and this one took more than 10 seconds." in response
