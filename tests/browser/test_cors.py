"""A page from another origin plays a session in a real browser, if ALLOW_ORIGINS lets it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.live import JSON, PROBLEM, Service, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGE = Path(__file__).parent / "front_end.html"


class Files(SimpleHTTPRequestHandler):
    """Serves the page, and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Does nothing."""


@pytest.fixture(scope="module")
def page_port() -> Iterator[int]:
    """The port of a server of the page, on 127.0.0.1 and thus an origin of its own."""
    handler = partial(Files, directory=PAGE.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def allowing(page_port: int) -> Iterator[Service]:
    """A service that lets the page play from 127.0.0.1."""
    with running(ALLOW_ORIGINS=f"http://127.0.0.1:{page_port}") as started:
        yield started


def played(browser: Browser, origin: str, service: Service) -> tuple[str, dict[str, Any]]:
    """What the page of `origin` shows after it played on `service`: its result and its report."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{origin}/{PAGE.name}?api=http://127.0.0.1:{service.port}")
        page.wait_for_selector("#report:not(:empty)", state="attached", timeout=120_000)
        report = json.loads(page.locator("#report").inner_text())
        return page.locator("#result").inner_text(), report


def test_a_page_of_another_origin_plays(
    browser: Browser, allowing: Service, page_port: int
) -> None:
    """The page plays a session to its end, which it creates with a key. It reads every response
    with its headers: 304, when to try again, refused actions, and errors from anywhere in the
    service.
    """
    result, report = played(browser, f"http://127.0.0.1:{page_port}", allowing)
    assert {name: response["status"] for name, response in report.items()} == {
        "created": 201,
        "createdAgain": 201,
        "unchanged": 304,
        "illegal": 422,
        "stranger": 401,
        "nowhere": 404,
        "notAllowed": 405,
        "tooLong": 413,
        "first": 200,
        "again": 200,
        "last": 200,
    }, result
    created = report["created"]
    path, tag = created["headers"]["location"], created["headers"]["etag"]
    assert path == f"/v1/sessions/{created['body']['id']}"
    assert tag.startswith('"1-')
    assert created["headers"]["x-request-id"] == "page-1"
    assert report["createdAgain"]["body"] == created["body"]
    assert report["createdAgain"]["headers"]["x-request-id"] == "page-2"
    assert (report["unchanged"]["headers"]["etag"], report["unchanged"]["body"]) == (tag, "")
    for name in ("illegal", "stranger", "nowhere", "notAllowed", "tooLong"):
        assert report[name]["headers"]["content-type"] == PROBLEM
        assert len(report[name]["headers"]["x-request-id"]) == 32
    assert report["illegal"]["body"]["actions"] == [
        {"action": action, "player": player}
        for action, player in (("roll", "ann"), ("leave", "ann"), ("leave", "ben"))
    ]
    assert report["stranger"]["headers"]["www-authenticate"] == "Bearer"
    assert report["stranger"]["body"]["detail"].startswith("A token of the session is needed")
    assert report["nowhere"]["body"]["instance"] == "/v1/session"
    assert report["tooLong"]["body"]["detail"] == "The body may hold at most 1048576 bytes."
    assert report["again"]["body"] == report["first"]["body"]
    assert report["again"]["headers"]["etag"] == report["first"]["headers"]["etag"]
    last = report["last"]
    assert last["headers"]["content-type"] == JSON
    assert last["body"]["state"]["over"] is True
    assert last["body"]["version"] == 2 * 2 * 13 + 1
    assert result == f"Winners: {', '.join(last['body']['state']['winners'])}"


def test_all_origins(browser: Browser, page_port: int) -> None:
    """`*` lets a page from any origin play."""
    with running(ALLOW_ORIGINS="*") as service:
        result, _ = played(browser, f"http://localhost:{page_port}", service)
    assert result.startswith("Winners: ")


def test_other_origins_are_refused(
    browser: Browser, service: Service, allowing: Service, page_port: int
) -> None:
    """The browser refuses calls to a service without ALLOW_ORIGINS, and calls from a page whose
    origin isn't in it: here, the same port under another name.
    """
    refused: tuple[str, dict[str, Any]] = ("TypeError: Failed to fetch", {})
    assert played(browser, f"http://127.0.0.1:{page_port}", service) == refused
    assert played(browser, f"http://localhost:{page_port}", allowing) == refused
