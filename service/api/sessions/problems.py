"""The errors of sessions as problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest

from service.api.http.causes import Cause, Staleness
from service.api.http.conditional import NO_TRANSFORM
from service.api.http.languages import tagged
from service.api.http.problem_details import Problem
from service.api.http.problems import instance, problem_response, respond, unprocessable
from service.api.http.request_id import ENVIRON
from service.api.sessions.advice import Unadvised
from service.api.sessions.answers import actions_json
from service.rules.violations import InvalidInput
from service.sessions.store.codec import Damaged, NewerRelease, OlderRelease
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
    Crowded,
    Ended,
    Forbidden,
    Illegal,
    KeyReused,
    NotTheTable,
    NotYourTurn,
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

_CAUSES: Mapping[type[Exception], tuple[Cause, Mapping[str, str], Mapping[str, Any]]] = {
    Unknown: (Cause.NO_SUCH_SESSION, {}, {}),
    OtherSession: (Cause.WRONG_TOKEN, {}, {}),
    NotTheTable: (Cause.TABLE_TOKEN_NEEDED, {}, {}),
    Crowded: (Cause.TOO_MANY_AT_ONCE, SOON, {}),
    Ended: (Cause.TOO_MANY_EVENTS, {}, {}),
    StoreFull: (Cause.STORE_FULL, LATER, {"limit": LONG}),
    KeyReused: (Cause.KEY_USED_OTHERWISE, {}, {}),
    OtherBody: (Cause.KEY_USED_WITH_OTHER_BODY, {}, {}),
    SessionGone: (Cause.CREATED_SESSION_GONE, {}, {}),
    NewerRelease: (Cause.NEWER_RELEASE, {}, {}),
    OlderRelease: (Cause.OLDER_RELEASE, {}, {}),
}
"""The errors that always cause the same problem, with its headers and values."""

_WORDS: Mapping[type[Exception], str] = {
    Unknown: "unknown",
    Forbidden: "forbidden",
    Stale: "stale",
    Crowded: "crowded",
    Ended: "ended",
    StoreFull: "store_full",
    KeyReused: "key_reused",
    NewerRelease: "newer_release",
    OlderRelease: "older_release",
    Illegal: "illegal",
    Damaged: "store_unavailable",
    StoreUnavailable: "store_unavailable",
    InvalidInput: "invalid",
    Problem: "invalid",
    BadRequest: "invalid",
}


def refusal_word(error: Exception) -> str:
    """A word for why an action was refused, for the metrics; `failed` for an unexpected error."""
    return next((word for kind, word in _WORDS.items() if isinstance(error, kind)), "failed")


def register(app: Flask) -> None:
    """Registers an error handler for each error of sessions."""

    def known(error: Exception) -> Response:
        cause, headers, values = _CAUSES[type(error)]
        return problem_response(cause.problem(headers, **values))

    for kind in _CAUSES:
        app.register_error_handler(kind, known)

    @app.errorhandler(OtherPlayer)
    def other_player(error: OtherPlayer) -> Response:
        problem = Cause.OTHER_PLAYERS_TOKEN.problem(owner=error.owner, player=error.player)
        return problem_response(problem)

    @app.errorhandler(NotYourTurn)
    def not_your_turn(error: NotYourTurn) -> Response:
        able = list(error.able)
        return problem_response(Cause.NOT_YOUR_TURN.problem(owner=error.owner, allowed=able))

    @app.errorhandler(Stale)
    def stale(error: Stale) -> Response:
        version = error.view.snapshot.version
        why = Staleness.NOT_NAMED()
        if error.unwanted:
            why = Staleness.NAMED_BY_NONE_MATCH()
        elif error.to_come:
            why = Staleness.OLDER()
        elif error.replaced:
            why = Staleness.REPLACED()
        elif error.malformed:
            why = Staleness.MALFORMED(version=version)
        headers = {"ETag": f'"{tagged(error.view.tag)}"', "Cache-Control": NO_TRANSFORM}
        return problem_response(Cause.STALE_VERSION.problem(headers, version=version, why=why))

    @app.errorhandler(TooManySessions)
    def too_many(error: TooManySessions) -> Response:
        named, quota, seconds = POLICY_OF_SESSIONS, error.quota, error.seconds
        headers = {
            "Retry-After": str(seconds),
            "RateLimit": f'"{named}";r=0;t={seconds}',
            "RateLimit-Policy": f'"{named}";q={quota};w={SECONDS}',
        }
        return problem_response(
            Cause.TOO_MANY_SESSIONS.problem(headers, quota=quota, seconds=seconds)
        )

    @app.errorhandler(Illegal)
    def illegal(error: Illegal) -> Response:
        body = unprocessable(error, instance(), Cause.ILLEGAL_ACTION)
        return respond({**body, "actions": actions_json(error.view)})

    @app.errorhandler(Unadvised)
    def unadvised(error: Unadvised) -> Response:
        return respond(unprocessable(error.refused, instance(), Cause.NO_ADVICE_HERE))

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
        return Cause.STORE_UNUSABLE.problem(LATER)
    if isinstance(error, Damaged):
        return Cause.SESSION_DAMAGED.problem(LATER)
    if request.method == "GET":
        return Cause.STORE_AWAY.problem(SOON)
    if isinstance(error, NotReplicated):
        return Cause.NOT_REPLICATED.problem(SOON)
    if isinstance(error, ReplyLost):
        return Cause.OUTCOME_UNKNOWN.problem(SOON)
    return Cause.STORE_AWAY.problem(SOON, changes=True)
