"""What it takes to answer a request is known by its route, not by how its path looks."""

from __future__ import annotations

import pytest

from service.api.http.request_id import TracedFlask
from service.api.http.work import Work
from service.app import create_app
from tests.live import Service
from tests.worker.raw import connected, head, last_reply

GAMES = "/v1/variants"
SESSION = "/v1/sessions/aaaaaaaaaaaaaaaaaaaaaa"
BATCH = f"{GAMES}/poker-dice/batch"

LONG = 2_000_000
"""The length of a body that only a batch may have."""


@pytest.fixture(scope="module")
def app() -> TracedFlask:
    """The app."""
    return create_app()


def test_brief_paths(app: TracedFlask) -> None:
    """Evaluating, scoring, advice from a table and the health of the service are brief.

    A list of players may be long, and layouts are searched for.
    """
    assert {path.removeprefix("/v1/variants/") for path in app.brief_paths} == {
        "/livez",
        "/readyz",
        "poker-dice/evaluate",
        "texas-holdem-dice/evaluate",
        "dice-poker/evaluate",
        "dice-poker/score",
        "dice-poker/advise",
        "yahtzee-deluxe/evaluate",
        "yahtzee-deluxe/score",
        "yahtzee-deluxe/advise",
    }


def test_work(app: TracedFlask) -> None:
    """Batches, advice and sessions are no ordinary requests; advice in a session waits for it."""
    games = [f"{rule}".split("/")[3] for rule in app.url_map.iter_rules() if "/batch" in f"{rule}"]
    assert len(games) == 5
    scored = ("dice-poker", "yahtzee-deluxe")
    expected = {
        **{("POST", f"{GAMES}/{game}/batch"): Work.BATCH for game in games},
        **{("POST", f"{GAMES}/{game}/advise"): Work.ADVICE for game in games},
        **{("POST", f"{GAMES}/{game}/choose"): Work.ADVICE for game in games},
        **{("POST", f"{GAMES}/{game}/forecast"): Work.ADVICE for game in games},
        **{("POST", f"{GAMES}/{game}/review"): Work.ADVICE for game in scored},
        ("POST", "/v1/sessions"): Work.STORE,
        ("GET", "/v1/sessions/<session_id>"): Work.STORE,
        ("DELETE", "/v1/sessions/<session_id>"): Work.STORE,
        ("POST", "/v1/sessions/<session_id>/actions"): Work.STORE,
        ("GET", "/v1/sessions/<session_id>/events"): Work.STORE,
        ("POST", "/v1/sessions/<session_id>/joined"): Work.STORE,
        ("GET", "/v1/sessions/<session_id>/advice"): Work.STORE_ADVICE,
        ("GET", "/v1/sessions/<session_id>/forecast"): Work.STORE_ADVICE,
        ("GET", "/v1/sessions/<session_id>/review"): Work.STORE_ADVICE,
        ("GET", "/v1/sessions/<session_id>/result"): Work.STORE,
        ("GET", "/v1/sessions/<session_id>/sheet"): Work.STORE,
        ("GET", "/readyz"): Work.STORE,
    }
    assert app.work == expected
    for (method, rule), work in expected.items():
        path = rule.replace("<session_id>", "a" * 22)
        assert app.work_of(method, path) is app.work_of(method, f"/{path}") is work
        if method == "GET":
            assert app.work_of("HEAD", path) is work


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/nope/batch"),
        ("POST", f"{BATCH}/"),
        ("POST", f"{SESSION}/batch"),
        ("GET", BATCH),
        ("OPTIONS", BATCH),
        ("POST", f"{GAMES}/nope/advise"),
        ("POST", f"{GAMES}/poker-dice/review"),
        ("POST", "/nope/review"),
        ("POST", f"{SESSION}/advice"),
        ("GET", "/v1/sessionsandmore"),
        ("GET", f"{SESSION}/nope"),
        ("OPTIONS", SESSION),
        ("GET", "/\xff"),
        ("OPTIONS", "*"),
        ("NOPE", ""),
    ],
)
def test_ordinary(app: TracedFlask, method: str, path: str) -> None:
    """What no route of the kind gets is ordinary, whatever its path ends or begins with."""
    assert app.work_of(method, path) is Work.ORDINARY


@pytest.mark.parametrize("path", [BATCH, f"//{BATCH}", BATCH.replace("batch", "b%61tch")])
def test_the_body_of_a_batch(service: Service, path: str) -> None:
    """A batch may have a long body, however its path is spelled."""
    with connected(service) as client:
        client.send(head("POST", path, f"Content-Length: {LONG}", "Expect: 100-continue"))
        assert client.socket.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/nope/batch", 404),
        ("POST", f"{SESSION}/batch", 404),
        ("POST", f"{BATCH}/", 308),
        ("PUT", BATCH, 405),
        ("GET", BATCH, 405),
        ("OPTIONS", BATCH, 200),
    ],
)
def test_what_is_no_batch(service: Service, method: str, path: str, status: int) -> None:
    """What is no batch has its answer at once, without its long body."""
    reply = last_reply(service, head(method, path, f"Content-Length: {LONG}"), method)
    assert (reply.status, reply.headers["Connection"]) == (status, "close")
