"""Rate limits of clients, over HTTP."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping

import pytest

from service.api.rate_limit import FREE
from service.settings import METRICS_PATH as METRICS
from tests.api.batch.batching import NDJSON
from tests.api.causes import Said
from tests.api.sessions.playing import PATH as SESSIONS
from tests.contract.openapi import Contract, answer, operations
from tests.live import PROBLEM, Reply, Service, running

EVALUATE = "/v1/variants/poker-dice/evaluate"
ROLL = {"dice": [1, 2, 3, 4, 6]}
HARD = {"rolls": [[*(f"{rank}s" for rank in "2346789JQKA"), "5h", "Th"]]}
"""A turn that takes some hundredths of a second to search."""

QUOTA = 3000


@pytest.fixture(scope="module")
def limited() -> Iterator[Service]:
    """A service with two workers, in which every client has 60 units a minute."""
    with running(RATE_LIMIT="60", WEB_CONCURRENCY="2", TRUSTED_PROXIES="127.0.0.1") as service:
        yield service


@pytest.fixture(scope="module")
def generous() -> Iterator[Service]:
    """A service in which every client has units for some expensive requests."""
    with running(RATE_LIMIT=str(QUOTA), TRUSTED_PROXIES="127.0.0.1") as service:
        yield service


def ask(service: Service, client: str, path: str = EVALUATE, body: object = ROLL) -> Reply:
    """A request that a proxy forwards for `client`."""
    return service.post(path, body, X_Forwarded_For=client)


def left(reply: Reply) -> int:
    """The units that the headers of a response say are left."""
    quota = re.fullmatch(r'"requests";q=(\d+);w=60', reply.headers["RateLimit-Policy"])
    found = re.fullmatch(r'"requests";r=(\d+);t=[1-9]\d*', reply.headers["RateLimit"])
    assert quota
    assert found
    assert int(found[1]) < int(quota[1])
    return int(found[1])


def test_off(service: Service) -> None:
    """Without the setting, there are no limits and no headers."""
    assert not {"RateLimit", "RateLimit-Policy"} & service.post(EVALUATE, ROLL).headers.keys()


def test_used_up(limited: Service) -> None:
    """A client gets so many responses a minute, from all workers together; then it is told when to
    come again. Others have their own units. Whoever asks for the health of a process needs none,
    but metrics and questions to the store cost as much as all else.
    """
    began = time.monotonic()
    replies = [ask(limited, "203.0.113.1")]
    while replies[-1].status == 200:
        replies.append(ask(limited, "203.0.113.1"))
    refilled = time.monotonic() - began
    assert 60 <= len(replies) - 1 <= 61 + refilled
    refused = replies[-1]
    assert (refused.status, refused.headers["Content-Type"]) == (429, PROBLEM)
    assert refused.headers["Retry-After"] == "1"
    assert refused.headers["RateLimit"] == '"requests";r=0;t=1'
    assert refused.headers["RateLimit-Policy"] == '"requests";q=60;w=60'
    assert left(ask(limited, "203.0.113.2")) == 59
    for path in FREE:
        reply = limited.get(path, X_Forwarded_For="203.0.113.1")
        assert (reply.status, "RateLimit" in reply.headers) == (200, False)
    for path, client in ((METRICS, "203.0.113.5"), ("/readyz?store", "203.0.113.6")):
        assert left(limited.get(path, X_Forwarded_For=client)) < 60


RATE_LIMITED = Said(
    "rate-limited",
    429,
    "You have used up your 60 units a minute. A request costs one unit, and one more for each "
    "millisecond that it computes. Try again in 1 s.",
)


def test_what_it_says(limited: Service) -> None:
    """A client without units gets a problem in its language."""

    def ask_without_units(more: Mapping[str, str]) -> Reply:
        while True:  # there is another one each second
            reply = limited.post(EVALUATE, ROLL, X_Forwarded_For="203.0.113.8", **more)
            if reply.status != 200:
                return reply

    RATE_LIMITED.check(ask_without_units, EVALUATE)


@pytest.mark.fault
def test_free_for_browsers() -> None:
    """A preflight needs no unit: a page can't know before that there is a limit. Nor does a request
    for the methods of the service. Other OPTIONS do.
    """
    asked = {"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}
    settings = {"RATE_LIMIT": "60", "ALLOW_ORIGINS": "https://game.example"}
    with running(**settings) as service:
        for path, headers, free in (
            (EVALUATE, asked, True),
            ("*", {}, True),
            (EVALUATE, {"Origin": "https://game.example"}, False),
            (EVALUATE, {**asked, "Origin": "https://other.example"}, False),
        ):
            reply = service.ask_unchecked("OPTIONS", path, headers=headers)
            assert reply.status in (200, 204)
            assert ("RateLimit" not in reply.headers) is free


def test_every_operation(limited: Service, contract: Contract) -> None:
    """A client without units gets the same problem from every operation, whatever it sends."""
    for path, method, operation in operations(contract):
        if path == "/livez":
            assert "429" not in operation["responses"]
            continue
        said = answer(contract, operation, 429)["content"][PROBLEM]["examples"]["rate_limited"][
            "value"
        ]
        path = path.format(session_id="0" * 22, variant="poker-dice")
        asked = "/readyz?store" if path == "/readyz" else path
        reply = limited.ask(method, asked, headers={"X-Forwarded-For": "203.0.113.3"})
        while reply.status != 429:
            reply = limited.ask(method, asked, headers={"X-Forwarded-For": "203.0.113.3"})
        # on a slow machine some of them take several units, so that the client owes some
        detail = said["detail"].replace("in 1 s", f"in {reply.headers['Retry-After']} s")
        assert "in 1 s" in said["detail"]
        assert reply.json == {**said, "detail": detail, "instance": path}


def test_forged(limited: Service) -> None:
    """What a client writes into X-Forwarded-For itself gets it no further units, nor does another
    address in its IPv6 network.
    """
    for first, more in (
        ("203.0.113.4", "198.51.100.{}, 203.0.113.4"),
        ("2001:db8::1", "2001:db8::1:{}"),
    ):
        began = time.monotonic()
        assert left(ask(limited, first)) == 59
        others = [left(ask(limited, more.format(number))) for number in range(10)]
        assert others[-1] <= 49 + time.monotonic() - began  # a unit comes back each second


@pytest.mark.fault
def test_no_trusted_proxy() -> None:
    """Without trusted proxies, X-Forwarded-For means nothing."""
    with running(RATE_LIMIT="60") as service:
        statuses = [ask(service, f"203.0.113.{number}").status for number in range(200)]
    assert {*statuses} == {200, 429}


@pytest.mark.fault
def test_costs(generous: Service) -> None:
    """A look-up costs a unit. A hard crossword costs more, also in a batch, and so does a long body
    that is refused.
    """
    hard = "/v1/variants/roll-a-royal"
    assert left(ask(generous, "203.0.113.11")) == QUOTA - 1
    assert left(ask(generous, "203.0.113.12", f"{hard}/evaluate", HARD)) < QUOTA - 5
    headers = {"Content-Type": NDJSON, "X-Forwarded-For": "203.0.113.13"}
    lines = b"".join(json.dumps(HARD).encode() + b"\n" for _ in range(5))
    assert generous.ask("POST", f"{hard}/batch", lines, headers).status == 200
    assert left(ask(generous, "203.0.113.13")) < QUOTA - 10
    refused = ask(generous, "203.0.113.14", EVALUATE, {"dice": [7] * 300_000})
    assert (refused.status, left(refused) < QUOTA - 1) == (422, True)


def test_debts(limited: Service) -> None:
    """A request that costs more than a client has is answered, but the next has to wait longer."""
    batch = b"".join(json.dumps(HARD).encode() + b"\n" for _ in range(20))
    headers = {"Content-Type": NDJSON, "X-Forwarded-For": "203.0.113.7"}
    reply = limited.ask("POST", "/v1/variants/roll-a-royal/batch", batch, headers)
    assert reply.status == 200
    refused = ask(limited, "203.0.113.7")
    assert (refused.status, int(refused.headers["Retry-After"]) > 1) == (429, True)
    assert refused.headers["RateLimit"] == f'"requests";r=0;t={refused.headers["Retry-After"]}'


def test_sessions(limited: Service) -> None:
    """Requests to sessions are charged, too."""
    game = {"variant": "dice-poker", "players": ["ann"]}
    began = time.monotonic()
    replies = [ask(limited, "203.0.113.15", SESSIONS, game) for _ in range(10)]
    assert [reply.status for reply in replies] == [201] * 10
    assert left(replies[-1]) <= 50 + time.monotonic() - began  # a unit comes back each second
