"""X-Request-ID: one for every request, the client's own if it sent a usable one."""

from __future__ import annotations

import re
from uuid import uuid4

from flask import Flask, Response, g, request

HEADER = "X-Request-ID"

_USABLE = re.compile(r"[!-~]{1,128}\Z").match


def request_id() -> str:
    """The id of the current request; a client's that isn't 1 to 128 visible ASCII is replaced."""
    found: str | None = g.get("request_id")
    if found is None:
        given = request.headers.get(HEADER, "")
        found = g.request_id = given if _USABLE(given) else uuid4().hex
    return found


def register(app: Flask) -> None:
    """Puts the id on every response of `app`."""

    @app.after_request
    def tell(response: Response) -> Response:
        response.headers[HEADER] = request_id()
        return response
