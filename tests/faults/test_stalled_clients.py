"""Clients that stall, linger, dribble or idle: others are answered as if they weren't there.

Most crowds are 500 connections of one kind, with the default settings of the service. Without the
worker of `service/worker`, each of them is an outage.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial

import pytest

from tests.api.batch import batching
from tests.api.batch.batching import NDJSON, POKER_DICE
from tests.faults.clients import crowd, ordinary
from tests.live import JSON, Service, running
from tests.worker.raw import BODY, EVALUATE, get, head, post

HALF = head("POST", EVALUATE, f"Content-Length: {len(BODY)}")[:-2]

CHUNKED = head("POST", EVALUATE, "Transfer-Encoding: chunked")

LINES = batching.head(NDJSON, "Transfer-Encoding: chunked")

FAST_LINE = b"200\r\n" + BODY + b" " * (0x200 - len(BODY) - 1) + b"\n\r\n"
"""A chunk with a line; five of them in a second are fast enough."""

CLOSING = post(BODY, "Connection: close")

BUNDLE = get("/docs/assets/swagger-ui-bundle.js")


def dribble(client: socket.socket) -> None:
    """Sends one more byte."""
    with suppress(BlockingIOError):
        client.send(b"1")


def dribble_chunk(client: socket.socket) -> None:
    """Sends one more chunk of a byte."""
    with suppress(BlockingIOError):
        client.send(b"1\r\n \r\n")


def end(client: socket.socket) -> None:
    """Closes its end, after the response."""
    client.shutdown(socket.SHUT_RDWR)


CROWDS: dict[str, Callable[[Service], AbstractContextManager[None]]] = {
    "nothing sent": partial(crowd, first=b""),
    "half a head": partial(crowd, first=HALF),
    "a head that dribbles": partial(crowd, first=HALF + b"X-Slow: ", again=dribble),
    "half a body": partial(crowd, first=HALF + b"\r\n{"),
    "a body that dribbles": partial(
        crowd, first=head("POST", EVALUATE, "Content-Length: 60000") + b"{", again=dribble
    ),
    "half a body of a megabyte": partial(
        crowd, first=head("POST", EVALUATE, "Content-Length: 1000000") + b"{"
    ),
    "half a chunked body": partial(crowd, first=CHUNKED),
    "a chunked body that dribbles": partial(crowd, first=CHUNKED, again=dribble_chunk),
    "lines that don't come": partial(crowd, first=LINES),
    "lines that dribble": partial(crowd, first=LINES, again=dribble_chunk),
    "an answer, and the connection kept": partial(crowd, first=post()),
    "an answer, and an end that is kept open": partial(crowd, first=CLOSING),
    "an answer, and an end that is closed late": partial(crowd, first=CLOSING, again=end, size=20),
    "long answers that are not read": partial(crowd, first=BUNDLE, reads=False),
    # more than gunicorn accepts by default
    "idle connections": partial(crowd, first=post(), size=2_100, reads=False),
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
    with CROWDS[kind](service):
        print(f"{kind}: slowest {ordinary(service):.2f} s")


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
    with running(WEB_CONCURRENCY="1") as service, crowd(service, LINES, dribble_chunk, size=600):
        reply = service.ask("POST", POKER_DICE, BODY, {"Content-Type": NDJSON})
    assert (reply.status, reply.json["rank"]) == (200, "small_straight")


def test_more_streams_than_fit_that_are_fast_enough() -> None:
    """Endless batches, and endless single requests in chunks, don't shut out others."""

    def line(client: socket.socket) -> None:
        with suppress(BlockingIOError):
            client.send(FAST_LINE)

    with running(WEB_CONCURRENCY="1") as service, crowd(service, LINES, line, size=300):
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
    with running(WEB_CONCURRENCY="1") as service, crowd(service, LINES, size=300):
        response = response_while_sending(service, LINES, FAST_LINE)
    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"Other requests were waiting, and this one took more than 10 seconds." in response
