"""The response to a request that never reaches the app: a problem like all others."""

from __future__ import annotations

from email.utils import formatdate
from http import HTTPStatus

import orjson

from service.api.http.problems import MEDIA_TYPE, problem_body
from service.api.http.request_id import HEADER


class Refusal(Exception):
    """Raised for a request that can't be parsed or doesn't arrive whole."""

    def __init__(self, status: HTTPStatus, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


def unparsable(detail: object, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> Refusal:
    """The refusal of a request that can't be parsed; `detail` says why."""
    return Refusal(status, f"The request can't be parsed: {detail}.")


def response(refusal: Refusal, instance: str, request_id: str, *, with_body: bool = True) -> bytes:
    """A whole response, after which the connection closes.

    `instance` is empty where not even the path of the request could be parsed. As a URI reference,
    that is whatever was asked for.
    """
    body = orjson.dumps(problem_body(refusal.status, refusal.detail, instance))
    lines = (
        f"HTTP/1.1 {int(refusal.status)} {refusal.status.phrase}",
        f"Date: {formatdate(usegmt=True)}",
        "Connection: close",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
        f"{HEADER}: {request_id}",
    )
    head = "".join(f"{line}\r\n" for line in lines)
    return f"{head}\r\n".encode("latin-1") + (body if with_body else b"")
