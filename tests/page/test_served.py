"""What `/play` serves: its files, their headers and their size. No browser is needed."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from service.page import SERVED, STATIC, contents
from service.page.texts import ENGLISH, NAME, decoded
from service.texts import languages
from service.variants import own_variants
from tests.live import ROOT, Service, running

CONTENTS = contents([*own_variants().values()])
TEXTS: dict[str, str] = json.loads(ENGLISH.read_bytes())

FRENCH = ENGLISH.with_name("fr.json")

LARGEST = 90_000
"""The most bytes of the page and all its files together, compressed."""

LARGEST_ICONS = 10_000
"""The most bytes of the icons that devices load only to install the page."""


def test_the_page_loads_nothing_from_elsewhere(service: Service) -> None:
    """The policy of the page allows scripts, styles and requests of its own, and nothing inline."""
    reply = service.get("/play")
    assert reply.status == 200
    assert reply.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
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


def test_the_service_worker(service: Service) -> None:
    """The worker that keeps the page may serve it, under the policy of the page, and is asked for
    anew each time. It begins with the version of the page and the names of all files.
    """
    reply = service.get("/play/worker.js")
    assert reply.headers["Content-Type"].startswith("text/javascript")
    assert reply.headers["Service-Worker-Allowed"] == "../play"
    assert reply.headers["Cache-Control"] == "no-cache, no-transform"
    page = service.get("/play")
    policy = "Content-Security-Policy"
    assert reply.headers[policy] == page.headers[policy]
    begins, own = reply.body.split(b";\n", 1)
    assert own == (STATIC.parent / "worker.js").read_bytes()
    release = json.loads(begins.removeprefix(b"const RELEASE = "))
    (version,) = set(re.findall(r'"play/(\w+)/', page.body.decode()))
    assert release == {"version": version, "files": sorted(CONTENTS)}


def test_size(service: Service) -> None:
    """The page and all its files together are at most 90 KB, compressed as they are sent: with the
    longest texts of one language, and without the icons of an installed page, at most 10 KB.
    """
    paths = ["/play", *(f"/play/any/{name}" for name in CONTENTS)]
    sizes = {path: len(service.get(path, Accept_Encoding="gzip").body) for path in paths}
    icons = {path for path in sizes if path.endswith(".png")}
    language = {path for path in sizes if "/texts/" in path}
    loaded = sum(sizes[path] for path in sizes.keys() - icons - language)
    assert loaded + max(sizes[path] for path in language) <= LARGEST, sizes
    assert sum(sizes[path] for path in icons) <= LARGEST_ICONS, sizes


def test_files_are_sent_as_they_are(service: Service) -> None:
    """Each file is the one in the repository, byte for byte: nothing rewrites what runs. Texts are
    data: those in English are served in groups.
    """
    assert decoded(CONTENTS["texts/en.json"]) == TEXTS
    for path in STATIC.rglob("*"):
        if path.suffix in SERVED and path.parent != FRENCH.parent:
            name = path.relative_to(STATIC).as_posix()
            assert service.get(f"/play/any/{name}").body == path.read_bytes(), name


@pytest.mark.parametrize("folder", [STATIC / "vendor", ROOT / "tests/page/browser/vendor"])
def test_vendored_libraries(folder: Path) -> None:
    """Each library in the page and in its tests is the one that the list names, byte for byte."""
    listed = dict(
        re.findall(r"^\| `(\S+)` .* `(\w{64})` \|$", (folder / "VENDORED.md").read_text(), re.M)
    )
    assert listed == {
        each.name: sha256(each.read_bytes()).hexdigest() for each in folder.glob("*.js")
    }


def test_texts_of_a_language(service: Service) -> None:
    """The texts in German are those of the catalogue, by the keys of the English ones, and what
    only has an id in words; browsers keep them as they do all files.
    """
    folder = re.findall(r'src="play/(\w+)/main\.js"', service.get("/play").body.decode())[0]
    reply = service.get(f"/play/{folder}/texts/de.json")
    german = decoded(reply.body)
    assert german["home.title"] == "Was spielen wir?"
    assert german["id.turn_seconds"] == "Sekunden pro Zug"
    assert {key for key in german if not key.startswith("id.")} == set(TEXTS)
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Cache-Control"].startswith("public, max-age=31536000")


def test_texts_are_in_use() -> None:
    """Each text is one that the scripts ask for, by its key or by the beginning of keys that they
    put together; and each that they ask for is there.
    """
    scripts = "\n".join(
        path.read_text() for path in STATIC.rglob("*.js") if path.parent.name != "vendor"
    )
    named = {NAME, *re.findall(r'"(\w+\.[\w.]+)"', scripts)}
    begun = tuple(re.findall(r"`(\w+\.(?:\w+\.)*)\$\{", scripts))
    plain = {key: re.sub(r"\.(\d+|one|other)$", "", key) for key in TEXTS}
    unused = [key for key in TEXTS if not {key, plain[key]} & named and not key.startswith(begun)]
    assert unused == []
    asked = set(re.findall(r'\bt\((?:\w+ \? )?"(\w+\.[\w.]+)"', scripts))
    assert len(asked) > 100
    assert asked - {*plain, *plain.values()} == set()


def test_languages(service: Service) -> None:
    """The page offers the languages of the service, and those that have a file of the page alone,
    by the names that they give themselves.
    """
    page = service.get("/play").body.decode()
    listed = re.findall(r'hreflang="(\w+)" title="(\w+)"', page)
    assert listed == [("en", "English"), ("de", "Deutsch"), ("fr", "Français")]
    assert [code for code, _ in listed[:-1]] == list(languages())


def test_a_language_of_the_page_alone() -> None:
    """A file adds a language: it has texts by the keys of the English ones, with the same values;
    what it lacks is in English.
    """
    french = json.loads(FRENCH.read_bytes())
    assert french.keys() <= TEXTS.keys()
    values = {key: {*re.findall(r"\{\w+\}", text)} for key, text in french.items()}
    known = {key: {*re.findall(r"\{\w+\}", TEXTS[key]), "{count}"} for key in french}
    assert [key for key in french if not values[key] <= known[key]] == []
    assert decoded(CONTENTS["texts/fr.json"]) == TEXTS | french


@pytest.mark.fault
def test_without_the_page() -> None:
    """`PLAY=off` leaves the page out; `/` then leads browsers to the contract, too."""
    with running(PLAY="off") as service:
        assert service.ask_unchecked("GET", "/play").status == 404
        reply = service.get("/", Accept="text/html")
        assert (reply.status, reply.headers["Location"]) == (302, "docs")
