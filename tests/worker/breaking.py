"""The service with views and a logger that break, and views that wait to be released."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from threading import Event
from typing import TYPE_CHECKING, Any

from flask import Response, request
from gunicorn.glogging import Logger

from service.api.http.request_id import ENVIRON, TracedFlask
from service.api.http.work import Work, leave_loop
from service.app import create_app
from service.worker.hooks import IN_LOOP

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

ERRORS: dict[str, type[BaseException]] = {
    each.__name__: each
    for each in (RuntimeError, OSError, MemoryError, SystemExit, KeyboardInterrupt, GeneratorExit)
}
WORK = {work.name: work for work in Work}

HELD_BYTES = 1 << 17
"""How much a view that waits has sent before."""

OUTSIDE = "/break/outside"
"""The app fails for this path outside of Flask."""

LEAVING = "/leave"
"""A brief path that leaves the loop. The response has what the app got each time: whether it was in
the loop, and the body.
"""

UNLOGGED = "/break/log"
"""The access log breaks for paths that begin so."""


class Breaking:
    """What raises an error while it is iterated over, or when it is closed."""

    def __init__(self, error: str, when: str) -> None:
        self._error, self._when = ERRORS[error], when

    def __iter__(self) -> Iterator[bytes]:
        yield b"begun"
        if self._when == "part":
            raise self._error

    def close(self) -> None:
        """The end of the response."""
        if self._when == "close":
            raise self._error


class BreakingLogger(Logger):
    """Logs no request for `UNLOGGED`."""

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Logs a request."""
        if environ["RAW_URI"].startswith(UNLOGGED):
            raise SystemExit
        super().access(resp, req, environ, request_time)


def create() -> TracedFlask:
    """The app: `/break/{work}/{when}/{error}` raises an error in a thread for that work.

    `/hold/{work}` sends `HELD_BYTES`, and waits in its thread for `/release/{work}`, which needs
    no thread.
    """
    app = create_app()
    for work in WORK:
        _add_held(app, work)
    for work in WORK:
        for when in ("view", "part", "close"):
            for error in ERRORS:
                path = f"/break/{work}/{when}/{error}"

                def view(when: str = when, error: str = error) -> Response:
                    if when == "view":
                        raise ERRORS[error]
                    return Response(Breaking(error, when))

                app.add_url_rule(path, path, view)
                app.work["GET", path] = WORK[work]
    app.brief_paths |= {f"/break/ORDINARY/view/{error}" for error in ERRORS}
    app.add_url_rule(UNLOGGED, UNLOGGED, lambda: Response("done"), methods=["GET", "POST"])
    app.work["POST", UNLOGGED] = Work.BATCH
    _add_leaving(app)
    inner = app.inner

    def fail_outside(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == OUTSIDE:
            raise ValueError(f"{environ[ENVIRON]} is broken")
        return inner(environ, start_response)

    app.inner = fail_outside
    return app


def _add_leaving(app: TracedFlask) -> None:
    called: list[tuple[bool, str]] = []

    def leave() -> Response:
        called.append((request.environ[IN_LOOP], request.get_data(as_text=True)))
        leave_loop()
        return Response(json.dumps(called))

    app.add_url_rule(LEAVING, LEAVING, leave, methods=["POST"])
    app.brief_paths |= {LEAVING}


def _add_held(app: TracedFlask, work: str) -> None:
    released = Event()

    def hold() -> Response:
        released.clear()

        def parts() -> Iterator[bytes]:
            yield bytes(HELD_BYTES)
            assert released.wait(60)

        return Response(parts())

    def release() -> Response:
        released.set()
        return Response("released")

    app.add_url_rule(f"/hold/{work}", f"/hold/{work}", hold)
    app.work["GET", f"/hold/{work}"] = WORK[work]
    app.add_url_rule(f"/release/{work}", f"/release/{work}", release)
    app.brief_paths |= {f"/release/{work}"}
    app.add_url_rule(f"/just/{work}", f"/just/{work}", lambda: Response(work))
    app.work["GET", f"/just/{work}"] = WORK[work]
