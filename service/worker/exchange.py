"""One request and its response: the server's side of WSGI (PEP 3333)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from gunicorn.glogging import Logger

from service.api.http.client import SHOULD_RETURN
from service.api.http.problems import UNEXPECTED
from service.worker.connection import Connection
from service.worker.refusal import Refusal, response
from service.worker.request import Request

App = Callable[..., Iterable[bytes]]
"""A WSGI application."""

SEND_BYTES = 1 << 16
"""How much of a response is made before it is sent."""

UNSENT_BYTES = 1 << 20
"""How much of a response is made ahead of what the client has taken, by a part at most more."""

_NO_BODY = ("1", "204", "304")
"""Statuses, or what they begin with, whose responses have no body."""


@dataclass(frozen=True)
class Served:
    """What all exchanges of a worker share; `stopping` returns whether the worker is to stop."""

    app: App
    log: Logger
    stopping: Callable[[], bool]


class Exchange:
    """Answers one request, by as many calls of `proceed` as it takes.

    With `over` the response has ended or is broken off; `keeps` then says whether the connection
    can be kept.
    """

    def __init__(self, served: Served, connection: Connection, request: Request) -> None:
        self._served, self._connection, self._request = served, connection, request
        self.keeps = request.keeps and not served.stopping()
        self.over = False
        # what gunicorn's access log asks of a response
        self.status = "-"
        self.headers: list[tuple[str, str]] = []
        self.sent = 0
        self._began = time.monotonic()
        self._environ: dict[str, Any] = {}
        self._parts: Iterable[bytes] = ()
        self._rest: Iterator[bytes] | None = None
        self._started = self._head_sent = False
        self._has_body = True
        self._chunked = False
        self._length: int | None = None

    def proceed(self) -> None:
        """Makes the response, until it ends or the client doesn't take it as fast."""
        connection = self._connection
        try:
            if self._rest is None:
                self._environ = environ_of(self._request, connection)
                self._environ[SHOULD_RETURN] = self._should_return
                self._parts = self._served.app(self._environ, self._start_response)
                self._rest = iter(self._parts)
            for part in self._rest:
                self._write(part)
                if connection.unsent_bytes > SEND_BYTES:
                    connection.send_more()
                    if connection.unsent_bytes > UNSENT_BYTES:
                        return
            self._end()
        except ConnectionError as error:  # the client is gone, or the app breaks the response off
            self._served.log.debug("Closing %s: %s", connection.address, error)
            self.keeps = False
        except Exception:
            request = self._request
            self._served.log.exception("Error handling request %s %s", request.method, request.path)
            self._fail()
        self.close()

    def close(self) -> None:
        """Ends the exchange: logs it, and frees what the app holds for it."""
        if self.over:
            return
        self.over = True
        self._request.body.close()
        taken = timedelta(seconds=time.monotonic() - self._began)
        response: Any = self
        request: Any = self._request
        self._served.log.access(response, request, self._environ, taken)
        close = getattr(self._parts, "close", None)
        self._parts, self._rest, self._environ = (), None, {}  # it refers to this exchange
        if close is not None:
            close()

    def _should_return(self) -> bool:
        return self._served.stopping() or self._connection.gone()

    def _start_response(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], None]:
        if exc_info is not None and self._head_sent:
            raise exc_info[1].with_traceback(exc_info[2])
        if self._started and exc_info is None:
            raise RuntimeError("start_response was called twice")
        self._started = True
        self.status, self.headers = status, headers
        return self._write

    def _write(self, data: bytes) -> None:
        if not data:
            return
        if not self._head_sent:
            self._send_head()
        if not self._has_body:
            return
        self.sent += len(data)
        if self._chunked:
            self._connection.send(b"%x\r\n" % len(data))
            self._connection.send(data)
            self._connection.send(b"\r\n")
        else:
            self._connection.send(data)

    def _send_head(self) -> None:
        """Sends the head, with what frames the body."""
        if not self._started:
            raise RuntimeError("start_response was not called")
        for name, value in self.headers:
            if name.lower() == "content-length":
                self._length = int(value)
        request = self._request
        self._has_body = request.method != "HEAD" and not self.status.startswith(_NO_BODY)
        if self._has_body and self._length is None:
            self._chunked = request.version == "HTTP/1.1"
            self.keeps = self.keeps and self._chunked
        lines = [
            f"HTTP/1.1 {self.status}",
            f"Date: {_date(int(time.time()))}",
            f"Connection: {'keep-alive' if self.keeps else 'close'}",
            *(f"{name}: {value}" for name, value in self.headers),
        ]
        if self._chunked:
            lines.append("Transfer-Encoding: chunked")
        head = "\r\n".join(lines)
        if head.count("\n") >= len(lines) or head.count("\r") >= len(lines):
            raise ValueError("a header of the response has a line break")
        self._connection.send(f"{head}\r\n\r\n".encode("latin-1"))
        self._head_sent = True

    def _end(self) -> None:
        if not self._head_sent:
            self._send_head()
        if self._chunked:
            self._connection.send(b"0\r\n\r\n")
        elif self._has_body and self.sent != self._length:
            self.keeps = False  # its end is the end of the response

    def _fail(self) -> None:
        """Answers with a problem if nothing has been sent, else breaks the response off."""
        self.keeps = False
        if not self._head_sent:
            problem = Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, UNEXPECTED)
            request = self._request
            self._connection.send(response(problem, request.instance, request.id))
            self.status = f"{int(problem.status)} {problem.status.phrase}"


def environ_of(request: Request, connection: Connection) -> dict[str, Any]:
    """The WSGI environment of `request`.

    The body always has a CONTENT_LENGTH, also if it came in chunks. A header with an underscore is
    left out: it would have the key of one with a hyphen.
    """
    request.body.seek(0)
    address, server = connection.address, connection.server
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path_info,
        "QUERY_STRING": request.query,
        "RAW_URI": request.target,  # for gunicorn's access log
        "SERVER_PROTOCOL": request.version,
        "SERVER_NAME": server[0] if isinstance(server, tuple) else str(server),
        "SERVER_PORT": str(server[1]) if isinstance(server, tuple) else "",
        "REMOTE_ADDR": address[0] if isinstance(address, tuple) else "",
        "REMOTE_PORT": str(address[1]) if isinstance(address, tuple) else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": request.body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in request.headers:
        key = _key(name)
        if key in environ:
            environ[key] += f",{value}"
        elif key:
            environ[key] = value
    if request.chunked:
        environ["CONTENT_LENGTH"] = str(request.received)
    return environ


@lru_cache(1024)
def _key(name: str) -> str:
    """The key in the environment for the header `name`, empty for one that has none."""
    if "_" in name or name == "TRANSFER-ENCODING":
        return ""
    key = name.replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


@lru_cache(1)
def _date(seconds: int) -> str:
    """The value of `Date`."""
    return formatdate(seconds, usegmt=True)
