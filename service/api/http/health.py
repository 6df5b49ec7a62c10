"""Whether the process responds, and whether it is ready for requests; its release and commit."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from flask import Response, current_app, request

from service import __version__
from service.api.http.bodies import json_response, require_acceptable
from service.api.http.loop import leave_loop
from service.api.http.problems import Problem
from service.api.http.request_id import ENVIRON, TracedFlask
from service.api.http.work import Work
from service.sessions.store.failures import StoreUnavailable, cause_of

READY = "/readyz"
PATHS = ("/livez", READY)
"""What is asked by whoever decides whether to restart the service, however much it has to do."""

RETRY_SECONDS = 1


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
        if "store" in request.args:
            leave_loop()
            try:
                warning = check_store()
            except StoreUnavailable as error:
                current_app.logger.warning(
                    "request %s: not ready: %s", request.environ[ENVIRON], error
                )
                raise _not_ready(error) from None
        said = {"warning": f"The store of sessions {warning}."} if warning else {}
        return json_response({"status": "ok", **release, **said})

    app.add_url_rule("/livez", "livez", alive, methods=["GET"])
    app.add_url_rule(READY, "readyz", ready, methods=["GET"])
    app.work["GET", READY] = Work.STORE  # with `?store`; others are brief


def _not_ready(error: StoreUnavailable) -> Problem:
    """The problem. The client's errors name hosts, so it has the cause in other words."""
    why = cause_of(error.__cause__)[0] if error.__cause__ else error
    return Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        f"The store of sessions {why}.",
        {"Retry-After": str(RETRY_SECONDS)},
    )
