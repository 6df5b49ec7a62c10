"""Requests that are answered in the loop, without a thread."""

from __future__ import annotations

import socket
import struct
from itertools import islice

from tests.live import Service
from tests.worker.breaking import LEAVING
from tests.worker.raw import BODY, connected, head, post


def test_leaving_the_loop(breaking: Service) -> None:
    """A request that turns out to take long is answered from its beginning, outside of the loop."""
    with connected(breaking) as client:
        client.send(head("POST", LEAVING, f"Content-Length: {len(BODY)}") + BODY)
        reply = client.reply()
    assert (reply.status, reply.json) == (200, [[True, BODY.decode()], [False, BODY.decode()]])


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
