"""Conditional requests (RFC 9110, 13): entity tags, and responses that never change."""

from __future__ import annotations

import gzip
import mimetypes
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from http import HTTPStatus

from flask import Response, request

from service.api.http.bodies import empty_response

NO_TRANSFORM = "no-transform"
"""What the `Cache-Control` of every response with an ETag says: a proxy that compresses it would
make the ETag weak, or another one.
"""

_TAG = r'(?:W/)?"[!\x23-\x7e\x80-\xff]*"'
_ITEM = rf"[ \t]*(?:{_TAG}[ \t]*)?"
_LIST = re.compile(f"{_ITEM}(?:,{_ITEM})*").fullmatch
_TAGS = re.compile(r'(W/)?"([^"]*)"').findall


@dataclass(frozen=True, slots=True)
class EntityTags:
    """The tags in a header, without quotes. They are compared as texts, never as numbers.

    If-Match compares only the `strong` ones, If-None-Match compares `all`, weak ones too. `star` is
    true for `*`, which matches anything. A header that can't be parsed has no tags.
    """

    star: bool
    strong: frozenset[str]
    all: frozenset[str]


def read_tags(header: str) -> EntityTags:
    """Parses `header`, the value of If-Match or If-None-Match."""
    if header.strip(" \t") == "*":
        return EntityTags(True, frozenset(), frozenset())
    pairs = _TAGS(header) if _LIST(header) else []
    strong = frozenset([tag for weak, tag in pairs if not weak])
    return EntityTags(False, strong, frozenset([tag for _, tag in pairs]))


_REVALIDATE = f"no-cache, {NO_TRANSFORM}"
_LONG_LIVED = f"public, max-age=31536000, immutable, {NO_TRANSFORM}"

_SVG = "image/svg+xml"


class Constant:
    """A response with `body` that never changes while the service runs.

    It is compressed once, when the first client accepts gzip. Images are compressed already, except
    SVG.
    """

    def __init__(self, body: bytes, media_type: str) -> None:
        self._body, self._media_type = body, media_type
        self._compresses = media_type == _SVG or not media_type.startswith("image/")
        self.digest = sha256(body).hexdigest()[:32]

    @classmethod
    def of_file(cls, name: str, body: bytes) -> Constant:
        """The content of a file, whose `name` says its type."""
        return cls(body, mimetypes.guess_type(name)[0] or "application/octet-stream")

    def respond(self, *, long_lived: bool = False) -> Response:
        """The response to the current request, as a gzip if the client prefers that. It may be
        `long_lived` if its URL changes with its content; else caches have to ask each time.

        It is a 304 if the client has it (If-None-Match). The gzip has an ETag of its own, since
        strong ETags name bytes.
        """
        zipped = self._compresses and prefers_gzip()
        etag = f"{self.digest}-gzip" if zipped else self.digest
        known = read_tags(request.environ.get("HTTP_IF_NONE_MATCH", ""))
        if known.star or etag in known.all:
            response = empty_response(HTTPStatus.NOT_MODIFIED)
        else:
            body = self._gzip if zipped else self._body
            response = Response(body, content_type=self._media_type)
            if zipped:
                response.headers["Content-Encoding"] = "gzip"
        response.set_etag(etag)
        response.headers["Cache-Control"] = _LONG_LIVED if long_lived else _REVALIDATE
        if self._compresses:
            response.headers["Vary"] = "Accept-Encoding"
        return response

    @cached_property
    def _gzip(self) -> bytes:
        return gzip.compress(self._body, mtime=0)  # every worker sends the same bytes


def prefers_gzip() -> bool:
    """Whether the client of the current request prefers a gzip (RFC 9110, 12.5.3).

    Without Accept-Encoding nothing is compressed: old clients send none. A client that rules out
    everything gets the plain response, as from the paths that don't compress.
    """
    accepted = request.accept_encodings
    return 0 < accepted.quality("gzip") >= accepted.quality("identity")
