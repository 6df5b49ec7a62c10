"""One request and its response, in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http import wsgi
from gunicorn.http.body import LengthReader
from gunicorn.http.errors import NoMoreData, ParseException
from gunicorn.http.message import Request

from service.api.batch.batch import NAME as BATCH
from service.api.http.incoming import CONNECTION
from service.api.http.problems import UNEXPECTED
from service.worker.connection import Connection
from service.worker.refusal import check_host, refusal, response

App = Callable[..., Iterable[bytes]]
"""A WSGI application."""

BODY_BYTES = 1 << 16
"""The longest body that is received before a thread reads it; longer ones are streamed."""


class Next(Enum):
    """What happens to a connection after a thread has worked on it."""

    RECEIVE = auto()  # more of the body, then the same again
    STREAM = auto()  # the same again, in a thread that may wait for the client
    KEEP = auto()  # for its next request
    CLOSE = auto()


@dataclass(frozen=True)
class Exchange:
    """Answers requests by `app`; `stopping` tells whether this was the last on its connection."""

    cfg: Config
    log: Logger
    app: App
    stopping: Callable[[], bool]

    def __call__(self, connection: Connection) -> Next:
        """Parses the request on `connection`, and answers it if that needs nothing more."""
        try:
            request = connection.request
            if request is None:
                request = connection.request = next(connection.parser)
                check_host(request)
            lacking = _lacking(connection, request)
            if lacking is not None:
                return lacking
        except StopIteration:
            return Next.CLOSE
        except (ParseException, NoMoreData, TimeoutError) as error:
            return self._refused(connection, error)
        return self._answered(connection, request)

    def _answered(self, connection: Connection, request: Request) -> Next:
        as_socket: Any = connection
        response, environ = wsgi.create(
            request, as_socket, connection.address, connection.server, self.cfg
        )
        environ[CONNECTION] = connection
        environ.pop("HTTP_UPGRADE", None)  # there is nothing to upgrade to; Flask would refuse it
        environ["wsgi.multithread"] = True
        if self.stopping():
            response.force_close()
        began = datetime.now()
        try:
            parts = self.app(environ, response.start_response)
            try:
                body: Any = request.body
                if body.failed:
                    response.force_close()  # where the next request begins is not known
                for part in parts:
                    response.write(part)
                response.close()
            finally:
                self.log.access(response, request, environ, datetime.now() - began)
                _close(parts)
            if response.should_close():
                return Next.CLOSE
            drained = connection.drained()
        except (ConnectionError, TimeoutError, NoMoreData) as error:  # the client is gone, or lost
            self.log.debug("Closing %s: %s", connection.address, error)
            connection.unsent.clear()
            return Next.CLOSE
        except Exception:
            self.log.exception("Error handling request %s %s", request.method, request.uri)
            connection.unsent.clear()
            if not response.headers_sent:
                self._problem(connection, HTTPStatus.INTERNAL_SERVER_ERROR, UNEXPECTED, request)
            return Next.CLOSE
        return Next.KEEP if drained else Next.CLOSE

    def _refused(self, connection: Connection, error: Exception) -> Next:
        """Says what is wrong with a request that can't be parsed."""
        log = self.log.debug if isinstance(error, TimeoutError) else self.log.warning
        log("Refusing a request of %s: %s", connection.address, error)
        request = connection.request or getattr(error, "req", None)
        known = request if isinstance(request, Request) else None
        return self._problem(connection, *refusal(error), known)

    def _problem(
        self, connection: Connection, status: HTTPStatus, detail: str, request: Request | None
    ) -> Next:
        try:
            connection.sendall(response(status, detail, request))
        except OSError as error:
            self.log.debug("Closing %s: %s", connection.address, error)
        return Next.CLOSE


def _lacking(connection: Connection, request: Request) -> Next | None:
    """What `request` needs before it is answered, None if it can be now.

    Batches stream both ways, so even a short one has a thread that may wait for its client.
    """
    if connection.streams:
        return None
    connection.converses = unquote(str(request.path)).endswith(f"/{BATCH}")
    reader = request.body.reader if request.body is not None else None
    if (
        not isinstance(reader, LengthReader)
        or reader.length > BODY_BYTES
        or connection.converses
        or any(name == "EXPECT" for name, _ in request.headers)
    ):
        return Next.STREAM
    return Next.RECEIVE if connection.needs(reader.length) else None


def _close(parts: Iterable[bytes]) -> None:
    """Closes the parts of an answer, as WSGI asks a server to do (PEP 3333)."""
    close = getattr(parts, "close", None)
    if close is not None:
        close()
