"""Each response is counted, and has a line in gunicorn's access log."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Mapping, MutableMapping
from datetime import timedelta
from functools import lru_cache
from http import HTTPMethod
from typing import TYPE_CHECKING, Any, NamedTuple

from gunicorn.config import Config
from gunicorn.glogging import Logger, SafeAtoms

from service.api.http.request_id import ROUTE, VARIANT
from service.api.http.work import Work
from service.metrics.declared import BATCH_RECEIVED, BATCH_SENT, REQUESTS
from service.metrics.instruments import Histogram
from service.operator_log import JsonFormatter, LogStream, escaped, timestamp
from service.worker.connection import Connection
from service.worker.exchange import environ_of
from service.worker.refusal import RefusalResponse
from service.worker.request import Request

if TYPE_CHECKING:
    from service.worker.exchange import Exchange

NONE = "none"
"""The route and the status of a request that has none."""

OTHER = "other"
"""Methods that are not standard ones."""

REFUSED = "refused"
"""The route of requests that never reach the app."""

_METHODS = {method.value for method in HTTPMethod}
_VARIABLE = re.compile(r"<(\w+)>")
_VARIANT = re.compile(r"/v1/variants/([^/]+)").match

_TRACEPARENT = re.compile(
    r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
    r"|(?!00|ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?"
).fullmatch
"""W3C Trace Context, 2.2.1; later versions may be longer."""


class EscapedAtoms(SafeAtoms):
    """The fields of a line in gunicorn's access log, each as a JSON string without its quotes.

    gunicorn's own escape nothing but quotes, so a backslash before one would end a field.
    """

    def __init__(self, atoms: Mapping[str, object]) -> None:
        dict.__init__(self, atoms)

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return escaped(value)[1:-1] if isinstance(value, str) else value


class JsonLogger(Logger):
    """gunicorn's logger, with lines in JSON. Those of the app come out the same way."""

    def setup(self, cfg: Config) -> None:
        """Prepares the handlers, at the start and after a reload."""
        super().setup(cfg)
        own = logging.StreamHandler(LogStream(sys.stderr))
        for handler in (own, *self.error_log.handlers):
            handler.setFormatter(JsonFormatter())
        logging.basicConfig(handlers=[own])  # unless there are others
        self._change_streams()

    def reopen_files(self) -> None:
        """Opens the files of the logs again."""
        super().reopen_files()
        self._change_streams()

    def access(
        self, resp: Any, req: Any, environ: MutableMapping[str, Any], request_time: timedelta
    ) -> None:
        """Adds the line of a request to the access log, if there is one.

        gunicorn's way, over a record, takes several times as long for a file or a pipe.
        """
        if not self.access_log_enabled:
            return
        line = request_line(resp, req, environ, request_time)
        for handler in self.access_log.handlers:
            if isinstance(handler, logging.StreamHandler):
                handler.acquire()  # or its file might be opened again meanwhile
                try:
                    handler.stream.write(f"{line}\n")
                finally:
                    handler.release()
            else:  # syslog
                handler.handle(logging.makeLogRecord({"levelname": "INFO", "msg": line}))

    def _change_streams(self) -> None:
        """Has no handler wait for somebody who doesn't read the log."""
        for handler in (*self.error_log.handlers, *self.access_log.handlers):
            if isinstance(handler, logging.StreamHandler):
                handler.setStream(LogStream(handler.stream))


def request_line(
    response: Exchange | RefusalResponse,
    request: Request,
    environ: Mapping[str, Any],
    time_taken: timedelta,
) -> str:
    """The line of a request in JSON, without a line feed.

    It has nothing of the path, the query, the headers and the body but the id of the request and a
    valid `traceparent`. So no token, seed or die gets into it, however they were sent.
    """
    traceparent = environ.get("HTTP_TRACEPARENT", "")
    trace = f',"traceparent":{escaped(traceparent)}' if _TRACEPARENT(traceparent) else ""
    return (
        f'{{"time":"{timestamp(time.time())}","level":"info","message":"request",'
        f'"id":{escaped(request.id)},{outcome_of(request, environ, response).fields},'
        f'"bytes":{response.sent},"seconds":{time_taken.total_seconds():.6f}{trace}}}'
    )


def log_access(
    log: Logger,
    response: Exchange | RefusalResponse,
    request: Request,
    environ: dict[str, Any],
    seconds: float,
) -> None:
    """Counts and logs a `response`, which took so many `seconds`."""
    outcome = outcome_of(request, environ, response)
    outcome.requests.observe(seconds)
    if request.work is Work.BATCH and outcome.variant:
        BATCH_RECEIVED.of(outcome.variant).add(request.received)
        BATCH_SENT.of(outcome.variant).add(response.sent)
    if type(log) is not Logger or log.access_log_enabled:  # others count requests, too
        logged_response: Any = response  # gunicorn's own classes have the same attributes
        logged_request: Any = request
        log.access(logged_response, logged_request, environ, timedelta(seconds=seconds))


def log_refusal(
    log: Logger, response: RefusalResponse, request: Request, connection: Connection, seconds: float
) -> None:
    """Counts and logs the response to a request that never reaches the app.

    What didn't arrive of its first line is logged as `-`.
    """
    environ = environ_of(request, connection)
    environ["REQUEST_METHOD"] = request.method or "-"
    environ["RAW_URI"] = request.target or "-"
    environ[ROUTE] = REFUSED
    log_access(log, response, request, environ, seconds)


class Outcome(NamedTuple):
    """What many requests have in common; `fields` of their lines are in JSON, without braces."""

    variant: str
    requests: Histogram
    fields: str


def outcome_of(
    request: Request, environ: Mapping[str, Any], response: Exchange | RefusalResponse
) -> Outcome:
    """The outcome of a request, also if it has no response yet."""
    method = request.method if request.method in _METHODS else OTHER
    return _outcome(method, environ.get(ROUTE, NONE), environ.get(VARIANT), response.status)


@lru_cache(1024)
def _outcome(method: str, rule: str, variant: str | None, status: str) -> Outcome:
    route, own = _route(rule, variant)
    code = status[:3] if status[:1].isdigit() else NONE
    fields = {
        "method": method,
        "route": route,
        "variant": own or None,
        "status": None if code == NONE else int(code),
    }
    return Outcome(own, REQUESTS.of(method, route, code), escaped(fields)[1:-1])


def route_of(environ: Mapping[str, Any]) -> tuple[str, str]:
    """The route that the app found for a request: its path, with names in braces for what varies,
    and its variant, "" for none.
    """
    return _route(environ.get(ROUTE, NONE), environ.get(VARIANT))


def _route(rule: str, variant: str | None) -> tuple[str, str]:
    found = _VARIANT(rule)
    return _VARIABLE.sub(r"{\1}", rule), variant or (found[1] if found else "")
