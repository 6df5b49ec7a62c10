"""What is said to a request that never reaches the app, as a problem like all others."""

from __future__ import annotations

import re
from http import HTTPStatus
from urllib.parse import quote, unquote_to_bytes

import orjson
from gunicorn.http.errors import (
    ExpectationFailed,
    InvalidHeader,
    LimitRequestHeaders,
    LimitRequestLine,
    NoMoreData,
    UnsupportedTransferCoding,
)
from gunicorn.http.message import Request
from gunicorn.util import http_date

from service.api.http.incoming import STALL_SECONDS
from service.api.http.problems import MEDIA_TYPE, problem_body
from service.api.http.request_id import HEADER, request_id

_STATUSES: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (TimeoutError, HTTPStatus.REQUEST_TIMEOUT),
    (LimitRequestLine, HTTPStatus.REQUEST_URI_TOO_LONG),
    (LimitRequestHeaders, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
    (ExpectationFailed, HTTPStatus.EXPECTATION_FAILED),
    (UnsupportedTransferCoding, HTTPStatus.NOT_IMPLEMENTED),
)

_HOST = re.compile(
    r"(\[[0-9A-Fa-f:.]+\]|([A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(:[0-9]*)?"
).fullmatch
"""`uri-host [ ":" port ]`, RFC 9110, 7.2."""


def check_host(request: Request) -> None:
    """Raises `InvalidHeader` as RFC 9112, 3.2 has it: HTTP/1.1 needs one Host, and a valid one."""
    hosts = [value for name, value in request.headers if name == "HOST"]
    if len(hosts) > 1 or not all(map(_HOST, hosts)) or (not hosts and request.version != (1, 0)):
        raise InvalidHeader("HOST", request)


def refusal(error: Exception) -> tuple[HTTPStatus, str]:
    """The status for an `error` of parsing a request, and a sentence on what was wrong."""
    if isinstance(error, TimeoutError):
        detail = f"The head of the request did not come whole within {STALL_SECONDS} seconds."
    elif isinstance(error, NoMoreData):
        detail = "The connection ended within the head of the request."
    elif isinstance(error, InvalidHeader) and error.hdr == "HOST":
        detail = "A request must have one Host header: a host, and perhaps a port."
    else:
        detail = f"The request can't be parsed: {error}."
    for kind, status in _STATUSES:
        if isinstance(error, kind):
            return status, detail
    return HTTPStatus.BAD_REQUEST, detail


def response(status: HTTPStatus, detail: str, request: Request | None) -> bytes:
    """A whole response, after which the connection closes.

    `request` is what could be parsed of it. Where not even its path could be, `instance` is empty,
    which as a URI reference is whatever was asked for.
    """
    headers = request.headers if request is not None else []
    given = next((value for name, value in headers if name == HEADER.upper()), "")
    path = quote(unquote_to_bytes(request.path or "")) if request is not None else ""
    body = orjson.dumps(problem_body(status, detail, path))
    lines = (
        f"HTTP/1.1 {int(status)} {status.phrase}",
        f"Date: {http_date()}",
        "Connection: close",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
        f"{HEADER}: {request_id(given)}",
    )
    head = "".join(f"{line}\r\n" for line in lines)
    only_head = request is not None and request.method == "HEAD"
    return f"{head}\r\n".encode("latin-1") + (b"" if only_head else body)
