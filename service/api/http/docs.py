"""`/docs`, and the contract in its two forms. The page loads nothing from other hosts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path

import flask_swagger_ui
from flask import Response, abort, request

from service.api.http.bodies import JSON, empty_response, require_acceptable
from service.api.http.conditional import Constant
from service.api.http.request_id import TracedFlask

YAML = "application/yaml"

ASSET = "/docs/assets/<name>"
"""The route of the files that the page loads."""

_OWN = Path(__file__).parent / "static"
_SWAGGER_UI = Path(flask_swagger_ui.__file__).parent / "dist"
_ASSETS = {
    "docs.css": _OWN,
    "docs.js": _OWN,
    "favicon-32x32.png": _SWAGGER_UI,
    "swagger-ui-bundle.js": _SWAGGER_UI,
    "swagger-ui.css": _SWAGGER_UI,
}
_PROTECTION = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
"""The headers that protect the page, whose user may have typed in tokens. Swagger UI sets styles
and has images in its CSS. No other site can frame the page or keep a handle of its window."""


FORMS = {"json": JSON, "yaml": YAML}
"""The forms of the contract, with their media types."""

Contract = Mapping[str, bytes]
"""The contract in each of its forms, encoded."""

VARIANT = "variant"
"""The query parameter that names a game, for its contract alone."""


def register(app: TracedFlask, contract_of: Callable[[str | None], Contract], play: bool) -> None:
    """Adds the contract and its page to `app`; with `play`, `/` leads browsers to `/play`.

    `contract_of` returns the contract of the game with an id, or of all games for None. It raises
    `Problem` for an unknown one.
    """

    @cache
    def forms(variant: str | None) -> dict[str, Constant]:
        contract = contract_of(variant)
        return {form: Constant(contract[form], media) for form, media in FORMS.items()}

    forms(None)
    assets = {
        name: Constant.of_file(name, (folder / name).read_bytes())
        for name, folder in _ASSETS.items()
    }
    page = Constant(_page(assets, play), "text/html; charset=utf-8")

    for path in ("/", "/docs", ASSET):
        app.query["GET", path] = None

    @app.get("/")
    def root() -> Response:
        # browsers prefer HTML; others accept it only among all
        browser = request.accept_mimetypes.best_match((JSON, "text/html")) == "text/html"
        place = "play" if play and browser else "docs"
        return empty_response(HTTPStatus.FOUND, {"Location": place, "Vary": "Accept"})

    def respond(form: str) -> Response:
        require_acceptable(FORMS[form])
        return forms(request.args.get(VARIANT))[form].respond()

    for form in FORMS:
        path = f"/openapi.{form}"
        app.add_url_rule(path, path, partial(respond, form), methods=["GET"])
        app.query["GET", path] = frozenset((VARIANT,))

    @app.get("/docs")
    def docs() -> Response:
        require_acceptable("text/html")
        response = page.respond()
        response.headers.update(_PROTECTION)
        return response

    @app.get(ASSET)
    def asset(name: str) -> Response:
        if name not in assets:
            abort(404)
        return assets[name].respond(long_lived=request.args.get("v") == assets[name].digest)


def _page(assets: Mapping[str, Constant], play: bool) -> bytes:
    """The page; the URL of each asset has the digest of its content. Its head leads to `/play`."""
    page = (_OWN / "docs.html").read_text()
    if not play:
        page = re.sub(r" *<header.*\n", "", page)
    for name, asset in assets.items():
        page = page.replace(f'assets/{name}"', f'assets/{name}?v={asset.digest}"')
    return page.encode()
