"""Bodies of requests and responses: media types, limits, gzip, and strict JSON."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, Any

import orjson
from flask import Response, request
from werkzeug.exceptions import ClientDisconnected

from service.api.http.causes import Cause
from service.strict_json import InvalidJson, decode

if TYPE_CHECKING:
    from _typeshed import SupportsRead
    from _typeshed.wsgi import WSGIEnvironment

JSON = "application/json"

_COMPRESSED = 1 << 14
"""How much of a gzip is decompressed at a time."""

_PIECE = 1 << 20
"""How much of a body is read at a time if all of it is wanted."""


def json_response(value: Any) -> Response:
    """A response with `value` as compact JSON."""
    return Response(orjson.dumps(value), content_type=JSON)


def empty_response(status: HTTPStatus, headers: Mapping[str, str] | None = None) -> Response:
    """A response without a body, which thus has no media type either."""
    response = Response(status=status, headers=headers)
    del response.headers["Content-Type"]
    return response


def require_acceptable(media_type: str = JSON) -> None:
    """Raises `Problem` 406 if the client's Accept header rules out `media_type`."""
    accept = request.environ.get("HTTP_ACCEPT")
    if accept and accept not in ("*/*", media_type):
        acceptable(media_type)


def acceptable(*media_types: str) -> str:
    """The media type that the client prefers; the first of `media_types` if it has no preference.

    Raises `Problem` 406 if the Accept header rules out all of them.
    """
    if not request.accept_mimetypes:
        return media_types[0]
    best = max(media_types, key=quality)
    if not quality(best):
        raise Cause.NOT_ACCEPTABLE.problem(
            offered=list(media_types), accepted=str(request.accept_mimetypes)
        )
    return best


def quality(media_type: str) -> float:
    """The quality of the most specific range in Accept that includes `media_type`; 0 for none.

    It ignores parameters other than the quality, since there is only one form of each type.
    """
    ranges = ("*/*", media_type.split("/")[0] + "/*", media_type)
    qualities = {
        value.split(";")[0].strip().lower(): quality for value, quality in request.accept_mimetypes
    }
    named = [qualities[name] for name in ranges if name in qualities]
    return float(named[-1]) if named else 0.0


def read_json(limit: int) -> object:
    """Parses the JSON body of the current request, which has at most `limit` bytes.

    Raises `Problem` 415 for another media type, encoding or charset, 413 for a body over the limit,
    and 400 for invalid JSON. Whole numbers of more than 18 digits become floats, or infinity beyond
    a float's range.
    """
    environ = request.environ  # werkzeug's views of it take ten times as long
    if environ.get("CONTENT_TYPE") != JSON or "HTTP_CONTENT_ENCODING" in environ:
        sent_as(JSON)
        encoding = request.headers.get("Content-Encoding", "identity")
        if encoding.lower() not in ("", "identity"):
            raise Cause.ENCODED.problem({"Accept-Encoding": "identity"}, sent=encoding)
    # werkzeug's own limit silently truncates a body without a length
    data: bytes = environ["wsgi.input"].read(check_length(environ, limit))
    if len(data) > limit:
        raise Cause.TOO_LARGE.problem(limit=limit)
    try:
        return decode(data)
    except InvalidJson as error:
        raise Cause.NOT_JSON.problem(message=str(error)) from None


def sent_as(*allowed: str) -> str:
    """The media type of the body. Raises `Problem` 415 if it is none of those `allowed`, or if its
    text isn't in UTF-8.
    """
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype in allowed and charset in ("utf-8", "utf8"):
        return request.mimetype
    sent = request.headers.get("Content-Type", "")
    named = {"sent": sent} if sent else {"missing": True}
    headers = {"Accept": ", ".join(allowed)}
    raise Cause.WRONG_MEDIA_TYPE.problem(headers, allowed=list(allowed), **named)


def check_length(environ: WSGIEnvironment, limit: int) -> int:
    """How many bytes of a body to read: its Content-Length (PEP 3333).

    Without one there is no body, unless the server ends `wsgi.input` where the body ends: then it
    is `limit` + 1. Raises `Problem` 413 if its length is over `limit`.
    """
    length = environ.get("CONTENT_LENGTH", "")
    if not length.isdecimal():
        return limit + 1 if environ.get("wsgi.input_terminated") else 0
    if int(length) > limit:
        raise Cause.TOO_LARGE.problem(limit=limit)
    return int(length)


class Body:
    """A body of at most `limit` bytes. Those of a gzip are counted after decompression.

    Reading raises `Problem` 413 if there are more, and 400 if the body or its gzip ends early, or
    the gzip is invalid.
    """

    def __init__(self, sent: SupportsRead[bytes], limit: int, *, is_gzip: bool) -> None:
        self._limit = self._left = limit
        self._read = self._read_some = sent.read
        if is_gzip:
            file = BufferedReader(_Gzip(sent))
            self._read, self._read_some = file.read, file.read1

    def read(self, size: int = -1) -> bytes:
        """Returns the next `size` bytes, fewer at the end; all that are left if it is negative."""
        if size < 0:
            return b"".join(self.pieces(_PIECE))
        return self._next(self._read, min(size, self._left + 1))

    def pieces(self, size: int) -> Iterator[bytes]:
        """Yields what is left in pieces of at most `size` bytes.

        Before it raises, it yields everything that could be read.
        """
        while piece := self._next(self._read_some, min(size, self._left) or 1):
            yield piece

    def _next(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            data = read(size)
        except EOFError:
            raise Cause.GZIP_ENDED.problem() from None
        except ClientDisconnected:
            raise Cause.SHORT_BODY.problem() from None
        except zlib.error:
            raise Cause.NOT_A_GZIP.problem() from None
        if len(data) > self._left:
            raise Cause.TOO_LARGE.problem(limit=self._limit)
        self._left -= len(data)
        return data


class _Gzip(RawIOBase):
    """Decompresses the gzip `sent`, which has one member, and perhaps zeros behind it.

    The `gzip` module would go on with any number of members. Even an empty one takes some time, so
    they would need a limit of their own. Reading raises `zlib.error` for an invalid gzip,
    `EOFError` if it ends early, and `Problem` 400 for anything behind it.
    """

    def __init__(self, sent: SupportsRead[bytes]) -> None:
        super().__init__()
        self._sent = sent
        self._compressed = sent.read(_COMPRESSED)
        self._empty = not self._compressed
        self._member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    def readable(self) -> bool:
        """Returns True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fills `buffer` as far as one read allows; returns the number of bytes."""
        if self._empty:
            return 0
        while not self._member.eof:
            compressed = self._compressed or self._sent.read(_COMPRESSED)
            data = self._member.decompress(compressed, len(buffer))
            self._compressed = self._member.unconsumed_tail
            if data:
                buffer[: len(data)] = data
                return len(data)
            if not compressed and not self._member.eof:
                raise EOFError
        behind = self._member.unused_data
        while behind:
            if behind.strip(b"\0"):
                raise Cause.BEHIND_GZIP.problem()
            behind = self._sent.read(_COMPRESSED)
        return 0
