"""The errors of sessions as problems."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, request

from service.api.http.problems import Problem, instance, respond, told, unprocessable
from service.api.http.request_id import ENVIRON
from service.api.sessions.answers import actions_json
from service.sessions.store.codec import NewerRelease
from service.sessions.store.redis_store import AnswerLost, StoreUnavailable
from service.sessions.view import Crowded, Forbidden, Illegal, KeyReused, Stale, Unknown

RETRY_SECONDS = 1
"""`Retry-After` if the store is unavailable, or if too many requests wait already."""


def register(app: Flask) -> None:
    """Registers an error handler for each error of sessions."""

    def problem(status: HTTPStatus, detail: str, **headers: str) -> Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return told(Problem(status, detail, named))

    @app.errorhandler(Unknown)
    def unknown(_: Unknown) -> Response:
        return problem(
            HTTPStatus.NOT_FOUND,
            "There is no such session: it never was, was deleted, or was forgotten because nobody "
            "acted in it for too long (expires_at tells how long).",
        )

    @app.errorhandler(Forbidden)
    def forbidden(error: Forbidden) -> Response:
        return problem(HTTPStatus.FORBIDDEN, f"{str(error)[0].upper()}{str(error)[1:]}.")

    @app.errorhandler(Stale)
    def stale(error: Stale) -> Response:
        why = "not at one that If-Match names"
        if error.to_come:
            why = "and the one that If-Match names hasn't come yet"
        elif error.replaced:
            why = "but another one than If-Match names, which may have been lost"
        elif not error.tags:
            why = f'and If-Match names none: it must be an ETag in its quotes, "{error.view.tag}"'
        return problem(
            HTTPStatus.PRECONDITION_FAILED,
            f"The session is at version {error.view.snapshot.version}, {why}; read it again and "
            "decide anew.",
            ETag=f'"{error.view.tag}"',
        )

    @app.errorhandler(Crowded)
    def crowded(_: Crowded) -> Response:
        return problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "Too many act in this session at once, and others were faster each time; nothing was "
            "done. Ask again.",
            Retry_After=str(RETRY_SECONDS),
        )

    @app.errorhandler(KeyReused)
    def reused(_: KeyReused) -> Response:
        return problem(
            HTTPStatus.CONFLICT,
            "This Idempotency-Key was used for another action of this session; nothing was done. "
            "Take a new key for each action.",
        )

    @app.errorhandler(NewerRelease)
    def newer(_: NewerRelease) -> Response:
        return problem(
            HTTPStatus.CONFLICT,
            "A newer release of the service wrote this session, and this one can't read it; ask "
            "one that is up to date.",
        )

    @app.errorhandler(Illegal)
    def ilactions_json(error: Illegal) -> Response:
        body = {**unprocessable(error, instance()), "actions": actions_json(error.view)}
        return respond(body)

    @app.errorhandler(StoreUnavailable)
    def unavailable(error: StoreUnavailable) -> Response:
        asked = request.environ[ENVIRON]
        app.logger.error("request %s: the store of sessions failed: %s", asked, error)
        if request.method == "GET":
            what = "can't be used now; ask again"
        elif isinstance(error, AnswerLost):
            what = (
                "doesn't answer; whether it was done is not known. Ask again, for an action with "
                "the same Idempotency-Key"
            )
        else:
            what = "can't be used now; nothing was done. Ask again"
        return problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"The store of sessions {what}.",
            Retry_After=str(RETRY_SECONDS),
        )
