"""Every path: unknown ones, request ids, connections."""

from __future__ import annotations

import pytest

from tests.live import PROBLEM, Service


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/variants/", "/v1/variants/chess", "/v1/variants/poker-dice/score",
             "/v1//variants", "/docs/assets/index.html", "/docs/assets/..%2fdocs.html"],
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
