"""Each response is counted, and has a line in gunicorn's access log."""

from __future__ import annotations

import string
from datetime import timedelta
from typing import Any, Protocol
from urllib.parse import quote

from gunicorn.glogging import Logger

from service.worker.connection import Connection
from service.worker.counting import Outcome, count, outcome_of, refused
from service.worker.environ import environ_of
from service.worker.json_log import JsonLogger
from service.worker.refusal import RefusalResponse
from service.worker.request import Request


class LoggedResponse(Protocol):
    """What gunicorn's access log reads from a response."""

    @property
    def status(self) -> str:
        """The code and the reason phrase."""

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Names and values."""

    @property
    def sent(self) -> int:
        """Bytes of the body that were sent."""


def log_access(
    log: Logger,
    response: LoggedResponse,
    request: Request,
    environ: dict[str, Any],
    seconds: float,
) -> None:
    """Counts and logs the app's `response`, which took so many `seconds`."""
    outcome = outcome_of(request.method, environ, response.status)
    _log(log, response, request, environ, outcome, seconds)


def log_refusal(
    log: Logger,
    response: RefusalResponse,
    request: Request,
    connection: Connection,
    seconds: float,
) -> None:
    """Counts and logs the response to a request that never reaches the app.

    Nobody may have parsed its first line, so control characters in it are escaped. What didn't
    arrive is logged as `-`.
    """
    environ = environ_of(request, connection)
    environ["REQUEST_METHOD"] = _printable(request.method) or "-"
    environ["RAW_URI"] = _printable(request.target) or "-"
    outcome = refused(request.method, response.status)
    _log(log, response, request, environ, outcome, seconds)


def _log(
    log: Logger,
    response: LoggedResponse,
    request: Request,
    environ: dict[str, Any],
    outcome: Outcome,
    seconds: float,
) -> None:
    count(request, outcome, response.sent, seconds)
    if isinstance(log, JsonLogger):
        traceparent: str = environ.get("HTTP_TRACEPARENT", "")
        log.request(request.id, outcome, response.sent, seconds, traceparent)
    elif type(log) is not Logger or log.access_log_enabled:  # others count requests, too
        logged_response: Any = response  # gunicorn's own classes have the same attributes
        logged_request: Any = request
        log.access(logged_response, logged_request, environ, timedelta(seconds=seconds))


def _printable(text: str) -> str:
    """`text` in printable ASCII, everything else percent-encoded."""
    return quote(text, safe=string.punctuation, encoding="latin-1")
