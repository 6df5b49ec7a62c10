"""`/docs`, and the contract in its two forms. The page loads nothing from other hosts."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import flask_swagger_ui
from flask import Flask, Response, abort

from service.api.http.bodies import JSON, conditional, require_acceptable

YAML = "application/yaml"

_OWN = Path(__file__).parent / "static"
_SWAGGER_UI = Path(flask_swagger_ui.__file__).parent / "dist"
_ASSETS = {
    "docs.js": _OWN,
    "favicon-32x32.png": _SWAGGER_UI,
    "swagger-ui-bundle.js": _SWAGGER_UI,
    "swagger-ui.css": _SWAGGER_UI,
}
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the page. Swagger UI sets styles and has images in its CSS."""


@dataclass(frozen=True)
class Contract:
    """The contract in its two forms, encoded."""

    json: bytes
    yaml: bytes


def register(app: Flask, contract: Contract) -> None:
    """Adds the contract and its page to `app`."""
    html = (_OWN / "docs.html").read_bytes()

    @cache
    def read(name: str) -> tuple[bytes, str]:
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return (_ASSETS[name] / name).read_bytes(), media_type

    @app.get("/openapi.json")
    def openapi_json() -> Response:
        require_acceptable(JSON)
        return conditional(contract.json, JSON)

    @app.get("/openapi.yaml")
    def openapi_yaml() -> Response:
        require_acceptable(YAML)
        return conditional(contract.yaml, YAML)

    @app.get("/docs")
    def docs() -> Response:
        require_acceptable("text/html")
        page = conditional(html, "text/html; charset=utf-8")
        page.headers["Content-Security-Policy"] = _POLICY
        return page

    @app.get("/docs/assets/<name>")
    def asset(name: str) -> Response:
        if name not in _ASSETS:
            abort(404)
        return conditional(*read(name))
