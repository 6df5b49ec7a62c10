"""A client that chooses each byte it sends, and reads responses one by one."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPResponse
from io import BufferedReader

from tests.live import JSON, PROBLEM, Reply, Service

EVALUATE = "/v1/variants/poker-dice/evaluate"
BODY = b'{"dice":[1,2,3,4,6]}'


def get(path: str = "/livez", *headers: str) -> bytes:
    """A GET request."""
    return head("GET", path, *headers)


def post(body: bytes = BODY, *headers: str) -> bytes:
    """A request to `evaluate`."""
    return head("POST", EVALUATE, f"Content-Length: {len(body)}", *headers) + body


def head(method: str, path: str, *headers: str) -> bytes:
    """The head of a request with a Host and the media type of JSON."""
    lines = (f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Type: {JSON}", *headers)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode("latin-1")


class Raw:
    """A connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._received = _Received(connection.makefile("rb", buffering=0))

    def send(self, data: bytes) -> None:
        """Sends all of `data`."""
        self.socket.sendall(data)

    def reply(self, method: str = "POST") -> Reply:
        """Reads the next response, which is to a request with `method`."""
        response = HTTPResponse(self.socket, method=method)
        response.fp = self._received
        response.begin()
        return Reply(response.status, dict(response.getheaders()), response.read())

    def close(self) -> None:
        """Closes the connection."""
        self._received.detach().close()
        self.socket.close()

    def end(self) -> bytes:
        """Reads everything until the service closes the connection."""
        return self._received.read()


class _Received(BufferedReader):
    """The bytes received, as a file that stays open: HTTPResponse closes its file after each
    response.
    """

    def close(self) -> None:
        """Does nothing: the file ends with its socket."""


@contextmanager
def connected(service: Service | int, client: str = "127.0.0.1") -> Iterator[Raw]:
    """Opens a connection to `service`, or to a port, from the address `client`."""
    port = service if isinstance(service, int) else service.port
    raw = socket.create_connection(("127.0.0.1", port), 120, source_address=(client, 0))
    with raw, closing(Raw(raw)) as client_end:
        yield client_end


def last_reply(
    service: Service, request: bytes, method: str = "POST", *, ends: bool = False
) -> Reply:
    """The response to `request`, after which the service closes the connection; with `ends`, the
    client has closed its own end before.
    """
    with connected(service) as raw:
        raw.send(request)
        if ends:
            raw.socket.shutdown(socket.SHUT_WR)
        reply = raw.reply(method)
        assert raw.end() == b""
    return reply


def refused(service: Service, request: bytes) -> Reply:
    """The problem for a `request` that is refused before the app runs; the connection closes."""
    reply = last_reply(service, request)
    assert reply.headers["Content-Type"] == PROBLEM
    assert reply.headers["Connection"] == "close"
    assert len(reply.headers["X-Request-ID"]) == 32
    return reply
