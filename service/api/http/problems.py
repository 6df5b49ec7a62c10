"""Responses to errors: problem details (RFC 9457), with every violation and where it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest, MethodNotAllowed, NotFound

from service.api.http.causes import Cause
from service.api.http.languages import words
from service.api.http.problem_details import MEDIA_TYPE, Problem, problem_body
from service.api.http.request_id import ENVIRON
from service.rules.sentences import Sentence, fill_in
from service.rules.violations import InvalidInput
from service.tables import NotReady

MAX_ERRORS = 100
"""The most errors listed in one response; `count` says how many there are."""


def unprocessable(
    error: InvalidInput, instance: str, cause: Cause = Cause.INVALID
) -> dict[str, Any]:
    """The problem for a body that violates the schema or the rules; `errors` has the violations."""
    said = words()
    found = violations_of(error)
    (pointer, first), count = found[0], len(found) + error.omitted
    several = {"count": count} if count > 1 else {}
    where = {"pointer": pointer} if pointer else {"body": True}
    detail = fill_in(cause.template, {**several, **where, "why": first}, said)
    errors = [
        {"pointer": pointer, **breach.json, "detail": breach.text(said)}
        for pointer, breach in found[:MAX_ERRORS]
    ]
    body = problem_body(cause, detail, instance, said, several)
    return {**body, "errors": errors}


def violations_of(error: InvalidInput) -> list[tuple[str, Sentence]]:
    """Each violation in `error`: a JSON pointer (RFC 6901), and what would be right there."""
    return [
        (
            "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in each.path),
            each.detail,
        )
        for each in error.violations
    ]


def not_ready(why: NotReady) -> Problem:
    """The problem of a request that needs a table which isn't there."""
    headers = {"Retry-After": str(why.retry_after)}
    return Cause.TABLE_IN_THE_MAKING.problem(headers, why=why.reason, seconds=why.retry_after)


def problem_response(problem: Problem) -> Response:
    """The response for `problem`."""
    return respond(problem.body(instance(), words()), problem.headers)


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

    @app.errorhandler(InvalidInput)
    def refused(error: InvalidInput) -> Response:
        return respond(unprocessable(error, instance()))

    @app.errorhandler(NotReady)
    def table_missing(why: NotReady) -> Response:
        return problem_response(not_ready(why))

    @app.errorhandler(NotFound)
    def not_found(_: NotFound) -> Response:
        return problem_response(Cause.NOT_FOUND.problem())

    @app.errorhandler(BadRequest)
    def bad_request(error: BadRequest) -> Response:
        return problem_response(Cause.UNPARSABLE.problem(message=error.description or error.name))

    @app.errorhandler(MethodNotAllowed)
    def method_not_allowed(error: MethodNotAllowed) -> Response:
        allowed = sorted(error.valid_methods or ())
        headers = {"Allow": ", ".join(allowed)}
        cause = Cause.METHOD_NOT_ALLOWED
        return problem_response(cause.problem(headers, method=request.method, allowed=allowed))

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        app.logger.error("request %s failed", request.environ[ENVIRON], exc_info=error)
        return problem_response(Cause.UNEXPECTED.problem())
