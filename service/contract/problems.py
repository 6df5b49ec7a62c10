"""The problems that operations return, with an example of each cause.

The tests get every example from a running service.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from service.api.http.bodies import JSON
from service.api.http.problems import MEDIA_TYPE, problem_body
from service.api.operations.operation import Operation
from service.api.operations.scorecard_advice import BEGUN, not_ready
from service.api.rate_limit import refused_detail
from service.contract.parts import PROBLEM_SCHEMA, response
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

NO_TOKEN = Cause(
    "no_token",
    HTTPStatus.UNAUTHORIZED,
    "A token of the session is needed: Authorization: Bearer … The response that created the "
    "session has the table token and each player's token.",
)
UNKNOWN = Cause(
    "unknown",
    HTTPStatus.NOT_FOUND,
    "There is no such session: it never existed, was deleted, or expired because nobody acted in "
    "it before expires_at.",
)
LIMITED = Cause("limited", HTTPStatus.TOO_MANY_REQUESTS, refused_detail(60, 1))
NOT_READY = Cause("not_ready", HTTPStatus.SERVICE_UNAVAILABLE, str(not_ready(BEGUN)))

NO_STORE = Cause(
    "no_store",
    HTTPStatus.SERVICE_UNAVAILABLE,
    "The store of sessions can't be reached (Connection refused).",
)

_SHARED = {
    cause: f"Problem{int(cause.status)}" for cause in (*BODY, NO_TOKEN, UNKNOWN, LIMITED, NOT_READY)
}
"""The components of the responses that several operations share, each for one cause alone."""

DESCRIPTIONS: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "The body is not valid JSON: it is cut short, is not UTF-8, or has a "
    "duplicate key or NaN.",
    HTTPStatus.UNAUTHORIZED: "The request has no token.",
    HTTPStatus.NOT_FOUND: "There is no such session: it never existed, was deleted, or expired.",
    HTTPStatus.NOT_ACCEPTABLE: "Accept excludes the media type of the response.",
    HTTPStatus.REQUEST_TIMEOUT: "The body stalled or arrived too slowly.",
    HTTPStatus.PRECONDITION_FAILED: "If-Match doesn't match the session: it names another "
    "version, a version that the store has lost, or no version in quotes. Or If-None-Match does.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body exceeds a limit of the server.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body has an unsupported media type or encoding.",
    HTTPStatus.PRECONDITION_REQUIRED: "If-Match is missing.",
    HTTPStatus.TOO_MANY_REQUESTS: "The client has used up its units (`RATE_LIMIT`).",
    HTTPStatus.SERVICE_UNAVAILABLE: "The table for these house rules has to be made first; that "
    "takes seconds.",
}
"""What each status means, if it means the same for all operations."""


def shared_responses(operations: Sequence[Operation], session: str) -> dict[str, Any]:
    """The responses that operations share, by the name of their component.

    The examples are those of the first of `operations` that has the problem; for problems of
    sessions, those of the path `session`.
    """
    made = {}
    for cause, name in _SHARED.items():
        paths = [each.path for each in operations if each.waits or cause is not NOT_READY]
        if cause in (NO_TOKEN, UNKNOWN):
            paths = [session]
        for path in paths[:1]:
            made[name] = _made(path, [cause], DESCRIPTIONS)
    return made


def problem_responses(
    path: str,
    causes: Iterable[Cause],
    descriptions: Mapping[HTTPStatus, str] | None = None,
) -> dict[str, Any]:
    """The responses of an operation for `causes`, by status; `path` is that of the examples.

    Every operation but `/livez` may also be refused by the rate limit, `/readyz` with a query.

    `descriptions` are the operation's own, by status. A response that operations share is a
    reference to one of `shared_responses`.
    """
    own = descriptions or {}
    if path != "/livez":
        causes = (*causes, LIMITED)
    by_status: dict[HTTPStatus, list[Cause]] = {}
    for cause in causes:
        by_status.setdefault(cause.status, []).append(cause)
    made: dict[str, Any] = {}
    for status, several in sorted(by_status.items()):
        shared = _SHARED.get(several[0]) if len(several) == 1 and status not in own else None
        made[str(int(status))] = (
            {"$ref": f"#/components/responses/{shared}"}
            if shared
            else _made(path, several, {**DESCRIPTIONS, **own})
        )
    return made


def _made(
    path: str, causes: Sequence[Cause], descriptions: Mapping[HTTPStatus, str]
) -> dict[str, Any]:
    """The response for `causes`, which have the same status."""
    status = causes[0].status
    examples = {name: problem_body(status, detail, path) for name, _, detail in causes}
    return response(descriptions[status], with_examples(examples), _headers(status))


def with_examples(problems: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a response with a problem, and examples of it."""
    return {
        MEDIA_TYPE: {
            "schema": PROBLEM_SCHEMA,
            "examples": {name: {"value": problem} for name, problem in problems.items()},
        }
    }


def _headers(status: HTTPStatus) -> dict[str, Any]:
    """The headers that only problems of `status` have."""
    names = {
        HTTPStatus.UNAUTHORIZED: ("WWW-Authenticate",),
        HTTPStatus.PRECONDITION_FAILED: ("ETag",),
        HTTPStatus.TOO_MANY_REQUESTS: ("Retry-After", "RateLimit", "RateLimit-Policy"),
        HTTPStatus.SERVICE_UNAVAILABLE: ("Retry-After",),
    }.get(status, ())
    return {name: {"$ref": f"#/components/headers/{name.replace('-', '')}"} for name in names}
