"""A client that says exactly which bytes it sends, and reads responses one after the other."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from io import BufferedReader

from tests.live import JSON, Reply, Service

EVALUATE = "/v1/variants/poker-dice/evaluate"
BODY = b'{"dice":[1,2,3,4,6]}'


def get(path: str = "/livez", *headers: str) -> bytes:
    """A GET."""
    return head("GET", path, *headers)


def post(body: bytes = BODY, *headers: str) -> bytes:
    """An evaluation."""
    return head("POST", EVALUATE, f"Content-Length: {len(body)}", *headers) + body


def head(method: str, path: str, *headers: str) -> bytes:
    """The head of a request for this host, of JSON."""
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
        """The next response, to a request with `method`."""
        response = HTTPResponse(self.socket, method=method)
        response.fp = self._received
        response.begin()
        return Reply(response.status, dict(response.getheaders()), response.read())

    def end(self) -> bytes:
        """Everything until the service closes the connection."""
        return self._received.read()


class _Received(BufferedReader):
    """What comes in, for one response after the other: each would close it."""

    def close(self) -> None:
        """Leaves it open; it ends with its socket."""


@contextmanager
def connected(service: Service) -> Iterator[Raw]:
    """A connection of its own."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as raw:
        yield Raw(raw)
