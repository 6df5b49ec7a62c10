"""Requests that nearly fit: a slash too many, a game, an operation or a parameter that isn't there,
another method.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.variants import variants
from tests.api.sessions.playing import make
from tests.contract.openapi import Contract, answer, found, operations
from tests.live import JSON, PROBLEM, Service
from tests.metrics.scrapes import scraped, value
from tests.problems import problem

VARIANTS = "/v1/variants"
EVALUATE = f"{VARIANTS}/poker-dice/evaluate"
ROLL = json.dumps({"dice": [1, 2, 3, 4, 6]}).encode()

ACTIONS = "/v1/sessions/{session_id}/actions"

PAGES = {"/": 302, "/docs": 200, "/play": 200}
"""The paths that ignore unknown parameters of their query, and their statuses."""


@pytest.mark.parametrize(
    ("method", "target", "place"),
    [
        ("GET", f"{VARIANTS}/", "../variants"),
        ("HEAD", f"{VARIANTS}/", "../variants"),
        ("GET", f"{VARIANTS}/poker-dice/", "../poker-dice"),
        ("POST", f"{EVALUATE}/", "../evaluate"),
        ("POST", f"{EVALUATE}/?x=%20&x", "../evaluate?x=%20&x"),
        ("GET", "/readyz/?store", "../readyz?store"),
        ("GET", "/docs/", "../docs"),
        ("GET", "/v1/sessions/a%20b/", "../a%20b"),
        ("DELETE", f"{VARIANTS}/", "../variants"),
    ],
)  # fmt: skip
def test_trailing_slash(service: Service, method: str, target: str, place: str) -> None:
    """A path with a trailing slash leads to the one without, with its query, for the same method.

    The URL is relative, for proxies that add a prefix.
    """
    body = ROLL if method == "POST" else None
    reply = service.ask(method, target, body, {"Content-Type": JSON})
    assert (reply.status, reply.headers["Location"], reply.body) == (308, place, b"")
    assert "Content-Type" not in reply.headers


def test_connection_is_kept_after_a_redirect(service: Service) -> None:
    """A client that sent its body to a path with a trailing slash sends it again."""
    asked = "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n"
    heads = [asked.format(path, JSON, len(ROLL)).encode() for path in (f"{EVALUATE}/", EVALUATE)]
    answered = service.send(b"".join(head + ROLL for head in heads))
    assert [part[:3] for part in answered.split(b"HTTP/1.1 ")[1:]] == [b"308", b"200"]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", ["chess/evaluate", "chess/evaluate/", "%F0%9F%8E%B2/rank"])
def test_unknown_variant(service: Service, method: str, path: str) -> None:
    """The problem for an operation of a game that isn't there names those that are."""
    reply = service.ask(method, f"{VARIANTS}/{path}")
    expected = problem(
        404,
        "There is no such variant. The variants are: dice-poker, poker-dice, roll-a-royal, "
        "texas-holdem-dice, yahtzee-deluxe.",
        f"{VARIANTS}/{path}",
    )
    assert (reply.status, reply.headers["Content-Type"], reply.json) == (404, PROBLEM, expected)


@pytest.mark.general
@pytest.mark.parametrize("operation", ["frobnicate", "frobnicate/", "evaluate/all"])
def test_unknown_operation(service: Service, variant: str, operation: str) -> None:
    """The problem for an operation that a game doesn't have names those that it has."""
    path = f"{VARIANTS}/{variant}/{operation}"
    _, *names = service.get(f"{VARIANTS}/{variant}").json["links"]
    reply = service.post(path, {})
    detail = f"{variant} has no such operation. Its operations are: {', '.join(names)}."
    expected = problem(404, detail, path)
    assert (reply.status, reply.headers["Content-Type"], reply.json) == (404, PROBLEM, expected)


def parameters(contract: Contract, operation: dict[str, Any]) -> list[str]:
    """The names of the parameters of the query of `operation`, in alphabetical order."""
    declared = [found(contract, each) for each in operation["parameters"]]
    return sorted(each["name"] for each in declared if each["in"] == "query")


def test_unknown_parameter(service: Service, contract: Contract) -> None:
    """Each operation refuses parameters that the contract doesn't name, and names its own.

    It refuses all of them at once, before anything else is checked. Only actions need a token
    first, as their problem says what is legal.
    """
    asked = [each for each in operations(contract) if each[0] not in (*PAGES, ACTIONS)]
    for path, method, operation in asked:
        target = path.format(session_id="0" * 22, variant="poker-dice")
        known = parameters(contract, operation)
        listed = f"the parameters are {', '.join(known)}" if known else "there are none"
        detail = f"is not a known query parameter; {listed}"
        reply = service.ask(method, f"{target}?colour=red&a%2Fb&colour=")
        expected = problem(
            422,
            f"2 violations; the first: /colour {detail}.",
            target,
            [("/colour", detail), ("/a~1b", detail)],
        )
        assert (reply.status, reply.headers["Content-Type"], reply.json) == (422, PROBLEM, expected)


def test_parameter_given_twice(service: Service) -> None:
    """A parameter that is given several times is refused, beside those that are unknown."""
    target = f"/v1/sessions/{'0' * 22}"
    reply = service.get(f"{target}?wait=1&colour=red&wait=2")
    expected = problem(
        422,
        "2 violations; the first: /wait must be given once.",
        target,
        [
            ("/wait", "must be given once"),
            ("/colour", "is not a known query parameter; the parameters are wait"),
        ],
    )
    assert (reply.status, reply.json) == (422, expected)


def test_unknown_parameter_of_an_action(service: Service) -> None:
    """The problem lists the legal actions, as that of an illegal action."""
    session = make(service, "dice-poker", "ann")
    path = f"/v1/sessions/{session.made['id']}/actions"
    headers = {"Content-Type": JSON, "If-Match": '"1"', **session.bearer()}
    reply = service.ask("POST", f"{path}?wait=20", b'{"action": "roll"}', headers)
    detail = "is not a known query parameter; there are none"
    expected = problem(
        422,
        f"/wait {detail}.",
        path,
        [("/wait", detail)],
        "illegal-action",
        actions=session.made["actions"],
    )
    assert (reply.status, reply.headers["Content-Type"], reply.json) == (422, PROBLEM, expected)
    assert session.delete().status == 204


def test_example_of_an_unknown_parameter(service: Service, contract: Contract) -> None:
    """The problem is that of the example in the contract."""
    examples = answer(contract, contract["paths"][VARIANTS]["get"], 422)["content"][PROBLEM]
    assert examples["examples"]["unknown"]["value"] == service.get(f"{VARIANTS}?colour=red").json


@pytest.mark.parametrize("query", ["", "&", "&&"])
def test_query_without_parameters(service: Service, query: str) -> None:
    """A query may be empty."""
    assert service.get(f"/livez?{query}").json == {"status": "ok"}


@pytest.mark.parametrize("path", PAGES)
def test_pages_ignore_parameters(service: Service, path: str) -> None:
    """Pages and their files ignore parameters: links get some on their way."""
    assert service.get(f"{path}?utm_source=chat").status == PAGES[path]
    assert service.get("/docs/assets/docs.js?utm_source=chat").status == 200


def test_options_ignore_parameters(service: Service) -> None:
    """OPTIONS returns the methods of a path whatever the query is."""
    reply = service.ask("OPTIONS", f"{EVALUATE}?colour=red")
    assert (reply.status, reply.headers["Allow"]) == (200, "OPTIONS, POST")


def test_route_of_refused_queries(service: Service) -> None:
    """The metrics count a request whose query is refused as one of its route."""
    labels = {"route": "/v1/variants/{variant}", "method": "GET", "status": "422"}
    counted = "dice_http_request_duration_seconds_count"
    before = value(scraped(service), counted, **labels)
    assert service.get(f"{VARIANTS}/poker-dice?colour=red").status == 422
    assert value(scraped(service), counted, **labels) == before + 1


@pytest.mark.general
def test_other_methods(service: Service, contract: Contract) -> None:
    """OPTIONS returns the methods of a path, and nothing else; it needs no token. Any other method
    gets a problem that lists them, as the contract says.
    """
    for path, methods in contract["paths"].items():
        target = path.format(session_id="0" * 22, variant=next(iter(variants())))
        own = {"OPTIONS", *map(str.upper, methods), *(["HEAD"] if "get" in methods else [])}
        allowed = ", ".join(sorted(own))
        reply = service.ask("OPTIONS", target)
        assert (reply.status, reply.body, reply.headers["Allow"]) == (200, b"", allowed)
        assert "Content-Type" not in reply.headers
        for method in sorted({"GET", "POST", "PUT", "PATCH", "DELETE"} - own):
            reply = service.ask(method, target)
            detail = f"{method} is not allowed here; allowed: {allowed}."
            found = reply.status, reply.headers["Allow"], reply.json
            assert found == (405, allowed, problem(405, detail, target))
        for operation in methods.values():
            assert set(answer(contract, operation, 405)["headers"]) == {"X-Request-ID", "Allow"}
