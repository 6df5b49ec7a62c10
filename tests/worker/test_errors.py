"""Any error in the handling of one exchange ends that exchange only, and is logged.

The worker goes on, and whatever the exchange had is free again: its thread and its slot.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.worker.fairness import MAX_LARGE_REQUESTS
from tests.live import Service
from tests.worker.breaking import ERRORS, UNLOGGED, WORK
from tests.worker.raw import connected, get, head


@pytest.fixture(autouse=True)
def _same_worker(breaking: Service) -> Iterator[None]:
    """The worker is the same afterwards, and answers."""
    workers = breaking.workers()
    yield
    assert breaking.get("/livez").status == 200
    assert breaking.workers() == workers


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("work", WORK)
def test_in_a_view(breaking: Service, work: str, error: str) -> None:
    """A view that raises gets 500, and the next request to the same thread its response."""
    path = f"/break/{work}/view/{error}"
    for own in (f"{work}-{error}-1", f"{work}-{error}-2"):
        with connected(breaking) as client:
            client.send(get(path, f"X-Request-ID: {own}"))
            reply = client.reply("GET")
            assert (reply.status, reply.headers["X-Request-ID"]) == (500, own)
        breaking.output.wait_for(f"request {own}")


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("when", ["part", "close"])
def test_in_a_response(breaking: Service, when: str, error: str) -> None:
    """A response that raises is broken off, and its connection closed; the next one is sent.

    With a thread for each kind of work, the second would not begin if the first kept its own.
    """
    for _ in range(2):
        with connected(breaking) as client:
            client.send(get(f"/break/BATCH/{when}/{error}"))
            sent = client.end()
        if sent:  # at its end it may not have been sent
            assert sent.startswith(b"HTTP/1.1 200 ")
            assert b"5\r\nbegun\r\n" in sent
            assert when == "close" or not sent.endswith(b"0\r\n\r\n")


@pytest.mark.parametrize("headers", [(), ("Host: two",)], ids=["answered", "refused"])
def test_in_the_log(breaking: Service, headers: tuple[str, ...]) -> None:
    """A response that can't be logged, of the app or of the worker, ends with its connection."""
    for _ in range(2):
        with connected(breaking) as client:
            client.send(get(UNLOGGED, *headers))
            client.end()


def test_in_the_queue(breaking: Service) -> None:
    """A large request that fails once it gets its slot harms neither the one that had it, nor the
    next in the queue.
    """
    batch = head("POST", UNLOGGED, "Content-Length: 2")
    with ExitStack() as stack:

        def send(data: bytes) -> socket.socket:
            client = stack.enter_context(connected(breaking))
            client.send(data)
            return client.socket

        slots = [send(batch) for _ in range(MAX_LARGE_REQUESTS)]
        halves = [send(batch + b"{") for _ in range(3)]
        last = stack.enter_context(connected(breaking))
        last.send(head("POST", "/v1/variants/poker-dice/batch", "Content-Length: 2") + b"{}")
        assert breaking.get("/livez").status == 200  # all of these have been received by now
        for each in (*halves, slots[0]):
            each.shutdown(socket.SHUT_WR)
        assert last.reply().status == 422
