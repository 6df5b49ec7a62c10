"""X-Request-ID: one for every request, the client's own if it sent a usable one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from service.api.http.languages import say_language
from service.api.http.query import require_known
from service.api.http.work import Work
from service.worker import hooks

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask.typing import ResponseReturnValue
    from werkzeug.routing import MapAdapter

HEADER = "X-Request-ID"

NOSNIFF = ("X-Content-Type-Options", "nosniff")
"""A header of every response: browsers take its media type as it is. Otherwise they could take what
a client sent, and a problem repeats, for a page."""

ENVIRON = hooks.REQUEST_ID
"""Where the WSGI environment holds the id of its request; the server may have set it."""

ROUTE = "dice_scoring.route"
"""Where the WSGI environment holds the path of the view, with its variables, once it is found."""

VARIANT = "dice_scoring.variant"
"""Where the WSGI environment holds the variant of a session, once it is known."""

_USABLE = re.compile(r"[!-~]{1,128}\Z").match


def request_id(header: str) -> str:
    """`header` if it can be used as the id of a request, else a random id."""
    return header if _USABLE(header) else os.urandom(16).hex()


class TracedFlask(Flask):
    """A Flask app with the headers of every response, which counts its `requests`.

    Short requests to `brief_paths` may be answered in a loop (see `service.api.http.work`).
    A client's id is used if it has 1 to 128 visible ASCII characters. This wraps Flask instead of
    using its hooks, which take several times as long. `inner` is what it wraps. `work` has the
    methods and routes that aren't ordinary, and `query` the parameters of those that have any; None
    for any parameters: links to pages get some on their way, and files have their version.
    """

    requests = 0
    brief_paths: frozenset[str] = frozenset()

    def __init__(self, import_name: str, **options: Any) -> None:
        super().__init__(import_name, **options)
        self.work: dict[tuple[str, str], Work] = {}
        self.query: dict[tuple[str, str], frozenset[str] | None] = {}
        self.inner: Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]] = super().wsgi_app

    def make_default_options_response(self) -> Response:
        """The empty response to OPTIONS, with `Allow`. Flask's own has the type of a page."""
        response: Response = super().make_default_options_response()
        del response.headers["Content-Type"]
        response.headers["Allow"] = ", ".join(sorted(response.allow))
        return response

    def dispatch_request(self) -> ResponseReturnValue:
        """Calls the view, and notes its route: Flask forgets it before the response has ended."""
        if request.url_rule is not None:
            route = request.environ[ROUTE] = request.url_rule.rule
            if request.environ["QUERY_STRING"] and request.method != "OPTIONS":
                self._check_query(route)
        elif isinstance(request.routing_exception, MethodNotAllowed):
            self.note_route(request.environ)
        return super().dispatch_request()

    def _check_query(self, route: str) -> None:
        """Raises `InvalidInput` for unknown parameters in the query of the current request."""
        method = "GET" if request.method == "HEAD" else request.method
        known = self.query.get((method, route), frozenset())
        if known is not None:
            require_known(known)

    def is_route(self, path: str) -> bool:
        """Whether there is something at `path`."""
        return bool(self._routes.allowed_methods(path))

    def note_route(self, environ: WSGIEnvironment) -> None:
        """Notes the route of a request that no view gets: of another method at the same path."""
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        if path in self._fixed_paths:
            environ[ROUTE] = path
            return
        for method in self._routes.allowed_methods(path):
            rule, _ = self._routes.match(path, method, return_rule=True)
            environ[ROUTE] = rule.rule
            return

    def work_of(self, method: str, path: str) -> Work:
        """What it takes to answer a request, by the route that it gets; `path` is its PATH_INFO."""
        route = f"/{path.lstrip('/')}"  # as Flask has it
        if route not in self._fixed_paths:
            text = path.encode("latin-1").decode(errors="replace")
            try:
                rule, _ = self._routes.match(text, method, return_rule=True)
            except HTTPException:
                return Work.ORDINARY
            route = rule.rule
        return self.work.get(("GET" if method == "HEAD" else method, route), Work.ORDINARY)

    @cached_property
    def _routes(self) -> MapAdapter:
        """Finds routes, none of which depends on the host."""
        return self.url_map.bind("localhost")

    @cached_property
    def _fixed_paths(self) -> frozenset[str]:
        """The paths of all routes that have no variables. The first request comes after the last
        route.
        """
        return frozenset(each.rule for each in self.url_map.iter_rules() if not each.arguments)

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Handles one request (PEP 3333)."""
        self.requests += 1
        if ENVIRON not in environ:
            environ[ENVIRON] = request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        own = environ[ENVIRON]

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            say_language(environ, status, headers)
            headers += ((HEADER, own), NOSNIFF)
            return start_response(status, headers, *error)

        return self.respond(environ, start)

    def respond(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Responds to one request, whose id is in `environ`."""
        if environ.get("PATH_INFO") == "*" and environ["REQUEST_METHOD"] == "OPTIONS":
            methods = {
                method for rule in self.url_map.iter_rules() for method in rule.methods or ()
            }
            allowed = ("Allow", ", ".join(sorted(methods)))
            start_response("200 OK", [allowed, ("Content-Length", "0")])
            return ()
        return self.inner(environ, start_response)
