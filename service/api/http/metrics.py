"""`/metrics`: on the port of the service, or on a port of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from flask import Response

from service import __version__
from service.api.http.bodies import quality
from service.api.http.request_id import TracedFlask
from service.metrics.declared import BUILD, SESSIONS, TABLES
from service.metrics.instruments import CONTENT_TYPES, Read, exposition
from service.settings import Settings
from service.tables import serving

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def register(app: TracedFlask, path: str, read: Callable[[], Read]) -> None:
    """Adds the metrics to `app`; `read` reads those that nobody counts meanwhile."""

    def metrics() -> Response:
        media_type = max(CONTENT_TYPES, key=quality)  # the first one, if neither is accepted
        body = exposition(media_type, read())
        return Response(body, content_type=CONTENT_TYPES[media_type])

    app.add_url_rule(path, "metrics", metrics, methods=["GET"])


def readings(settings: Settings, sessions: Callable[[], int | None]) -> Read:
    """What is only known when somebody asks for it; `sessions` counts those in the store."""
    made, failed = serving.made_and_failed(settings)
    alive = sessions()
    return {
        SESSIONS: {} if alive is None else {(): alive},
        TABLES: {("made",): made, ("failed",): failed},
        BUILD: {(__version__, settings.commit): 1},
    }


def on_port(own: WSGIApplication, port: int, other: WSGIApplication) -> WSGIApplication:
    """Requests to `port` go to `other`, all others to `own`."""

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        app = other if environ["SERVER_PORT"] == str(port) else own
        return app(environ, start_response)

    return respond
