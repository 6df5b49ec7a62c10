"""Whether the process responds, and whether it is ready for requests."""

from __future__ import annotations

from flask import Flask, Response

from service.api.http.bodies import json_response, require_acceptable


def register(app: Flask) -> None:
    """Adds `/livez` and `/readyz` to `app`."""
    for name in ("livez", "readyz"):
        app.add_url_rule(f"/{name}", name, _healthy, methods=["GET"])


def _healthy() -> Response:
    """Liveness and readiness: a process that responds is ready."""
    require_acceptable()
    return json_response({"status": "ok"})
