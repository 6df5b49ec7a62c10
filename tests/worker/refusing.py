"""What a client gets whose request is refused before the app runs."""

from __future__ import annotations

from tests.live import PROBLEM, Reply, Service
from tests.worker.raw import connected


def refused(service: Service, request: bytes) -> Reply:
    """Sends `request`; returns the problem, after checking that the connection closes."""
    with connected(service) as raw:
        raw.send(request)
        reply = raw.reply()
        assert raw.end() == b""
    assert reply.headers["Content-Type"] == PROBLEM
    assert reply.headers["Connection"] == "close"
    assert len(reply.headers["X-Request-ID"]) == 32
    return reply
