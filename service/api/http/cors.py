"""CORS: pages from other origins may call the service and read its responses (Fetch, 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from service.api.http.languages import vary
from service.api.http.request_id import HEADER, TracedFlask
from service.settings import ANY_ORIGIN, parse_origins

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

ALLOWED_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
"""The methods that a page may send to any path, so that it can read a 404 or a 405."""

ALLOWED_HEADERS = (
    "Authorization",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    HEADER,
)
"""The headers of requests that a page may set, besides those that any page may."""

EXPOSED_HEADERS = (
    "ETag",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    HEADER,
    "WWW-Authenticate",
)
"""The headers of responses that a page may read, besides those that any page may."""

MAX_AGE = 7200
"""How many seconds a browser may reuse the response to a preflight; Chromium's limit."""

_PREFLIGHT = (
    ("Access-Control-Allow-Methods", ", ".join(ALLOWED_METHODS)),
    ("Access-Control-Allow-Headers", ", ".join(ALLOWED_HEADERS)),
    ("Access-Control-Max-Age", str(MAX_AGE)),
)


class Cors:
    """The CORS headers of every response, for the setting ALLOW_ORIGINS: none if it is empty."""

    def __init__(self, allow_origins: str) -> None:
        exposed = ("Access-Control-Expose-Headers", ", ".join(EXPOSED_HEADERS))
        origins = parse_origins(allow_origins) if allow_origins else frozenset()
        by_origin = {
            origin: (("Access-Control-Allow-Origin", origin), exposed) for origin in origins
        }
        self._others = by_origin.pop(ANY_ORIGIN, ())
        self._by_origin = by_origin

    def allows(self, origin: str) -> bool:
        """Whether pages from `origin` may call the service; False if it is empty."""
        return bool(origin and self._by_origin.get(origin, self._others))

    def add_to(self, headers: list[tuple[str, str]], origin: str) -> None:
        """Adds the CORS headers to those of the response to a request from `origin`.

        `origin` is empty if the request has no such header. A response that depends on it says so
        in `Vary`, whoever asks: otherwise a cache would use it for other origins.
        """
        headers.extend(self._by_origin.get(origin, self._others))
        if self._by_origin:
            vary(headers, "Origin")


class CrossOriginFlask(TracedFlask):
    """A `TracedFlask` that adds the headers of `cors` to every response, and handles preflights."""

    def __init__(self, import_name: str, cors: Cors, **options: Any) -> None:
        super().__init__(import_name, **options)
        self._cors = cors

    def respond(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Responds to one request, whose id is in `environ`."""
        origin: str = environ.get("HTTP_ORIGIN", "")

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            self._cors.add_to(headers, origin)
            return start_response(status, headers, *error)

        if (
            environ["REQUEST_METHOD"] == "OPTIONS"
            and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
            and self._cors.allows(origin)
        ):
            self.note_route(environ)
            start("204 No Content", [*_PREFLIGHT])
            return ()
        return super().respond(environ, start)
