"""Each response is counted, and has a line in gunicorn's access log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Protocol

from gunicorn.glogging import Logger, SafeAtoms

from service.notices import escaped
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


class EscapedAtoms(SafeAtoms):
    """The fields of a line in gunicorn's access log, each as a JSON string without its quotes.

    gunicorn's own escape nothing but quotes, so a backslash before one would end a field.
    """

    def __init__(self, atoms: Mapping[str, object]) -> None:
        dict.__init__(self, atoms)

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return escaped(value)[1:-1] if isinstance(value, str) else value


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

    What didn't arrive of its first line is logged as `-`.
    """
    environ = environ_of(request, connection)
    environ["REQUEST_METHOD"] = request.method or "-"
    environ["RAW_URI"] = request.target or "-"
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
