"""A client of HTTP/1.1 for asyncio that sends prepared bytes: quick enough to load a service."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import httptools


@dataclass
class Response:
    """What came back; the names of headers are in lower case."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class Connection(asyncio.Protocol):
    """A connection that is kept open, and opened again once it is closed. One request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._transport: asyncio.Transport | None = None
        self._waiting: asyncio.Future[Response] | None = None
        self._response = Response()
        self._body: list[bytes] = []

    async def ask(self, request: bytes) -> Response:
        """The response. Raises `OSError` if the connection ends before it is complete."""
        loop = asyncio.get_running_loop()
        if self._transport is None or self._transport.is_closing():
            await loop.create_connection(lambda: self, "127.0.0.1", self._port)
        assert self._transport is not None
        self._parser = httptools.HttpResponseParser(self)
        self._response, self._body = Response(), []
        self._waiting = loop.create_future()
        self._transport.write(request)
        return await self._waiting

    def close(self) -> None:
        """Closes it."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        self._parser.feed_data(data)

    def connection_lost(self, error: Exception | None) -> None:
        """Called by asyncio."""
        self._transport = None
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(error or ConnectionError("closed without a response"))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by httptools."""
        self._response.headers[name.decode().lower()] = value.decode()

    def on_body(self, body: bytes) -> None:
        """Called by httptools."""
        self._body.append(body)

    def on_message_complete(self) -> None:
        """Called by httptools."""
        self._response.status = self._parser.get_status_code()
        self._response.body = b"".join(self._body)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(self._response)


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """A request as bytes; underscores in the names of headers are written as hyphens."""
    named = {"Host": "localhost", "Content-Length": str(len(body))}
    if body:
        named["Content-Type"] = "application/json"
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in named.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
