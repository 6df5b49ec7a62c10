"""JSON requests and responses: media types, strict parsing."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import orjson
from flask import Response, request

from service.api.http.incoming import check_length, too_large
from service.api.http.problems import Problem
from service.rules.sentences import any_of
from service.strict_json import InvalidJson, decode

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

JSON = "application/json"


def json_response(value: Any) -> Response:
    """A response with `value` as compact JSON."""
    return Response(orjson.dumps(value), content_type=JSON)


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
        raise Problem(
            HTTPStatus.NOT_ACCEPTABLE,
            f"The response is {any_of(media_types)}; Accept allows: {request.accept_mimetypes}.",
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
        _require_json()
    data = _read_body(environ, limit)
    try:
        return decode(data)
    except InvalidJson as error:
        raise not_json(error) from None


def _read_body(environ: WSGIEnvironment, limit: int) -> bytes:
    """Reads the body. werkzeug's own limit silently truncates a body without a length."""
    data: bytes = environ["wsgi.input"].read(check_length(environ, limit))
    if len(data) > limit:
        raise too_large(limit)
    return data


def _require_json() -> None:
    content_type = request.headers.get("Content-Type", "")
    charset = request.mimetype_params.get("charset", "utf-8")
    if request.mimetype != JSON or charset.lower() not in ("utf-8", "utf8"):
        detail = f"The body must be {JSON} in UTF-8; Content-Type is {content_type or 'missing'}."
        raise unsupported_type(detail, JSON)
    encoding = request.headers.get("Content-Encoding", "identity")
    if encoding.lower() not in ("", "identity"):
        raise Problem(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"The body must not be encoded; Content-Encoding is {encoding}.",
            {"Accept-Encoding": "identity"},
        )


def unsupported_type(detail: str, *media_types: str) -> Problem:
    """The problem for a body whose type is none of `media_types`."""
    headers = {"Accept": ", ".join(media_types)}
    return Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, detail, headers)


def not_json(why: InvalidJson) -> Problem:
    """The problem for a body that isn't valid JSON."""
    return Problem(HTTPStatus.BAD_REQUEST, f"The body is not valid JSON: {why}.")
