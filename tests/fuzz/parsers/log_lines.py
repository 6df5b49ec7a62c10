"""Headers of requests: the line of each request in either log has what was sent and answered, and
nothing that a client sends can end its line or one of its fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from functools import cache
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.access_log import EscapedAtoms, request_line
from service.worker.exchange import environ_of
from service.worker.refusal import Refusal, RefusalResponse
from service.worker.request import Request
from tests.worker.requests import CONNECTION, HOOKS

DICTIONARY = (
    *b"-01- } % 0af7651916cd43dd8448eb211c80319c b7ad6b7169203331".split(),
    *b'" ","status":500,"a":"'.split(),
    *(b"X-Request-ID: ", b"traceparent: 01-", b"tracestate: ", b"User-Agent: ", b"Cookie: "),
    *(b"X-Forwarded-For: ", b"Authorization: Basic ", b"Authorization: Bearer ", b"Referer: "),
    *(b"\r\n", b'\\"', b"\\", b"\x1b[2J", b"\x9b", b"\t", b"GET ", b" HTTP/1.1\r\n"),
)

STATUS = "431 Request Header Fields Too Large"
SECONDS = timedelta(seconds=1.5)

_TRACE = b"0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"
_FIELDS = {"h": "REMOTE_ADDR", "m": "REQUEST_METHOD", "U": "PATH_INFO", "q": "QUERY_STRING"}


def seeds() -> Iterator[bytes]:
    """Heads of requests, without their last line ends."""
    head = b"GET /livez HTTP/1.1\r\nHost: a\r\n"
    yield head + b"X-Request-ID: find-me\r\ntraceparent: 00-" + _TRACE + b"-01"
    yield head + b'traceparent: 01-%s-01-","status":500,"id":"' % _TRACE
    yield head + b'traceparent: 01-%s-01-"}\\\r\nX-Request-ID: "}\\{' % _TRACE
    yield (
        head
        + b'User-Agent: a\\" 500 "\x9b2J\r\nReferer: %s%(r)s\r\nX-%(a): b\r\nX-A: \xff\r\nX-A: c'
    )
    yield head + b"Authorization: Basic ChsifzpwYXNz\r\nX-Forwarded-For: 1.2.3.4\t"
    yield b'POST /a%0A%1B%22?"b\\ HTTP/1.1\r\nContent-Length: x'
    yield b'\x1bGET\x7f" /\x9b\xff\x00 HTTP/1.1'


def check(data: bytes) -> None:
    """Parses the head of a request as far as that is possible, and reads its lines in the logs."""
    request = Request(HOOKS)
    with suppress(Refusal):
        request.parse_head(data + b"\r\n\r\n")
    request.body.close()
    environ = environ_of(request, CONNECTION)
    response = RefusalResponse(STATUS, [("X-Request-ID", request.id)], b"12")
    _check_json(response, request, environ)
    _check_text(response, request, environ)


def _check_json(response: RefusalResponse, request: Request, environ: dict[str, Any]) -> None:
    traceparent = request.header("TRACEPARENT")
    found = _read(request_line(response, request, environ, SECONDS))
    assert found.pop("time").endswith("Z")
    assert found.pop("traceparent", traceparent) == traceparent
    assert found.pop("method") in (request.method, "other")
    assert found == {
        "level": "info",
        "message": "request",
        "id": request.id,
        "route": "none",
        "variant": None,
        "status": 431,
        "bytes": 2,
        "seconds": 1.5,
    }


def _check_text(response: Any, request: Any, environ: dict[str, Any]) -> None:
    """Each field of gunicorn's line, in quotes, is what was sent."""
    atoms = _logger().atoms(response, request, environ, SECONDS)
    expected = {name: environ[key] for name, key in _FIELDS.items()}
    expected["r"] = f"{request.method} {request.target} {request.version}"
    expected["u"] = str(atoms["u"])  # gunicorn decodes it
    expected["{x-request-id}o"] = request.id
    expected |= {f"{{{name.lower()}}}i": value for name, value in request.headers}
    line = ",".join(f'"%({name})s"' for name in expected)
    assert _read(f"[{line}]" % EscapedAtoms(atoms)) == list(expected.values())


def _read(line: str) -> Any:
    """A line of JSON, which must be printable."""
    assert line.isascii(), line
    assert line.isprintable(), line
    return json.loads(line)


@cache
def _logger() -> Logger:
    return Logger(Config())
