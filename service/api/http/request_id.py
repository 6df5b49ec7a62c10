"""X-Request-ID: one for every request, the client's own if it sent a usable one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HEADER = "X-Request-ID"

ENVIRON = "dice_scoring.request_id"
"""Where the WSGI environment holds the id of its request."""

_USABLE = re.compile(r"[!-~]{1,128}\Z").match


def request_id(given: str) -> str:
    """The id of a request that came with `given`, or a new one if that can't be used."""
    return given if _USABLE(given) else os.urandom(16).hex()


class TracedFlask(Flask):
    """A Flask app with a request id on every response, which counts its `requests`.

    A client's id that isn't 1 to 128 visible ASCII characters is replaced. This is done around
    Flask and not by its hooks, which take several times as long.
    """

    requests = 0

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The app as WSGI has it."""
        self.requests += 1
        own = environ[ENVIRON] = request_id(environ.get("HTTP_X_REQUEST_ID", ""))

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            headers.append((HEADER, own))
            return start_response(status, headers, *error)

        answer: Iterable[bytes] = super().wsgi_app(environ, start)
        return answer
