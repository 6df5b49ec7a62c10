"""What `/play` serves: its files, their headers and their size. No browser is needed."""

from __future__ import annotations

import gzip
import re

from service.page.view import SERVED, STATIC
from tests.live import Service, running

LARGEST = 60_000
"""The most bytes of the page and all its files together, compressed."""


def test_the_page_loads_nothing_from_elsewhere(service: Service) -> None:
    """The policy of the page allows scripts, styles and requests of its own, and nothing inline."""
    reply = service.get("/play")
    assert reply.status == 200
    assert reply.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert reply.headers["Referrer-Policy"] == "no-referrer"
    page = reply.body.decode()
    assert re.search(r"<style|<script>| style=| on\w+=|https?:", page) is None
    for path in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert service.get(f"/{path}").status == 200


def test_browsers_keep_the_files(service: Service) -> None:
    """The files are in a folder named for their contents, and are kept for a year; in a folder of
    another release a cache has to ask. Other names are unknown.
    """
    main = re.findall(r'src="(play/\w+/main\.js)"', service.get("/play").body.decode())[0]
    reply = service.get(f"/{main}")
    assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert reply.headers["Content-Type"].startswith("text/javascript")
    assert service.get("/play/0123/main.js").headers["Cache-Control"] == "no-cache"
    for unknown in ("/play/0123/none.js", "/play/0123/../view.py", "/play/0123/index.html"):
        assert service.get(unknown).status == 404


def test_size() -> None:
    """All files of the page together are at most 60 KB, compressed."""
    files = [each for each in STATIC.rglob("*") if each.suffix in (*SERVED, ".html")]
    sizes = {str(each.relative_to(STATIC)): len(gzip.compress(each.read_bytes())) for each in files}
    assert sum(sizes.values()) <= LARGEST, sizes


def test_without_the_page() -> None:
    """`PLAY=off` leaves the page out; `/` then leads browsers to the contract, too."""
    with running(PLAY="off") as service:
        assert service.ask_unchecked("GET", "/play").status == 404
        reply = service.get("/", Accept="text/html")
        assert (reply.status, reply.headers["Location"]) == (302, "docs")
