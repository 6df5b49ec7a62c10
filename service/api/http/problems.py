"""Problem details (RFC 9457): every error response is JSON that says what is wrong."""

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
from service.api.schemas.requests import UnknownField
from service.rules.violations import InvalidInput, Violation

MEDIA_TYPE = "application/problem+json"

MAX_ERRORS = 100
"""The most errors listed in one response; `detail` says how many there are."""

UNEXPECTED = "An unexpected error occurred; the log has it under this X-Request-ID."


class Problem(Exception):
    """An error response: its status, a sentence that says what is wrong, and extra headers."""

    def __init__(
        self, status: HTTPStatus, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers or {}


def problem_body(
    status: int, detail: str, instance: str, errors: list[dict[str, str]] | None = None
) -> dict[str, Any]:
    """A problem details object. Its `type` is about:blank: the status says what kind it is."""
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
    """The problem for a body that violates the schema or the rules; `errors` has the violations."""
    errors = [{"pointer": pointer, "detail": detail} for pointer, detail in violations_of(error)]
    first = errors[0]
    detail = f"{first['pointer'] or 'The body'} {first['detail']}."
    count = len(errors) + (error.omitted if isinstance(error, InvalidInput) else 0)
    if count > 1:
        detail = f"{count} violations; the first: {detail}"
    return problem_body(HTTPStatus.UNPROCESSABLE_ENTITY, detail, instance, errors[:MAX_ERRORS])


def violations_of(error: ValidationError | InvalidInput) -> Iterator[tuple[str, str]]:
    """Each violation in `error`: a JSON pointer (RFC 6901), and what would be right there."""
    if isinstance(error, InvalidInput):
        for violation in error.violations:
            yield _pointer(violation.path), violation.detail
    else:
        yield from _flatten(error.messages, "")


def _flatten(messages: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """The violations in marshmallow's nested messages, below `pointer`."""
    if isinstance(messages, Violation):
        yield pointer + _pointer(messages.path), messages.detail
    elif isinstance(messages, str):
        yield pointer, str(messages)
    elif isinstance(messages, Mapping):
        for key, inner in messages.items():
            if key == "_schema":
                for message in [inner] if isinstance(inner, str) else inner:
                    unknown = isinstance(message, UnknownField)
                    yield from _flatten(message, pointer + _pointer([key]) if unknown else pointer)
            else:
                yield from _flatten(inner, pointer + _pointer([key]))
    else:
        for inner in messages:
            yield from _flatten(inner, pointer)


def _pointer(path: Iterable[str | int]) -> str:
    """`path` as a JSON pointer."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def problem_response(problem: Problem) -> Response:
    """The response for `problem`."""
    return respond(problem_body(problem.status, problem.detail, instance()), problem.headers)


def respond(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """A response with the problem details `body`."""
    return Response(
        orjson.dumps(body), body["status"], dict(headers or {}), content_type=MEDIA_TYPE
    )


def instance() -> str:
    """The path of the current request as a URI reference."""
    return quote(request.path)


def register(app: Flask) -> None:
    """Makes `app` respond to every error with problem details."""
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(HTTPException, http_problem)

    @app.errorhandler(ValidationError)
    @app.errorhandler(InvalidInput)
    def refused(error: ValidationError | InvalidInput) -> Response:
        return respond(unprocessable(error, instance()))

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        app.logger.error("request %s failed", request.environ[ENVIRON], exc_info=error)
        return respond(problem_body(HTTPStatus.INTERNAL_SERVER_ERROR, UNEXPECTED, instance()))


def http_problem(error: HTTPException) -> Response:
    """The response for an `error` that Flask raises."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    headers = {}
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return respond(problem_body(status, _detail(error), instance()), headers)


def not_allowed(method: str, allowed: Iterable[str]) -> str:
    """The detail for a `method` that isn't among those `allowed`."""
    return f"{method} is not allowed here; allowed: {', '.join(sorted(allowed))}."


def _detail(error: HTTPException) -> str:
    match error:
        case NotFound():
            return (
                "There is nothing at this path. /v1/variants lists the variants and their links; "
                "/openapi.yaml describes every path."
            )
        case MethodNotAllowed():
            return not_allowed(request.method, error.valid_methods or ())
        case _:
            return error.description or HTTP_STATUS_CODES[error.code or 500]
