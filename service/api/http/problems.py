"""Problem details (RFC 9457): every error as JSON that says what to mend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import orjson
from flask import Flask, Response, request
from marshmallow import ValidationError
from werkzeug.exceptions import (
    HTTPException,
    MethodNotAllowed,
    NotFound,
)
from werkzeug.http import HTTP_STATUS_CODES

from service.api.http.request_id import ENVIRON
from service.api.schemas.shared import UnknownField
from service.rules.violations import InvalidInput, Violation

MEDIA_TYPE = "application/problem+json"

MAX_ERRORS = 100
"""The most errors told at once; `detail` says how many there are."""

UNEXPECTED = "Something went wrong here; the log has it under this X-Request-ID."


class Problem(Exception):
    """An answer that is an error: the status, a sentence on what was wrong, and extra headers."""

    def __init__(
        self, status: HTTPStatus, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers or {}


def problem_body(
    status: int, detail: str, instance: str, errors: list[dict[str, str]] | None = None
) -> dict[str, Any]:
    """A problem details object; its `type` is about:blank, so the status says what kind it is."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTP_STATUS_CODES[status],
        "status": int(status),
        "detail": detail,
        "instance": instance,
    }
    if errors is not None:
        body["errors"] = errors
    return body


def unprocessable(error: ValidationError | InvalidInput, instance: str) -> dict[str, Any]:
    """The problem for a body that breaks the schema or the rules, with a pointer for each
    violation.
    """
    errors = [{"pointer": pointer, "detail": detail} for pointer, detail in violations_of(error)]
    told = errors[:MAX_ERRORS]
    where = told[0]["pointer"] or "The body"
    detail = f"{where} {told[0]['detail']}."
    count = len(errors) + (error.omitted if isinstance(error, InvalidInput) else 0)
    if count > 1:
        detail = f"{count} things are wrong; the first: {detail}"
    return problem_body(HTTPStatus.UNPROCESSABLE_ENTITY, detail, instance, told)


def violations_of(error: ValidationError | InvalidInput) -> Iterator[tuple[str, str]]:
    """Every violation in `error` as a JSON pointer (RFC 6901) and what would be right there."""
    if isinstance(error, InvalidInput):
        for violation in error.violations:
            yield _pointer(violation.path), violation.detail
    else:
        yield from _told(error.messages, "")


def _told(messages: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """The violations in marshmallow's nested messages, below `pointer`."""
    if isinstance(messages, Violation):
        yield pointer + _pointer(messages.path), messages.detail
    elif isinstance(messages, str):
        yield pointer, str(messages)
    elif isinstance(messages, Mapping):
        for key, inner in messages.items():
            if key == "_schema":
                for told in [inner] if isinstance(inner, str) else inner:
                    unknown = isinstance(told, UnknownField)
                    yield from _told(told, pointer + _pointer([key]) if unknown else pointer)
            else:
                yield from _told(inner, pointer + _pointer([key]))
    else:
        for inner in messages:
            yield from _told(inner, pointer)


def _pointer(path: Iterable[str | int]) -> str:
    """`path` as a JSON pointer."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def told(problem: Problem) -> Response:
    """`problem` as the response."""
    return respond(problem_body(problem.status, problem.detail, instance()), problem.headers)


def respond(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """A problem as the response."""
    return Response(
        orjson.dumps(body), body["status"], dict(headers or {}), content_type=MEDIA_TYPE
    )


def instance() -> str:
    """The path that was asked for, as a URI reference."""
    return quote(request.path)


def register(app: Flask) -> None:
    """Makes every error of `app` a problem."""
    app.register_error_handler(Problem, told)

    @app.errorhandler(ValidationError)
    @app.errorhandler(InvalidInput)
    def refused(error: ValidationError | InvalidInput) -> Response:
        return respond(unprocessable(error, instance()))

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
        headers = {}
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            headers["Allow"] = ", ".join(sorted(error.valid_methods))
        return respond(problem_body(status, _detail(error), instance()), headers)

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        app.logger.error("request %s failed", request.environ[ENVIRON], exc_info=error)
        return respond(problem_body(HTTPStatus.INTERNAL_SERVER_ERROR, UNEXPECTED, instance()))


def _detail(error: HTTPException) -> str:
    match error:
        case NotFound():
            return (
                "There is nothing at this path. /v1/variants lists the variants with their links, "
                "/openapi.yaml all there is."
            )
        case MethodNotAllowed():
            allowed = ", ".join(sorted(error.valid_methods or ()))
            return f"{request.method} is not allowed here; allowed: {allowed}."
        case _:
            return error.description or HTTP_STATUS_CODES[error.code or 500]
