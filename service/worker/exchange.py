"""One request and its response: the server's side of WSGI (PEP 3333)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from email.utils import formatdate
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from service.worker.hooks import IN_LOOP, REQUEST_ID, WAITER, TakesLong, Waiting, Watch
from service.worker.refusal import Refusal, refusal_response
from service.worker.request import JOINT, Request

if TYPE_CHECKING:
    from service.worker.connection import Connection
    from service.worker.server import Server

SEND_BYTES = 1 << 16
"""How much of a response is made before it is sent."""

TURN_BYTES = 1 << 20
"""How much of a response is made in a turn; one part of the app's may come on top. The next turn
comes once the client has taken all of it."""

_NO_BODY = ("1", "204", "304")
"""Statuses whose responses have no body, or the digits that these begin with."""


class Exchange:
    """Makes the response to one request, in as many calls of `proceed` as it takes.

    `ended` says whether the response has been made in full or was broken off; then `keep_alive`
    says whether the connection can be kept. `brief` says whether the loop itself may call
    `proceed`; the app can deny it. While the request waits, `waiting` is what the app has returned
    instead of a response, and `is_woken` says whether to call the app again before its time. The
    app uses `until` and `watch`.
    """

    def __init__(
        self, server: Server, connection: Connection, request: Request, *, brief: bool
    ) -> None:
        self._server, self._connection, self.request = server, connection, request
        self.keep_alive = request.keep_alive
        self.ended = self.is_woken = self.given_up = False
        self.brief = self._may_be_brief = brief
        self.waiting: Waiting | None = None
        self.watch: Watch | None = None
        self.until = 0.0
        # what gunicorn's access log reads from a response
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
        self._made: list[bytes] = []
        self._made_bytes = self._turn_bytes = 0

    def proceed(self) -> None:
        """Makes the response, until it ends or too much of it waits for the client.

        It leaves the last part of what it makes for `send`. Raises what the app raises at its end.
        """
        ended, self._turn_bytes = True, 0
        try:
            ended = self._make()
        except TakesLong:
            self.brief = ended = False
        except ConnectionError as error:  # the client is gone, or the app breaks the response off
            self._server.log.debug("Closing %s: %s", self._connection.address, error)
            self.keep_alive = False
        except BaseException:  # such as SystemExit, which would end a thread without a word
            self._server.log.exception("Error handling request %s", self.request.id)
            self._fail()
        finally:
            if ended:
                self.close()

    def _make(self) -> bool:
        """Makes the response, or more of it, and returns whether that was all."""
        if self._rest is None:
            self.request.body.seek(0)
            self._environ = environ_of(self.request, self._connection)
            self._environ[WAITER] = self
            if self._may_be_brief:
                self._environ[IN_LOOP] = self.brief
            self.waiting = None
            parts = self._server.app(self._environ, self._start_response)
            if self.waiting is not None:
                return False
            self._parts, self._rest = parts, iter(parts)
        for part in self._rest:
            self._write(part)
            if self._made_bytes > SEND_BYTES:
                if self._connection.lost:
                    raise ConnectionError("the client is gone")
                self._send_from_turn()
                if self._turn_bytes > TURN_BYTES:
                    return False
        self._end()
        return True

    def close(self) -> None:
        """Ends the exchange: logs it, and frees what the app holds for it, whatever fails.

        Raises what the app raises.
        """
        if self.ended:
            return
        self.ended = True
        seconds = time.monotonic() - self._began
        environ, close = self._environ, getattr(self._parts, "close", None)
        self._parts, self._rest, self._environ = (), None, {}  # it refers to this exchange
        try:  # an `ExitStack` would take several microseconds of each request
            if self.watch is not None:
                self.watch.close()
        finally:
            try:
                hooks = self._server.hooks
                hooks.log_access(self._server.log, self, self.request, environ, seconds)
            finally:
                try:
                    if close is not None:
                        close()
                finally:
                    self.request.close()

    def send(self) -> None:
        """Sends what the last turn has made. Only the loop calls this."""
        if self._made:
            self._connection.write(b"".join(self._made))
            self._made.clear()
            self._made_bytes = 0

    def _send_from_turn(self) -> None:
        """Has the loop send what has been made so far, while more is made."""
        if self.brief:
            self.send()
            return
        self._server.call(self._connection.write, b"".join(self._made))
        self._made.clear()
        self._turn_bytes += self._made_bytes
        self._made_bytes = 0

    def wake(self) -> None:
        """Has the app called again, if the request waits; any thread may call this."""
        self.is_woken = True
        self._server.call(self._connection.attempt, self._connection.wake)

    @property
    def over(self) -> bool:
        """Whether the app has to respond now, without waiting."""
        return self.given_up or self._server.stopping

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
            self._make_bytes(b"%x\r\n" % len(data))
            self._make_bytes(data)
            self._make_bytes(b"\r\n")
        else:
            self._make_bytes(data)

    def _make_bytes(self, data: bytes) -> None:
        self._made.append(data)
        self._made_bytes += len(data)

    def _send_head(self) -> None:
        """Sends the head, with the headers that frame the body."""
        if not self._started:
            raise RuntimeError("start_response was not called")
        for name, value in self.headers:
            if name.lower() == "content-length":
                self._length = int(value)
        request = self.request
        self.keep_alive = self.keep_alive and not self._server.stopping
        self._has_body = request.method != "HEAD" and not self.status.startswith(_NO_BODY)
        if self._has_body and self._length is None:
            self._chunked = request.version == "HTTP/1.1"
            self.keep_alive = self.keep_alive and self._chunked
        lines = [
            f"HTTP/1.1 {self.status}",
            f"Date: {_date(int(time.time()))}",
            f"Connection: {'keep-alive' if self.keep_alive else 'close'}",
            *(f"{name}: {value}" for name, value in self.headers),
        ]
        if self._chunked:
            lines.append("Transfer-Encoding: chunked")
        head = "\r\n".join(lines)
        if head.count("\n") >= len(lines) or head.count("\r") >= len(lines):
            raise ValueError("a header of the response has a line break")
        self._make_bytes(f"{head}\r\n\r\n".encode("latin-1"))
        self._head_sent = True

    def _end(self) -> None:
        if not self._head_sent:
            self._send_head()
        if self._chunked:
            self._make_bytes(b"0\r\n\r\n")
        elif self._has_body and self.sent != self._length:
            self.keep_alive = False  # the client finds the end of the body by the connection's end

    def _fail(self) -> None:
        """Sends a problem if nothing has been sent yet; otherwise the response is broken off."""
        self.keep_alive = False
        if not self._head_sent:
            hooks = self._server.hooks
            response = refusal_response(Refusal("unexpected"), self.request, hooks)
            self._make_bytes(response.encode())
            self.status, self.headers, self.sent = response.status, response.headers, response.sent


@lru_cache(1)
def _date(seconds: int) -> str:
    """The value of `Date`."""
    return formatdate(seconds, usegmt=True)


def environ_of(request: Request, connection: Connection) -> dict[str, Any]:
    """The WSGI environment of `request`.

    A body always has a CONTENT_LENGTH, even if it came in chunks. A header with an underscore is
    left out, because it would get the same key as one with a hyphen.
    """
    address, server = connection.address, connection.own_address
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path_info,
        "QUERY_STRING": request.query,
        "RAW_URI": request.target,  # for gunicorn's access log
        "SERVER_PROTOCOL": request.version,
        "SERVER_NAME": server[0] if isinstance(server, tuple) else str(server),
        "SERVER_PORT": str(server[1]) if isinstance(server, tuple) else "",
        "REMOTE_ADDR": connection.peer,
        "REMOTE_PORT": str(address[1]) if address else "",
        REQUEST_ID: request.id,
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
            environ[key] += JOINT + value
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
