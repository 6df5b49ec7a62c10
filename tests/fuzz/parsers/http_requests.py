"""Requests as they arrive at a worker: only `Refusal` is raised, and it doesn't matter in which
pieces the bytes come.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPResponse
from io import BytesIO
from typing import Any, cast

import orjson
from gunicorn.config import Config

from service.api.http.request_id import ENVIRON
from service.api.http.work import Work
from service.settings import Settings
from service.worker.client import Incoming
from service.worker.exchange import environ_of
from service.worker.hooks import Kind
from service.worker.refusal import Refusal, refusal_response
from service.worker.request import Request
from service.worker_hooks import hooks_of
from tests.contract.checker import contract_checker
from tests.worker.raw import get, head, post
from tests.worker.requests import CONNECTION

DICTIONARY = (
    *b"http://a/ /batch %2e chunked identity".split(),
    *(b"\r\n", b"\r\n\r\n", b"\n", b"\r", b"\t", b"\0", b": ", b" HTTP/1.1\r\n", b" HTTP/1.0\r\n"),
    *(b"GET ", b"POST ", b"HEAD ", b"OPTIONS * ", b"CONNECT a:1 ", b"Host: a"),
    *(b"Content-Length: 5", b"Transfer-Encoding: chunked", b"Connection: close"),
    *(b"Connection: keep-alive", b"Upgrade: h2c", b"Expect: 100-continue", b"X-Request-ID: a"),
    *(b"Origin: https://a", b"5\r\nhello\r\n", b"0\r\n\r\n", b"0;a=b\r\nA: b\r\n"),
)

HOOKS = replace(
    hooks_of(Settings(allow_origins="https://a"), None, Config()),
    line_bytes=100,
    headers=12,
    header_bytes=120,
    work_of=lambda _, path: Work.BATCH if path.endswith("/batch") else Work.ORDINARY,
    kinds={Work.ORDINARY: Kind(1, 200), Work.BATCH: Kind(1, 400, large=True)},
)
"""With small limits, so that inputs reach them."""

MOST_PIECES = 100

_PROBLEM = contract_checker().component("Problem")


def seeds() -> Iterator[bytes]:
    """The size of the pieces as one byte, then requests."""
    chunked = b"5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nSome: trailer\r\n\r\n"
    too_long = b"190\r\n" + b" " * 400 + b"not a line end\n"
    bodies = head("POST", "/v1/variants/poker-dice/batch", "Transfer-Encoding: chunked") + chunked
    for sent in (
        get() + post() + get(),
        bodies + get("/?a=b#c", "Connection: close"),
        head("POST", "http://a/b", "Content-Length: 3", "Expect: 100-continue") + b"abc",
        head("OPTIONS", "*", "Upgrade: h2c", "Connection: upgrade", "Origin: https://a"),
        b"\r\nHEAD /a%20b HTTP/1.0\r\nX-Request-ID: a\r\n\r\n",
        head("CONNECT", "a:1"),
        post(b" " * 300),
        head("POST", "/", "Transfer-Encoding: chunked") + too_long,
    ):
        yield b"\x1d" + sent


def check(data: bytes) -> None:
    """Parses the requests in one piece, and in pieces as long as the first byte says."""
    size, sent = max(*data[:1], len(data) // MOST_PIECES, 1), data[1:]
    whole = _parsed([sent] if sent else [])
    found = _parsed([sent[place : place + size] for place in range(0, len(sent), size)])
    assert found == whole, f"in pieces of {size}: {found}, not {whole}"


def _parsed(pieces: list[bytes]) -> list[Any]:
    """What a worker gets to know of the requests in `pieces`, up to one that is refused."""
    incoming = Incoming(HOOKS)
    found: list[Any] = []
    try:
        for piece in (*pieces, b""):
            incoming.ended = not piece
            incoming.add(piece)
            while incoming.begun and incoming.parse():
                request = cast(Request, incoming.request)
                found.append(_seen(request))
                request.body.close()
                if not request.keep_alive:
                    return found
                incoming.next_request()
    except Refusal as refusal:
        found.append(_refused(refusal, incoming))
    finally:
        if incoming.request is not None:
            incoming.request.close()
    return found


def _seen(request: Request) -> tuple[Any, ...]:
    """What the app and the worker get to know of a request, without the body of one too long."""
    request.body.seek(0)
    environ = environ_of(request, CONNECTION)
    body = b"" if request.too_long else request.body.read()
    assert request.too_long or len(body) == request.received
    assert all(type(key) is str for key in environ)
    plain = {key: value for key, value in environ.items() if type(value) is str}
    if plain[ENVIRON] != request.header("X-REQUEST-ID"):
        del plain[ENVIRON]  # a random one
    if request.too_long:
        plain.pop("CONTENT_LENGTH", None)
    flags = request.keep_alive, request.too_long, request.expects_continue, request.chunked
    return plain, flags, body


def _refused(refusal: Refusal, incoming: Incoming) -> tuple[int, str]:
    """The refusal; its response must be valid."""
    request = incoming.refused()
    request.body.close()
    sent = refusal_response(refusal, request, HOOKS).encode()
    response = HTTPResponse(cast(socket.socket, _Sent(sent)), method=request.method)
    response.begin()
    body = response.read()
    if request.method != "HEAD":
        problem = orjson.loads(body)
        assert problem["status"] == response.status
        _PROBLEM.validate(problem)
    return response.status, f"{refusal.cause}: {refusal.values}"


class _Sent(BytesIO):
    """Bytes with the interface of a socket that `HTTPResponse` needs."""

    def makefile(self, *_: object) -> _Sent:
        return self
