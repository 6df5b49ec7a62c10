"""The checker of responses notices each deviation from the contract."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.checker import ContractViolation, check_raw, contract_checker
from tests.live import JSON, PROBLEM, Reply, Service

EVALUATE = "/v1/variants/poker-dice/evaluate"
RANK = "/v1/variants/poker-dice/rank"
BODIES = {
    EVALUATE: {"dice": [1, 2, 3, 4, 6]},
    RANK: {"players": [{"id": "ann", "dice": [1, 2, 3, 4, 6]}]},
}

Change = Callable[[Any], object]


def held_to(method: str, path: str, reply: Reply, **changed: Any) -> None:
    """Checks a response, changed in its status, headers or body."""
    parts = {"status": reply.status, "headers": reply.headers, "body": reply.body, **changed}
    contract_checker().check(method, path, **parts)


@pytest.mark.parametrize(
    ("path", "change", "message"),
    [
        (EVALUATE, lambda body: body.update(colour=1), r"/: .*'colour' was unexpected"),
        (EVALUATE, lambda body: body["tie_break"].update(colour=1), "/tie_break: .*'colour'"),
        (RANK, lambda body: body["places"][0].update(colour=1), "/places/0: .*'colour'"),
        (EVALUATE, lambda body: body.pop("clause"), '/: "clause" is a required property'),
        (EVALUATE, lambda body: body.update(strength="175"), "/strength: "),
    ],
)
def test_fields(service: Service, path: str, change: Change, message: str) -> None:
    """An unknown field at any depth, a missing one, or one of another type."""
    reply = service.post(path, BODIES[path])
    body = reply.json
    change(body)
    with pytest.raises(ContractViolation, match=message):
        held_to("POST", path, reply, body=json.dumps(body).encode())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"status": 201}, "names 200, 400, 405, 406, 408, 413, 415, 422, 429 alone"),
        ({"status": 500}, "names 200, 400, 405, 406, 408, 413, 415, 422, 429 alone"),
        ({"status": 400}, "the media type is application/json, not application/problem"),
        ({"headers": {"Content-Type": JSON}}, "X-Content-Type-Options should be 'nosniff'"),
        (
            {"headers": {"Content-Type": JSON, "X-Content-Type-Options": "nosniff"}},
            "headers that are missing .*x-request-id",
        ),
    ],
)
def test_status_and_headers(service: Service, changed: dict[str, Any], message: str) -> None:
    """A status or media type that the operation doesn't name, and a missing header."""
    with pytest.raises(ContractViolation, match=message):
        held_to("POST", EVALUATE, service.post(EVALUATE, BODIES[EVALUATE]), **changed)


def test_problems(service: Service) -> None:
    """A problem whose status differs from the response's, or with an unknown field."""
    reply = service.post(EVALUATE, {})
    for change in ({"status": 400}, {"hint": "none"}):
        body = json.dumps({**reply.json, **change}).encode()
        with pytest.raises(ContractViolation):
            held_to("POST", EVALUATE, reply, body=body)


def test_outside_the_contract(service: Service) -> None:
    """An unknown path gets a 404 and an unknown method a 405 with Allow, each as a problem."""
    nowhere, method = service.get("/nowhere"), service.get(EVALUATE)
    assert (nowhere.status, method.status) == (404, 405)
    with pytest.raises(ContractViolation, match="status should be 404"):
        held_to("GET", "/nowhere", service.get("/livez"))
    with pytest.raises(ContractViolation, match="allow"):
        held_to("GET", EVALUATE, method, headers={**nowhere.headers})
    html = {**nowhere.headers, "Content-Type": "text/html"}
    with pytest.raises(ContractViolation, match="the media type should be"):
        held_to("GET", "/nowhere", nowhere, headers=html)


def test_answers_on_the_wire() -> None:
    """All whole responses on a connection are checked, each against its own request."""
    sent = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
    lives, problem = b'{"status":"ok"}', json.dumps(PROBLEM_BODY).encode()
    whole = [on_the_wire(b"200 OK", JSON, lives), on_the_wire(b"404 Not Found", PROBLEM, problem)]
    check_raw(sent, b"".join(whole))
    check_raw(sent, whole[0] + whole[1][:-1])
    with pytest.raises(ContractViolation, match="GET /nowhere was answered 200"):
        check_raw(sent, whole[0] * 2)


PROBLEM_BODY = {
    "type": "/problems/not-found",
    "title": "Not found",
    "status": 404,
    "detail": "There is nothing at this path. /v1/variants lists the variants and their links; "
    "/openapi.yaml describes every path.",
    "instance": "/nowhere",
}


def on_the_wire(status: bytes, media_type: str, body: bytes) -> bytes:
    """A response as bytes."""
    headers = b"X-Request-ID: a\r\nX-Content-Type-Options: nosniff"
    head = b"HTTP/1.1 %s\r\nContent-Type: %s\r\n%s" % (status, media_type.encode(), headers)
    return b"%s\r\nContent-Length: %d\r\n\r\n%s" % (head, len(body), body)
