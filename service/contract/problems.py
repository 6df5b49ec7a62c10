"""The problems that operations return, with an example of each cause.

The tests get every example from a running service.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from apispec import APISpec

from service.api.http.bodies import JSON
from service.api.http.problems import MEDIA_TYPE, problem_body
from service.api.operations.operation import Operation
from service.contract.parts import response
from service.rules.sentences import any_of


class Cause(NamedTuple):
    """Why an operation refuses a request."""

    name: str
    """The name of the example."""

    status: HTTPStatus
    detail: str


def not_acceptable(*media_types: str) -> Cause:
    """The response is of one of `media_types`; the client wants an image."""
    detail = f"The response is {any_of(media_types)}; Accept allows: image/png."
    return Cause("image", HTTPStatus.NOT_ACCEPTABLE, detail)


def not_typed(accepted: str) -> Cause:
    """The body is a plain text; `accepted` says what it must be."""
    detail = f"The body must be {accepted}; Content-Type is text/plain."
    return Cause("text", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, detail)


def too_large(detail: str) -> Cause:
    """The body is too large; `detail` says the limit."""
    return Cause("too_large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)


NOT_JSON = Cause(
    "not_json",
    HTTPStatus.BAD_REQUEST,
    "The body is not valid JSON: Expecting property name enclosed in double quotes, at line 1, "
    "column 2.",
)
STALLED = Cause(
    "stalled",
    HTTPStatus.REQUEST_TIMEOUT,
    "The body stalled for 5 seconds, or came slower than 1 KiB a second.",
)
TOO_LARGE = too_large("The body may hold at most 1048576 bytes.")

BODY = (NOT_JSON, not_acceptable(JSON), STALLED, TOO_LARGE, not_typed(f"{JSON} in UTF-8"))
"""The problems of every operation with a body of JSON; what breaks the schema is apart."""

_SHARED = {cause.status: f"Problem{int(cause.status)}" for cause in BODY}
"""The components of the responses for `BODY`, which all operations of variants share."""

DESCRIPTIONS: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "The body is not valid JSON: it is cut short, is not UTF-8, or has a "
    "duplicate key or NaN.",
    HTTPStatus.UNAUTHORIZED: "The request has no token.",
    HTTPStatus.NOT_FOUND: "There is no such session: it never existed, was deleted, or expired.",
    HTTPStatus.NOT_ACCEPTABLE: "Accept excludes the media type of the response.",
    HTTPStatus.REQUEST_TIMEOUT: "The body stalled or arrived too slowly.",
    HTTPStatus.PRECONDITION_FAILED: "If-Match doesn't match the session: it names another "
    "version, a version that the store has lost, or no version in quotes.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body exceeds a limit of the server.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body has an unsupported media type or encoding.",
    HTTPStatus.PRECONDITION_REQUIRED: "If-Match is missing.",
}
"""What each status means, if it means the same for all operations."""


def declare(spec: APISpec, path: str) -> None:
    """Adds the responses for `BODY` to `spec`; their examples are those of the operation `path`."""
    made = problem_responses(path, BODY)
    for status, name in _SHARED.items():
        spec.components.response(name, made[str(int(status))])


def body_responses() -> dict[str, Any]:
    """The responses for `BODY` by status, as references to what `declare` adds."""
    return {
        str(int(status)): {"$ref": f"#/components/responses/{name}"}
        for status, name in sorted(_SHARED.items())
    }


def waiting_responses(operation: Operation) -> dict[str, Any]:
    """The response while what `operation` needs is being made, if it can be missing."""
    if not operation.waits:
        return {}
    cause = Cause("not_ready", HTTPStatus.SERVICE_UNAVAILABLE, operation.begun)
    return problem_responses(operation.path, [cause], {cause.status: operation.waits})


def problem_responses(
    path: str,
    causes: Iterable[Cause],
    descriptions: Mapping[HTTPStatus, str] | None = None,
) -> dict[str, Any]:
    """The responses of an operation for `causes`, by status; `path` is that of the examples.

    `descriptions` are the operation's own, by status.
    """
    described = {**DESCRIPTIONS, **(descriptions or {})}
    problems: dict[HTTPStatus, dict[str, Any]] = {}
    for name, status, detail in causes:
        problems.setdefault(status, {})[name] = problem_body(status, detail, path)
    return {
        str(int(status)): response(described[status], with_examples(examples), _headers(status))
        for status, examples in sorted(problems.items())
    }


def with_examples(problems: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a response with a problem, and examples of it."""
    return {
        MEDIA_TYPE: {
            "schema": {"$ref": "#/components/schemas/Problem"},
            "examples": {name: {"value": problem} for name, problem in problems.items()},
        }
    }


def _headers(status: HTTPStatus) -> dict[str, Any]:
    """The headers that only problems of `status` have."""
    name = {
        HTTPStatus.UNAUTHORIZED: "WWW-Authenticate",
        HTTPStatus.PRECONDITION_FAILED: "ETag",
        HTTPStatus.SERVICE_UNAVAILABLE: "Retry-After",
    }.get(status)
    return {name: {"$ref": f"#/components/headers/{name.replace('-', '')}"}} if name else {}
