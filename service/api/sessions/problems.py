"""The errors of sessions as problems."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, request

from service.api.http.causes import Cause
from service.api.http.conditional import NO_TRANSFORM
from service.api.http.languages import tagged
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
from service.sessions.store.scripts import SECONDS
from service.sessions.view import (
    Crowded,
    Ended,
    Forbidden,
    Illegal,
    KeyReused,
    NotTheTable,
    OtherBody,
    OtherPlayer,
    OtherSession,
    SessionGone,
    Stale,
    Unknown,
)

POLICY_OF_SESSIONS = "sessions"
"""The name of the policy for new sessions, in `RateLimit`."""

SOON, LATER = {"Retry-After": "1"}, {"Retry-After": "60"}
"""The headers if the store is unavailable or too many clients act at once, and if sessions have to
expire, or whoever runs the service has to do something."""

_CAUSES: Mapping[type[Exception], tuple[Cause, Mapping[str, str]]] = {
    Unknown: (Cause.UNKNOWN, {}),
    OtherSession: (Cause.OTHER_SESSION, {}),
    NotTheTable: (Cause.NOT_THE_TABLE, {}),
    Crowded: (Cause.CROWDED, SOON),
    Ended: (Cause.TOO_LONG, {}),
    StoreFull: (Cause.FULL, LATER),
    KeyReused: (Cause.KEY_REUSED, {}),
    OtherBody: (Cause.OTHER_BODY, {}),
    SessionGone: (Cause.SESSION_GONE, {}),
    NewerRelease: (Cause.NEWER_RELEASE, {}),
}
"""The errors that always cause the same problem, with its headers."""

_WORDS: Mapping[type[Exception], str] = {
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


def refusal_word(error: Exception) -> str:
    """A word for why an action was refused, for the metrics."""
    return next((word for kind, word in _WORDS.items() if isinstance(error, kind)), "invalid")


def register(app: Flask) -> None:
    """Registers an error handler for each error of sessions."""

    def known(error: Exception) -> Response:
        cause, headers = _CAUSES[type(error)]
        return problem_response(cause.problem(headers))

    for kind in _CAUSES:
        app.register_error_handler(kind, known)

    @app.errorhandler(OtherPlayer)
    def other_player(error: OtherPlayer) -> Response:
        problem = Cause.OTHER_PLAYER.problem(owner=error.owner, player=error.player)
        return problem_response(problem)

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
        headers = {"ETag": f'"{tagged(error.view.tag)}"', "Cache-Control": NO_TRANSFORM}
        return problem_response(Cause.STALE.problem(headers, version=version, why=why))

    @app.errorhandler(TooManySessions)
    def too_many(error: TooManySessions) -> Response:
        named, quota, seconds = POLICY_OF_SESSIONS, error.quota, error.seconds
        headers = {
            "Retry-After": str(seconds),
            "RateLimit": f'"{named}";r=0;t={seconds}',
            "RateLimit-Policy": f'"{named}";q={quota};w={SECONDS}',
        }
        return problem_response(Cause.TOO_MANY.problem(headers, quota=quota, seconds=seconds))

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
        return problem_response(_of_store(error))


def _of_store(error: Damaged | StoreUnavailable) -> Problem:
    """The problem if the store failed, or has a session that nobody can read."""
    if isinstance(error, Unusable):
        return Cause.UNUSABLE.problem(LATER)
    cause = Cause.CHANGING
    if isinstance(error, Damaged):
        cause = Cause.DAMAGED
    elif request.method == "GET":
        cause = Cause.READING
    elif isinstance(error, NotReplicated):
        cause = Cause.NOT_REPLICATED
    elif isinstance(error, ReplyLost):
        cause = Cause.REPLY_LOST
    return cause.problem(SOON)
