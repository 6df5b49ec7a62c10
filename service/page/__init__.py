"""The page at `/play`, where people play, score and verify games in a browser.

Nothing that it loads comes from another host.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Response, abort

from service.api.http.bodies import require_acceptable
from service.api.http.conditional import Constant
from service.api.http.request_id import TracedFlask
from service.page.texts import NAME, TEXTS, all_texts, decoded
from service.rules.variant import Variant

FILE = "/play/<folder>/<path:name>"
"""The route of the files that the page loads."""

WORKER = "/play/worker.js"
"""The route of the service worker, which keeps the page for times without a network."""

STATIC = Path(__file__).parent / "static"

SERVED = (".css", ".js", ".json", ".png", ".svg", ".webmanifest")
"""The endings of the files that browsers may load."""

_PROTECTION = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
"""The headers that protect the page, which holds the tokens of sessions. Nothing in it is inline,
and no other site can frame it or keep a handle of its window."""


_BEYOND = {"Service-Worker-Allowed": "../play"}
"""What lets the worker serve the page, which is not below it (Service Workers, 6.1)."""


def register(app: TracedFlask, variants: Sequence[Variant]) -> None:
    """Adds the page and its files to `app`, with the texts for the games `variants`.

    The files are in a folder that is named for the digest of all of them, so that modules import
    each other by relative paths, and browsers can keep them.
    """
    files = contents(variants)
    version = _digest(files)
    text = (STATIC / "index.html").read_text().replace("  <!-- languages -->\n", _links(files))
    text = text.replace('"play/', f'"play/{version}/')
    page = Constant(text.encode(), "text/html; charset=utf-8")

    worker = Constant(_worker(version, files), "text/javascript; charset=utf-8")

    @cache
    def constant(name: str) -> Constant:
        return Constant.of_file(name, files[name])

    for path in ("/play", WORKER, FILE):
        app.query["GET", path] = None

    @app.get("/play")
    def play() -> Response:
        require_acceptable("text/html")
        response = page.respond()
        response.headers.update(_PROTECTION)
        return response

    @app.get(WORKER)
    def service_worker() -> Response:
        response = worker.respond()
        response.headers.update(_PROTECTION | _BEYOND)
        return response

    @app.get(FILE)
    def file(folder: str, name: str) -> Response:
        if name not in files:
            abort(404)
        return constant(name).respond(long_lived=folder == version)


def contents(variants: Sequence[Variant]) -> Mapping[str, bytes]:
    """The files that the page loads, by name: those in the folder, and texts in each language."""
    paths = [each for each in STATIC.rglob("*") if each.suffix in SERVED and each.parent != TEXTS]
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in paths}
    return files | {f"texts/{code}.json": each for code, each in all_texts(variants).items()}


def _links(files: Mapping[str, bytes]) -> str:
    """The elements that name each language of the page, and where its texts are."""
    names = {name: decoded(files[name])[NAME] for name in files if name.startswith("texts/")}
    return "".join(
        f'  <link rel="alternate" type="application/json" hreflang="{Path(name).stem}" '
        f'title="{language}" href="play/{name}">\n'
        for name, language in names.items()
    )


def _worker(version: str, files: Iterable[str]) -> bytes:
    """The service worker, which begins with the version and the names of the files."""
    release = json.dumps({"version": version, "files": sorted(files)})
    own = (Path(__file__).parent / "worker.js").read_text()
    return f"const RELEASE = {release};\n{own}".encode()


def _digest(files: Mapping[str, bytes]) -> str:
    """The digest of all names and contents."""
    parts = (f"{name} {sha256(files[name]).hexdigest()}\n" for name in sorted(files))
    return sha256("".join(parts).encode()).hexdigest()[:16]
