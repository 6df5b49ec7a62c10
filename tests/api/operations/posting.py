"""Posts bodies, and looks at the problems that come back."""

from __future__ import annotations

from tests.live import JSON, PROBLEM, Reply, Service
from tests.problems import by_the_tables

EVALUATE = "/v1/variants/poker-dice/evaluate"


def send(service: Service, body: bytes, path: str = EVALUATE) -> Reply:
    """Sends raw bytes, declared as JSON."""
    return service.ask("POST", path, body, {"Content-Type": JSON})


def is_problem(reply: Reply, status: int, path: str = EVALUATE) -> bool:
    """Whether a reply is a problem with all required fields."""
    body = reply.json
    return (
        reply.headers["Content-Type"] == PROBLEM
        and (reply.status, body["status"], body["instance"]) == (status, status, path)
        and body == by_the_tables(body)
    )


def reason(reply: Reply, status: int, path: str = EVALUATE) -> str:
    """The detail of a problem, after checking all its fields."""
    assert is_problem(reply, status, path), reply.body
    detail: str = reply.json["detail"]
    return detail


def violations(reply: Reply, path: str = EVALUATE) -> list[tuple[str, str]]:
    """The violations of a body that is refused: pointers and details."""
    assert is_problem(reply, 422, path), reply.body
    return [(error["pointer"], error["detail"]) for error in reply.json["errors"]]
