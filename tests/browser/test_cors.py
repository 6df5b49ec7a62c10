"""A page from another origin plays a session in a real browser, if ALLOW_ORIGINS lets it."""

from __future__ import annotations

import html
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.browser.chromium import CHROMIUM, needs_chromium
from tests.live import JSON, PROBLEM, Service, running

PAGE = Path(__file__).parent / "front_end.html"

pytestmark = needs_chromium


class Files(SimpleHTTPRequestHandler):
    """Serves the page, and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Does nothing."""


@contextmanager
def page_server() -> Iterator[int]:
    """The port of a server of the page, on 127.0.0.1 and thus an origin of its own."""
    handler = partial(Files, directory=PAGE.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def played(origin: str, service: Service, profile: Path) -> tuple[str, dict[str, Any]]:
    """What the page of `origin` shows after it played on `service`: its result and its report."""
    assert CHROMIUM is not None
    drawn = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
            f"--user-data-dir={profile}", "--virtual-time-budget=20000", "--dump-dom",
            f"{origin}/{PAGE.name}?api=http://127.0.0.1:{service.port}",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout  # fmt: skip
    result, report = re.findall(r'id="(?:result|report)">(.*?)</', drawn, re.DOTALL)
    return html.unescape(result), json.loads(html.unescape(report) or "{}")


def test_a_page_of_another_origin_plays(tmp_path: Path) -> None:
    """The page plays a session to its end, which it creates with a key. It reads every response
    with its headers: 304, when to try again, refused actions, and errors from anywhere in the
    service.
    """
    with page_server() as port:
        origin = f"http://127.0.0.1:{port}"
        with running(ALLOW_ORIGINS=origin) as service:
            result, report = played(origin, service, tmp_path)
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
    assert report["illegal"]["body"]["actions"] == [{"action": "roll", "player": "ann"}]
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


def test_all_origins(tmp_path: Path) -> None:
    """`*` lets a page from any origin play."""
    with page_server() as port, running(ALLOW_ORIGINS="*") as service:
        result, _ = played(f"http://localhost:{port}", service, tmp_path)
    assert result.startswith("Winners: ")


def test_other_origins_are_refused(service: Service, tmp_path: Path) -> None:
    """The browser refuses calls to a service without ALLOW_ORIGINS, and calls from a page whose
    origin isn't in it: here, the same port under another name.
    """
    refused: tuple[str, dict[str, Any]] = ("TypeError: Failed to fetch", {})
    with page_server() as port:
        origin = f"http://127.0.0.1:{port}"
        assert played(origin, service, tmp_path / "without") == refused
        with running(ALLOW_ORIGINS=origin) as other:
            elsewhere = f"http://localhost:{port}"
            assert played(elsewhere, other, tmp_path / "unlisted") == refused
