"""What operators ask for: whether the process responds and is ready, and its metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from flask import Response, current_app, request

from service import __version__
from service.api.http.bodies import json_response, quality, require_acceptable
from service.api.http.causes import Cause
from service.api.http.request_id import ENVIRON, TracedFlask
from service.api.http.work import Work, leave_loop
from service.metrics.declared import BUILD, SESSIONS, TABLES
from service.metrics.instruments import CONTENT_TYPES, Read, exposition
from service.sessions.store.failures import StoreUnavailable, cause_of
from service.settings import Settings
from service.tables import serving

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

READY = "/readyz"
STORE = "store"
PATHS = ("/livez", READY)
"""What is asked by whoever decides whether to restart the service, however much it has to do."""

RETRY_SECONDS = "1"


def register(app: TracedFlask, commit: str, check_store: Callable[[], str]) -> None:
    """Adds `/livez` and `/readyz` to `app`.

    A process that responds is ready; `/readyz` names its release. `/readyz?store` is for those who
    need sessions: it also calls `check_store`, which returns a warning or "".
    """
    release = {"version": __version__, **({"commit": commit} if commit else {})}

    def alive() -> Response:
        require_acceptable()
        return json_response({"status": "ok"})

    def ready() -> Response:
        require_acceptable()
        warning = ""
        if STORE in request.args:
            leave_loop()
            try:
                warning = check_store()
            except StoreUnavailable as error:
                current_app.logger.warning(
                    "request %s: not ready: %s", request.environ[ENVIRON], error
                )
                # the client's errors name hosts, so the problem has the cause in other words
                why = cause_of(error.__cause__)[0] if error.__cause__ else str(error)
                raise Cause.NO_STORE.problem({"Retry-After": RETRY_SECONDS}, message=why) from None
        said = {"warning": f"The store of sessions {warning}."} if warning else {}
        return json_response({"status": "ok", **release, **said})

    app.add_url_rule("/livez", "livez", alive, methods=["GET"])
    app.add_url_rule(READY, "readyz", ready, methods=["GET"])
    app.query["GET", READY] = frozenset((STORE,))
    app.work["GET", READY] = Work.STORE  # with `?store`; others are brief


def register_metrics(app: TracedFlask, path: str, read: Callable[[], Read]) -> None:
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
