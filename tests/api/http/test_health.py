"""`/livez` and `/readyz`: whether a process responds, and whether it is ready."""

from __future__ import annotations

from service import __version__
from tests.live import PROBLEM, Service, free_port, running
from tests.metrics.scrapes import scraped, value


def test_ready(service: Service) -> None:
    """A process that responds is ready, and so is its store; `/readyz` names the release."""
    release = {"status": "ok", "version": __version__}
    assert service.get("/livez").json == {"status": "ok"}
    assert service.get("/readyz").json == service.get("/readyz?store").json == release


def test_without_a_store() -> None:
    """Without its store a process is alive and ready, but not for those who need sessions.

    The problem has the reason, and no address. Metrics count the failure, and that of the start.
    """
    port = free_port()
    with running(REDIS_URL=f"redis://127.0.0.1:{port}", COMMIT="1a2b3c4") as service:
        assert service.get("/livez").status == 200
        ready = service.get("/readyz")
        assert ready.json == {"status": "ok", "version": __version__, "commit": "1a2b3c4"}
        reply = service.get("/readyz?store")
        found = scraped(service)
    assert (reply.status, reply.headers["Content-Type"]) == (503, PROBLEM)
    assert reply.headers["Retry-After"] == "1"
    assert reply.json["detail"] == "The store of sessions can't be reached (Connection refused)."
    errors = {"command": "replay", "error": "unavailable"}
    assert value(found, "dice_store_errors_total", **errors) == 2
    assert value(found, "dice_store_duration_seconds_count", command="replay") == 2
