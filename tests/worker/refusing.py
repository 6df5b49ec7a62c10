"""What a client gets whose request is refused before the app runs."""

from __future__ import annotations

from werkzeug.http import HTTP_STATUS_CODES

from tests.live import PROBLEM, Reply, Service
from tests.worker.raw import connected


def problem(status: int, detail: str, instance: str) -> dict[str, object]:
    """The expected problem details."""
    about = {"type": "about:blank", "title": HTTP_STATUS_CODES[status], "status": status}
    return {**about, "detail": detail, "instance": instance}


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
