"""Clients that disconnect in the middle of something: others don't notice, and nothing is left."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.api.batch import batching
from tests.api.batch.batching import NDJSON
from tests.faults.clients import ORDINARY, ordinary
from tests.live import Service, running
from tests.sessions.servers import until
from tests.worker.raw import BODY, EVALUATE, get, head, post

CLIENTS = 500

LINES = (BODY + b"\n") * 20_000
BATCH = batching.head(NDJSON, f"Content-Length: {len(LINES)}") + LINES
"""A batch whose response is longer than all buffers on its way."""

REQUESTS = {
    "half a body": (post()[:-9], 0),
    "half a chunk": (
        head("POST", EVALUATE, "Transfer-Encoding: chunked") + b"14\r\n" + BODY[:9],
        0,
    ),
    "half a batch": (BATCH[: len(BATCH) // 2], 0),
    "half a response": (get("/docs/assets/swagger-ui-bundle.js"), 1000),
    "half the lines of a batch": (BATCH, 1000),
}
"""What each client sends, and how much of the response it reads before it disconnects."""

LARGE = {"half a batch": 50, "half the lines of a batch": 10}
"""How many clients there are of those that take long."""


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service with its default settings, whose workers live to the end."""
    with running(WEB_CONCURRENCY="2") as started:
        until(lambda: ready(started) == 2, "both workers wait for connections")
        ordinary(started)  # workers open some files when they first need them
        yield started
        assert started.output.text.count("Booting worker") == 2
        assert "Traceback" not in started.output.text


def disconnect(service: Service, request: bytes, reads: int, *, reset: bool) -> None:
    """Sends `request`, reads so many bytes, and closes or resets the connection."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(request)
        while reads > 0:
            reads -= len(client.recv(reads))
        if reset:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def ready(service: Service) -> int:
    """How many workers wait for connections: before that, they have other files open."""
    return sum(map(waits, service.workers()))


def waits(pid: int) -> bool:
    """Whether a process waits for events."""
    try:
        return "anon_inode:[eventpoll]" in map(os.readlink, files(pid))
    except FileNotFoundError:  # closed since it was listed: the worker is still being started
        return False


def files(pid: int) -> list[Path]:
    """The files that a process has open, as links."""
    return list(Path(f"/proc/{pid}/fd").iterdir())


def descriptors(service: Service) -> int:
    """How many files and connections the workers have open."""
    return sum(len(files(pid)) for pid in service.workers())


@pytest.mark.parametrize("name", REQUESTS)
def test_disconnects(service: Service, name: str) -> None:
    """All other requests get a response, 95 % of them soon, and afterwards nothing of the clients
    is left open, whether they close or reset their connections.
    """
    request, reads = REQUESTS[name]
    clients = LARGE.get(name, CLIENTS)

    def act(number: int) -> None:
        disconnect(service, request, reads, reset=bool(number % 2))

    before = descriptors(service)
    with ThreadPoolExecutor(8) as pool:
        gone = [pool.submit(act, number) for number in range(clients)]
        slowest = ordinary(service)
        for each in gone:
            each.result()
    until(lambda: descriptors(service) <= before, "everything is closed")
    print(
        f"{clients} clients disconnected after {name}: all {ORDINARY} other requests answered, the "
        f"slowest in {slowest:.2f} s; {before} open files before and {descriptors(service)} after"
    )
