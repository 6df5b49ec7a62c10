"""What `/play` serves: its files, their headers and their size. No browser is needed."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from service.page import SERVED, STATIC
from tests.live import Service, running

LARGEST = 80_000
"""The most bytes of the page and all its files together, compressed."""


def test_the_page_loads_nothing_from_elsewhere(service: Service) -> None:
    """The policy of the page allows scripts, styles and requests of its own, and nothing inline."""
    reply = service.get("/play")
    assert reply.status == 200
    assert reply.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
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
    assert reply.headers["Cache-Control"] == ("public, max-age=31536000, immutable, no-transform")
    assert reply.headers["Content-Type"].startswith("text/javascript")
    other = service.get("/play/0123/main.js")
    assert other.headers["Cache-Control"] == "no-cache, no-transform"
    for unknown in ("/play/0123/none.js", "/play/0123/../view.py", "/play/0123/index.html"):
        assert service.get(unknown).status == 404


def test_size(service: Service) -> None:
    """The page and all its files together are at most 80 KB, compressed as they are sent."""
    files = [each.relative_to(STATIC) for each in STATIC.rglob("*") if each.suffix in SERVED]
    paths = ["/play", *(f"/play/any/{each}" for each in files)]
    sizes = {path: len(service.get(path, Accept_Encoding="gzip").body) for path in paths}
    assert sum(sizes.values()) <= LARGEST, sizes


def test_files_are_sent_as_they_are(service: Service) -> None:
    """Each file is the one in the repository, byte for byte: nothing rewrites what runs."""
    for path in STATIC.rglob("*"):
        if path.suffix in SERVED:
            name = path.relative_to(STATIC).as_posix()
            assert service.get(f"/play/any/{name}").body == path.read_bytes(), name


def test_vendored_libraries() -> None:
    """Each library in the page is the one that the list names, byte for byte."""
    folder = STATIC / "vendor"
    listed = dict(
        re.findall(r"^\| `(\S+)` .* `(\w{64})` \|$", (folder / "VENDORED.md").read_text(), re.M)
    )
    assert listed == {
        each.name: sha256(each.read_bytes()).hexdigest() for each in folder.glob("*.js")
    }


def test_languages() -> None:
    """Each language has all texts that English has, with the same values in braces. What the
    catalogue names in English has names in the other languages besides.
    """
    files = sorted((STATIC / "texts").glob("*.js"))
    texts = {path.stem: _texts(path) for path in files}
    english = texts.pop("en")
    assert len(english) > 100
    for other in texts.values():
        more = {key: values for key, values in other.items() if key not in english}
        assert other == {**english, **more}
        assert {key.partition(".")[0] for key in more} <= {"name", "die", "rule"}
        assert not any(more.values())


def _texts(path: Path) -> dict[str, list[str]]:
    """The keys of the texts, each with its values."""
    groups = re.findall(r"^  (\w+): \{\n(.*?)^  \},$", path.read_text(), re.M | re.S)
    return {
        f"{group}.{key}": sorted(set(re.findall(r"\{(\w+)\}", text)))
        for group, lines in groups
        for key, text in re.findall(r'^    "?([\w.]+)"?: "(.*)",$', lines, re.M)
    }


def test_without_the_page() -> None:
    """`PLAY=off` leaves the page out; `/` then leads browsers to the contract, too."""
    with running(PLAY="off") as service:
        assert service.ask_unchecked("GET", "/play").status == 404
        reply = service.get("/", Accept="text/html")
        assert (reply.status, reply.headers["Location"]) == (302, "docs")
