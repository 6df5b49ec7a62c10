"""The errors of sessions as problems."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, request

from service.api.http.entity_tags import NO_TRANSFORM
from service.api.http.problems import Problem, instance, problem_response, respond, unprocessable
from service.api.http.request_id import ENVIRON
from service.api.sessions.answers import actions_json
from service.sessions.store.codec import Damaged, NewerRelease
from service.sessions.store.failures import (
    NotAsked,
    NotReplicated,
    ReplyLost,
    StoreFull,
    StoreUnavailable,
    TooManySessions,
    Unusable,
)
from service.sessions.store.scripts import LONG, SECONDS
from service.sessions.view import (
    CreationKeyReused,
    Crowded,
    Ended,
    Forbidden,
    Illegal,
    KeyReused,
    Stale,
    Unknown,
)

ENDED = (
    "This session has as many events as it may have; nothing was done. It can be read until it "
    "expires. Create another session to play on."
)

STORE_FULL = (
    "The store of sessions is nearly full: it takes no new session, and no action in one of "
    f"{LONG:,} events; nothing was done. Sessions make room when they expire. Try again later."
)

FULL_SECONDS = 60
"""`Retry-After` if the store is full."""

POLICY_OF_SESSIONS = "sessions"
"""The name of the policy for new sessions, in `RateLimit`."""


def too_many_detail(quota: int, seconds: int) -> str:
    """What the problem says if a client creates too many sessions; it may retry in `seconds`."""
    return (
        f"You can create {quota} sessions in an hour, and have done so; nothing was done. Sessions "
        f"that are there go on. Try again in {seconds} s."
    )


OPERATOR_SECONDS = 60
"""`Retry-After` if sessions need something that only whoever runs the service can do."""

RETRY_SECONDS = 1
"""`Retry-After` if the store is unavailable, or if too many clients act at once."""


def register(app: Flask) -> None:
    """Registers an error handler for each error of sessions."""

    def problem(status: HTTPStatus, detail: str, **headers: str) -> Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return problem_response(Problem(status, detail, named))

    @app.errorhandler(Unknown)
    def unknown(_: Unknown) -> Response:
        return problem(
            HTTPStatus.NOT_FOUND,
            "There is no such session: it never existed, was deleted, or expired because nobody "
            "acted in it before expires_at.",
        )

    @app.errorhandler(Forbidden)
    def forbidden(error: Forbidden) -> Response:
        return problem(HTTPStatus.FORBIDDEN, f"{_sentence(error)}.")

    @app.errorhandler(Stale)
    def stale(error: Stale) -> Response:
        version = error.view.snapshot.version
        why = "which If-Match doesn't name"
        if error.unwanted:
            why = "which If-None-Match names"
        elif error.to_come:
            why = "and If-Match names only later ones"
        elif error.replaced:
            why = "but not in the state that If-Match names, which may have been lost"
        elif error.malformed:
            why = (
                f'and If-Match names none: send the number in quotes, "{version}", or the ETag as '
                "the service sent it, which a proxy that compresses changes"
            )
        return problem(
            HTTPStatus.PRECONDITION_FAILED,
            f"The session is at version {version}, {why}; read it again and decide again.",
            ETag=f'"{error.view.tag}"',
            Cache_Control=NO_TRANSFORM,
        )

    @app.errorhandler(Crowded)
    def crowded(_: Crowded) -> Response:
        return problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "Too many clients act in this session at once, and another one came first each time; "
            "nothing was done. Try again.",
            Retry_After=str(RETRY_SECONDS),
        )

    @app.errorhandler(Ended)
    def ended(_: Ended) -> Response:
        return problem(HTTPStatus.CONFLICT, ENDED)

    @app.errorhandler(StoreFull)
    def full(_: StoreFull) -> Response:
        seconds = str(FULL_SECONDS)
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, STORE_FULL, Retry_After=seconds)

    @app.errorhandler(TooManySessions)
    def too_many(error: TooManySessions) -> Response:
        named = POLICY_OF_SESSIONS
        return problem_response(
            Problem(
                HTTPStatus.TOO_MANY_REQUESTS,
                too_many_detail(error.quota, error.seconds),
                {
                    "Retry-After": str(error.seconds),
                    "RateLimit": f'"{named}";r=0;t={error.seconds}',
                    "RateLimit-Policy": f'"{named}";q={error.quota};w={SECONDS}',
                },
            )
        )

    @app.errorhandler(KeyReused)
    def reused(_: KeyReused) -> Response:
        return problem(
            HTTPStatus.CONFLICT,
            "This Idempotency-Key was used for another action of this session; nothing was done. "
            "Use a new key for each action.",
        )

    @app.errorhandler(CreationKeyReused)
    def creation_reused(error: CreationKeyReused) -> Response:
        return problem(
            HTTPStatus.CONFLICT,
            f"{_sentence(error)}; nothing was done. Use a new key for each session, such as a "
            "random UUID.",
        )

    @app.errorhandler(NewerRelease)
    def newer(_: NewerRelease) -> Response:
        return problem(
            HTTPStatus.CONFLICT,
            "A newer release of the service wrote this session, and this one can't read it; use "
            "an up-to-date one.",
        )

    @app.errorhandler(Illegal)
    def illegal(error: Illegal) -> Response:
        body = {**unprocessable(error, instance()), "actions": actions_json(error.view)}
        return respond(body)

    @app.errorhandler(Damaged)
    @app.errorhandler(StoreUnavailable)
    def unavailable(error: Damaged | StoreUnavailable) -> Response:
        if not isinstance(error, NotAsked):
            asked = request.environ[ENVIRON]
            app.logger.error("request %s: the store of sessions failed: %s", asked, error)
        retry = RETRY_SECONDS
        if isinstance(error, Unusable):
            retry = OPERATOR_SECONDS
            what = (
                "can't be used; nothing was done. Whoever runs the service finds the reason in its "
                "log, and at /readyz?store"
            )
        elif isinstance(error, Damaged):
            what = (
                "has this session in a form that nobody can read; nothing was done. Whoever runs "
                "the service finds out more in its log"
            )
        elif request.method == "GET":
            what = "is unavailable; try again"
        elif isinstance(error, NotReplicated):
            what = (
                "has performed the request, but too few of its replicas have it yet, so it may "
                "still be lost. Try again, with the same Idempotency-Key if the request has one"
            )
        elif isinstance(error, ReplyLost):
            what = (
                "doesn't answer; nobody knows whether the request was performed. Try again, with "
                "the same Idempotency-Key if the request has one"
            )
        else:
            what = "is unavailable; nothing was done. Try again"
        return problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"The store of sessions {what}.",
            Retry_After=str(retry),
        )


def refusal_word(error: Exception) -> str:
    """A word for why an action was refused, for the metrics."""
    return next((word for kind, word in _WORDS.items() if isinstance(error, kind)), "invalid")


_WORDS: dict[type[Exception], str] = {
    Unknown: "unknown",
    Forbidden: "forbidden",
    Stale: "stale",
    Crowded: "crowded",
    Ended: "ended",
    KeyReused: "key_reused",
    NewerRelease: "newer_release",
    Illegal: "illegal",
    Damaged: "store_unavailable",
    StoreUnavailable: "store_unavailable",
}


def _sentence(error: Exception) -> str:
    """The message of `error` with a capital letter."""
    message = str(error)
    return f"{message[0].upper()}{message[1:]}"
