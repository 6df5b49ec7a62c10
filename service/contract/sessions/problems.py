"""The problems of sessions, with an example of each cause."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from service.api.http.bodies import JSON
from service.api.http.problems import unprocessable
from service.api.sessions import advice, review
from service.api.sessions.answers import PATH
from service.api.sessions.problems import ENDED, STORE_FULL, too_many_detail
from service.api.sessions.views import MAX_WAIT, NO_SESSION_YET
from service.contract.problems import (
    BODY,
    NO_TOKEN,
    NOT_READY,
    UNKNOWN,
    Cause,
    not_acceptable,
    problem_responses,
    with_examples,
)
from service.contract.sessions.examples import ID
from service.rules.violations import InvalidInput, Violation

SESSION = f"{PATH}/{ID}"
EVENTS = f"{SESSION}/events"
ACTIONS = f"{SESSION}/actions"
ADVICE = f"{SESSION}/advice"
REVIEW = f"{SESSION}/review"

OTHER_SESSION = Cause(
    "other_session", HTTPStatus.FORBIDDEN, "The token doesn't belong to this session."
)
OTHER_PLAYER = Cause(
    "other_player",
    HTTPStatus.FORBIDDEN,
    "The token belongs to player 2, but the action is for player 1.",
)
NOT_THE_TABLE = Cause(
    "not_the_table", HTTPStatus.FORBIDDEN, "Only the table token can delete a session."
)
KEY_REUSED = Cause(
    "key_reused",
    HTTPStatus.CONFLICT,
    "This Idempotency-Key was used for another action of this session; nothing was done. Use a "
    "new key for each action.",
)
SHORT_KEY = Cause(
    "short_key",
    HTTPStatus.BAD_REQUEST,
    "Idempotency-Key must be one value of 16 to 255 visible ASCII characters, such as a random "
    "UUID: whoever repeats the request gets the tokens.",
)
OTHER_BODY = Cause(
    "other_body",
    HTTPStatus.CONFLICT,
    "This Idempotency-Key was used with another body; nothing was done. Use a new key for each "
    "session, such as a random UUID.",
)
SESSION_GONE = Cause(
    "session_gone",
    HTTPStatus.CONFLICT,
    "The session that this Idempotency-Key created was deleted or has expired; nothing was done. "
    "Use a new key for each session, such as a random UUID.",
)
NEWER_RELEASE = Cause(
    "newer_release",
    HTTPStatus.CONFLICT,
    "A newer release of the service wrote this session, and this one can't read it; use an "
    "up-to-date one.",
)
STALE = Cause(
    "stale",
    HTTPStatus.PRECONDITION_FAILED,
    "The session is at version 2, which If-Match doesn't name; read it again and decide again.",
)
NO_SESSION = Cause("no_session", HTTPStatus.PRECONDITION_FAILED, NO_SESSION_YET)
NO_VERSION = Cause(
    "no_version",
    HTTPStatus.PRECONDITION_REQUIRED,
    "If-Match must name the version that this action is for, by its number in quotes: "
    'If-Match: "7".',
)
READING = Cause(
    "reading",
    HTTPStatus.SERVICE_UNAVAILABLE,
    "The store of sessions is unavailable; try again.",
)
CHANGING = Cause(
    "changing",
    HTTPStatus.SERVICE_UNAVAILABLE,
    "The store of sessions is unavailable; nothing was done. Try again.",
)

FULL = Cause("full", HTTPStatus.SERVICE_UNAVAILABLE, STORE_FULL)
TOO_MANY = Cause("too_many", HTTPStatus.TOO_MANY_REQUESTS, too_many_detail(600, 6))
TOO_LONG = Cause("too_long", HTTPStatus.CONFLICT, ENDED)

NOT_OVER = Cause("not_over", HTTPStatus.FORBIDDEN, review.NOT_OVER)
NO_REVIEW = Cause("no_review", HTTPStatus.NOT_FOUND, review.NO_REVIEW)
NOT_AGREED = Cause("not_agreed", HTTPStatus.CONFLICT, advice.NOT_AGREED)
NO_DECISION = Cause("no_decision", HTTPStatus.CONFLICT, advice.NO_DECISION)

OF_A_SESSION = (NO_TOKEN, OTHER_SESSION, UNKNOWN, NEWER_RELEASE)
"""The problems of every operation on a session, except those of the store."""

NEWER = "a newer release wrote the session"
NO_STORE = "The session store is unavailable"
NO_STORE_OR_TABLE = f"{NO_STORE}, or a table has to be made first."
NOTHING_DONE = "Nothing was done, unless `detail` says that the outcome is unknown."


def creating() -> dict[str, Any]:
    """The responses of `POST /v1/sessions` for problems."""
    responses = problem_responses(
        PATH,
        (
            *BODY,
            SHORT_KEY,
            NO_SESSION,
            OTHER_BODY,
            SESSION_GONE,
            NEWER_RELEASE,
            TOO_MANY,
            CHANGING,
            FULL,
        ),
        {
            HTTPStatus.BAD_REQUEST: "The body is not valid JSON, or the idempotency key is "
            "malformed or too short.",
            HTTPStatus.CONFLICT: "The idempotency key was used with another body, the session that "
            f"it created is gone, or {NEWER}.",
            HTTPStatus.PRECONDITION_FAILED: "The request has If-Match, which nothing can match.",
            HTTPStatus.TOO_MANY_REQUESTS: "The client has used up its units (`RATE_LIMIT`), or has "
            "created too many sessions (`SESSION_LIMIT`).",
            HTTPStatus.SERVICE_UNAVAILABLE: f"{NO_STORE} or full. {NOTHING_DONE}",
        },
    )
    del responses["412"]["headers"]["ETag"]  # there is no session yet
    return responses


def reading(path: str) -> dict[str, Any]:
    """The responses of the GET of `path` for problems."""
    return problem_responses(
        path,
        (*OF_A_SESSION, not_acceptable(JSON), READING),
        {
            HTTPStatus.FORBIDDEN: "The token belongs to another session.",
            HTTPStatus.CONFLICT: f"{NEWER.capitalize()}.",
            HTTPStatus.SERVICE_UNAVAILABLE: f"{NO_STORE}.",
        },
    )


def advising() -> dict[str, Any]:
    """The responses of `GET /v1/sessions/{session_id}/advice` for problems."""
    return problem_responses(
        ADVICE,
        (*OF_A_SESSION, NOT_AGREED, NO_DECISION, not_acceptable(JSON), READING, NOT_READY),
        {
            HTTPStatus.FORBIDDEN: "The token belongs to another session.",
            HTTPStatus.CONFLICT: "The session was created without advice, there is nothing to "
            f"advise on, or {NEWER}.",
            HTTPStatus.SERVICE_UNAVAILABLE: NO_STORE_OR_TABLE,
        },
    )


def reviewing() -> dict[str, Any]:
    """The responses of `GET /v1/sessions/{session_id}/review` for problems."""
    return problem_responses(
        REVIEW,
        (*OF_A_SESSION, NOT_OVER, NO_REVIEW, not_acceptable(JSON), READING, NOT_READY),
        {
            HTTPStatus.FORBIDDEN: "The token belongs to another session, or to a player of a game "
            "that isn't over.",
            HTTPStatus.NOT_FOUND: "There is no such session, or its game has no reviews.",
            HTTPStatus.CONFLICT: f"{NEWER.capitalize()}.",
            HTTPStatus.SERVICE_UNAVAILABLE: NO_STORE_OR_TABLE,
        },
    )


def acting() -> dict[str, Any]:
    """The responses of `POST /v1/sessions/{session_id}/actions` for problems."""
    return problem_responses(
        ACTIONS,
        (
            *OF_A_SESSION,
            OTHER_PLAYER,
            KEY_REUSED,
            TOO_LONG,
            *BODY,
            STALE,
            NO_VERSION,
            CHANGING,
            FULL,
        ),
        {
            HTTPStatus.FORBIDDEN: "The token belongs to another session or player.",
            HTTPStatus.CONFLICT: "The idempotency key was used for another action, the session has "
            f"as many events as it may have, or {NEWER}.",
            HTTPStatus.SERVICE_UNAVAILABLE: f"{NO_STORE} or full, or too many clients act in the "
            f"session at once. {NOTHING_DONE}",
        },
    )


def deleting() -> dict[str, Any]:
    """The responses of `DELETE /v1/sessions/{session_id}` for problems."""
    return problem_responses(
        SESSION,
        (*OF_A_SESSION, NOT_THE_TABLE, not_acceptable(JSON), STALE, CHANGING),
        {
            HTTPStatus.FORBIDDEN: "The token belongs to another session or to a player.",
            HTTPStatus.CONFLICT: f"{NEWER.capitalize()}.",
            HTTPStatus.SERVICE_UNAVAILABLE: f"{NO_STORE}, or too many clients act in the session "
            f"at once. {NOTHING_DONE}",
        },
    )


def refused_wait() -> dict[str, Any]:
    """The content of the response for an invalid `wait`."""
    wait = Violation(("wait",), f"must be a whole number of seconds between 0 and {MAX_WAIT}")
    return with_examples({"wait": unprocessable(InvalidInput(wait), SESSION)})
