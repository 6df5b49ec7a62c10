"""Every path: unknown ones, request ids, connections, unexpected errors; and whether a process is
ready.
"""

from __future__ import annotations

import pytest

from service import __version__
from service.api.http.conditional import EntityTags, read_tags
from service.app import create_app
from service.settings import Settings
from tests.live import PROBLEM, Service, free_port, running
from tests.metrics.scrapes import scraped, value


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1//variants", "/livez//",
             "/docs/assets/index.html", "/docs/assets/..%2fdocs.html", "/problems/no-such-problem"],
)  # fmt: skip
def test_nothing_here(service: Service, path: str) -> None:
    """An unknown path gets a 404 that says where to look."""
    reply = service.get(path)
    assert (reply.status, reply.headers["Content-Type"]) == (404, PROBLEM)
    assert "/v1/variants lists the variants" in reply.json["detail"]


def test_request_id_is_taken_over(service: Service) -> None:
    """A usable X-Request-ID is returned on responses and problems."""
    assert service.get("/livez", X_Request_ID="job-17/a").headers["X-Request-ID"] == "job-17/a"
    assert service.get("/nowhere", X_Request_ID="job-18").headers["X-Request-ID"] == "job-18"


@pytest.mark.parametrize("given", ["", "two words", "x" * 129, "na\u00efve"])
def test_request_id_is_made(service: Service, given: str) -> None:
    """Without a usable X-Request-ID each request gets a random one."""
    headers = [service.get("/livez", X_Request_ID=given).headers for _ in range(2)]
    made = {answer["X-Request-ID"] for answer in headers}
    assert len(made) == 2
    assert all(len(request_id) == 32 for request_id in made)


def test_instance_is_a_uri_reference(service: Service) -> None:
    """The `instance` of a problem is the requested path as a URI reference."""
    assert service.get("/a%20b%3Fc").json["instance"] == "/a%20b%3Fc"


def test_connections_are_kept(service: Service) -> None:
    """A connection carries several requests, even after one is refused with its body unread."""
    evaluate = b"/v1/variants/poker-dice/evaluate"
    body = b'{"dice": [1,2,3,4,6]}'
    request = (
        b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
    )
    answer = service.send(
        request % (evaluate, b"application/json", len(body), body)
        + request % (evaluate, b"text/plain", len(body), body)
        + request % (evaluate, b"application/json", len(body), body)
    )
    assert [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]] == [b"200", b"415", b"200"]


@pytest.mark.parametrize("origins", ["", "https://game.example"])
def test_the_unforeseen(caplog: pytest.LogCaptureFixture, origins: str) -> None:
    """An unexpected error gets a 500 that refers to the log, which has the request id and the
    trace. A page that may call the service can read it.
    """
    app = create_app(Settings(allow_origins=origins))

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("secret")

    headers = {"X-Request-ID": "find-me", **({"Origin": origins} if origins else {})}
    reply = app.test_client().get("/broken", headers=headers)
    assert (reply.status_code, reply.content_type) == (500, "application/problem+json")
    assert reply.headers.get("Access-Control-Allow-Origin", "") == origins
    assert reply.json == {
        "type": "/problems/unexpected",
        "title": "Unexpected",
        "status": 500,
        "detail": "An unexpected error occurred; the log has it under this X-Request-ID.",
        "instance": "/broken",
    }
    assert "request find-me failed" in caplog.text
    assert "RuntimeError: secret" in caplog.text


@pytest.mark.parametrize("part", [" ", ",", '"a"', '"', "W/", '"a" ', "\t,"])
def test_long_headers(part: str) -> None:
    """A long header is parsed in one pass; backtracking would take minutes."""
    assert read_tags(part * 500_000 + "x") == EntityTags(False, frozenset(), frozenset())


def test_ready(service: Service) -> None:
    """A process that responds is ready, and so is its store; `/readyz` names the release."""
    release = {"status": "ok", "version": __version__}
    assert service.get("/livez").json == {"status": "ok"}
    assert service.get("/readyz").json == service.get("/readyz?store").json == release


@pytest.mark.fault
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
