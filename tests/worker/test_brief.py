"""Requests that are answered in the loop, without a thread."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.worker.exchange import Exchange, Shared
from service.worker.hooks import IN_LOOP, TakesLong
from tests.live import Service
from tests.worker.raw import BODY, Raw, connected, post
from tests.worker.sockets import LIMITS, connection_and_client


def test_leaving_the_loop() -> None:
    """A request that turns out to take long is answered from its beginning, outside of the loop."""
    seen: list[tuple[bool, bytes]] = []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        seen.append((environ[IN_LOOP], environ["wsgi.input"].read()))
        if environ[IN_LOOP]:
            raise TakesLong
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]

    with connection_and_client() as (connection, client):
        client.sendall(post(b'{"dice": [1]}'))
        connection.receive()
        connection.parse()
        assert connection.request is not None
        shared = Shared(
            app,
            Logger(Config()),
            LIMITS.hooks,
            stopping=lambda: False,
            woken=lambda _: None,
        )
        exchange = Exchange(shared, connection, connection.request, brief=True)
        exchange.proceed()
        assert (exchange.brief, exchange.ended, connection.unsent_bytes) == (False, False, 0)
        exchange.proceed()
        assert exchange.ended
        connection.send_more()
        reply = Raw(client).reply()
    assert (reply.status, reply.body) == (200, b"done")
    assert seen == [(True, b'{"dice": [1]}'), (False, b'{"dice": [1]}')]


def test_pipelined(service: Service) -> None:
    """A client that sends a request for each response, with four under way, gets all in order."""
    numbers = iter(range(500))
    with connected(service) as client:
        for number in islice(numbers, 4):
            client.send(post(BODY, f"X-Request-ID: {number}"))
        for number in range(500):
            reply = client.reply()
            assert (reply.status, reply.headers["X-Request-ID"]) == (200, str(number))
            for following in islice(numbers, 1):
                client.send(post(BODY, f"X-Request-ID: {following}"))


def test_pipelined_by_clients_that_vanish(service: Service) -> None:
    """Clients that reset their connections with hundreds of requests under way harm nobody."""
    workers = service.workers()
    for _ in range(20):
        with connected(service) as client:
            client.send(post() * 1000)
            client.reply()
            client.send(post() * 10)  # while others wait for their turn
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with connected(service) as client:
        client.send(post())
        assert client.reply().status == 200
    assert service.workers() == workers
