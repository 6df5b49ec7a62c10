"""Examples of the problems that operations share. The tests get each from a running service."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from service.api.http.problems import MEDIA_TYPE, problem_body, unprocessable
from service.api.sessions.answers import PATH
from service.api.sessions.views import MAX_WAIT
from service.contract.sessions.examples import ID
from service.rules.violations import InvalidInput, Violation

DETAILS: Mapping[HTTPStatus, Mapping[str, str]] = {
    HTTPStatus.BAD_REQUEST: {
        "not_json": "The body is not valid JSON: Expecting property name enclosed in double "
        "quotes, at line 1, column 2.",
    },
    HTTPStatus.NOT_ACCEPTABLE: {
        "image": "The response is application/json; Accept allows: image/png.",
    },
    HTTPStatus.REQUEST_TIMEOUT: {
        "stalled": "The body stalled for 5 seconds, or came slower than 1 KiB a second.",
    },
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: {
        "too_large": "The body may hold at most 1048576 bytes.",
    },
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: {
        "text": "The body must be application/json in UTF-8; Content-Type is text/plain.",
    },
}
"""The details of problems of operations without a state, by status and name."""

SESSION_DETAILS: Mapping[HTTPStatus, Mapping[str, str]] = {
    HTTPStatus.UNAUTHORIZED: {
        "no_token": "A token of the session is needed: Authorization: Bearer … The response that "
        "created the session has the table token and each player's token.",
    },
    HTTPStatus.FORBIDDEN: {
        "other_session": "The token doesn't belong to this session.",
        "not_the_table": "Only the table token can delete a session.",
    },
    HTTPStatus.NOT_FOUND: {
        "unknown": "There is no such session: it never existed, was deleted, or expired because "
        "nobody acted in it before expires_at.",
    },
    HTTPStatus.CONFLICT: {
        "key_reused": "This Idempotency-Key was used for another action of this session; nothing "
        "was done. Use a new key for each action.",
        "other_body": "This Idempotency-Key was used with another body; nothing was done. Use a "
        "new key for each session, such as a random UUID.",
        "session_gone": "The session that this Idempotency-Key created was deleted or has expired; "
        "nothing was done. Use a new key for each session, such as a random UUID.",
        "newer_release": "A newer release of the service wrote this session, and this one can't "
        "read it; use an up-to-date one.",
    },
    HTTPStatus.PRECONDITION_FAILED: {
        "stale": "The session is at version 2, which If-Match doesn't name; read it again and "
        "decide again.",
    },
    HTTPStatus.PRECONDITION_REQUIRED: {
        "no_version": "If-Match must name the version that this action is for: the ETag of the "
        'session, with its quotes, or the number of its version: If-Match: "7".',
    },
    HTTPStatus.SERVICE_UNAVAILABLE: {
        "reading": "The store of sessions is unavailable; try again.",
        "changing": "The store of sessions is unavailable; nothing was done. Try again.",
    },
}
"""The details of problems of sessions, by status and name."""


def problem_content(status: HTTPStatus, path: str) -> dict[str, Any]:
    """The content of the response of `status`, with examples; `path` is one without a state."""
    return with_examples(
        {
            name: problem_body(status, detail, instance)
            for details, instance in ((DETAILS, path), (SESSION_DETAILS, f"{PATH}/{ID}"))
            for name, detail in details.get(status, {}).items()
        }
    )


def refused_wait() -> dict[str, Any]:
    """The content of the response for an invalid `wait`."""
    wait = Violation(("wait",), f"must be a whole number of seconds between 0 and {MAX_WAIT}")
    return with_examples({"wait": unprocessable(InvalidInput(wait), f"{PATH}/{ID}")})


def with_examples(problems: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a response with a problem, and examples of it."""
    return {
        MEDIA_TYPE: {
            "schema": {"$ref": "#/components/schemas/Problem"},
            "examples": {name: {"value": problem} for name, problem in problems.items()},
        }
    }
