"""Sessions over HTTP: create, read, wait, act, list the events, and delete."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

import orjson
from flask import Response, request

from service.api import rate_limit
from service.api.http.bodies import JSON, acceptable, read_json, require_acceptable
from service.api.http.causes import Cause
from service.api.http.conditional import NO_TRANSFORM
from service.api.http.languages import tagged, words
from service.api.http.problem_pages import PROTECTION
from service.api.http.query import require_known
from service.api.http.request_id import VARIANT, TracedFlask
from service.api.http.waiting import Waiter, Waiting, wait
from service.api.http.work import Work
from service.api.operations.operation import ADVISE, FORECAST, REVIEW, Operation
from service.api.operations.registry import check_computers
from service.api.sessions import problems
from service.api.sessions.advice import SessionAdvice
from service.api.sessions.answers import JOINED, PATH, created_json, history_json, session_json
from service.api.sessions.problems import refusal_word
from service.api.sessions.requests import (
    CLIENT,
    COMPUTERS,
    KEEP_SECONDS,
    WAIT,
    Actions,
    NewSession,
    none_match,
    read_key,
    read_token,
    read_versions,
    read_wait,
)
from service.api.sessions.results import result_json
from service.api.sessions.sheet import FORMS, Sheet
from service.engine.game import GameTable
from service.metrics.declared import ACTIONS
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.sessions.requests import CreationKey
from service.sessions.result import Result
from service.sessions.service import SessionService
from service.sessions.store.scripts import CreationLimit
from service.sessions.view import Illegal, SessionView
from service.settings import Settings


def register(
    app: TracedFlask,
    sessions: SessionService,
    variants: Collection[Variant],
    operations: Sequence[Operation],
    settings: Settings,
) -> None:
    """Adds the routes of sessions to `app`."""
    views = _Views(sessions, variants, operations, settings)
    session = f"{PATH}/<session_id>"
    store, advice = Work.STORE, Work.STORE_ADVICE
    routes: list[tuple[str, str, str, Callable[..., Response], Work]] = [
        (PATH, "create_session", "POST", views.create, store),
        (session, "read_session", "GET", views.read, store),
        (session, "delete_session", "DELETE", views.delete, store),
        (f"{session}/actions", "act", "POST", views.act, store),
        (f"{session}/events", "list_events", "GET", views.events, store),
        (f"{session}/joined", "join_session", "POST", views.join, store),
        (f"{session}/result", "session_result", "GET", views.result, store),
        (f"{session}/sheet", "session_sheet", "GET", views.sheet, store),
    ]
    names = {operation.name for operation in operations}
    if ADVISE in names:
        routes.append((f"{session}/advice", "advise_session", "GET", views.advice, advice))
    if FORECAST in names:
        routes.append((f"{session}/forecast", "forecast_session", "GET", views.forecast, advice))
    if REVIEW in names:
        routes.append((f"{session}/review", "review_session", "GET", views.review, advice))
    for path, name, method, view, work in routes:
        app.add_url_rule(path, name, view, methods=[method])
        app.work[method, path] = work
    app.query["GET", session] = frozenset((WAIT,))
    app.query["POST", f"{session}/actions"] = None  # the view checks it, and says what is legal
    problems.register(app)


class _Views:
    """The views of sessions."""

    def __init__(
        self,
        sessions: SessionService,
        variants: Collection[Variant],
        operations: Sequence[Operation],
        settings: Settings,
    ) -> None:
        self._sessions, self._settings = sessions, settings
        self._new = NewSession(variants, settings.max_session_seconds)
        self._actions = Actions(variants)
        self._advice = SessionAdvice(operations, settings)

    def create(self) -> Response:
        """Creates a session."""
        require_acceptable()
        body = read_json(self._settings.max_body_bytes)
        key = read_key(creates=True)
        variant, given = self._new.read(body)
        if "HTTP_IF_MATCH" in request.environ:
            raise Cause.NO_SESSION_YET.problem()
        table = GameTable(
            given["players"], given["house_rules"], given["dice"] == CLIENT, given["paper"]
        )
        if given.get(COMPUTERS):
            check_computers(self._settings, variant, table)
        session = self._sessions.create(
            variant,
            table,
            client_seed=given["seed"],
            advice=given["advice"],
            computers=given.get(COMPUTERS),
            seconds=given.get(KEEP_SECONDS),
            key=CreationKey.of(key, self._new.without_nulls(variant, body)) if key else None,
            limit=self._limit(),
        )
        response = _answer(created_json(session), session.view.tag, HTTPStatus.CREATED)
        response.headers["Location"] = f"{PATH}/{session.view.terms.id}"
        response.headers["Cache-Control"] = f"no-store, {NO_TRANSFORM}"  # it holds the tokens
        return response

    def _limit(self) -> CreationLimit | None:
        """How many sessions the client may create; None if rates aren't limited."""
        client = request.environ.get(rate_limit.CLIENT)
        return None if client is None else CreationLimit(client, self._settings.session_limit)

    def read(self, session_id: str) -> Response:
        """Returns the session as soon as it differs from the client's version, or when the wait is
        over.
        """
        require_acceptable()
        token, seconds = read_token(), read_wait()
        if not seconds:
            return _unless_had(self._sessions.read(session_id, token))
        return wait(partial(self._read_or_wait, session_id, token, seconds))

    def act(self, session_id: str) -> Response:
        """Performs one or more actions; returns the session after them."""
        try:
            return self._act(session_id)
        except Exception as error:
            ACTIONS.of(refusal_word(error)).add()
            raise

    def _act(self, session_id: str) -> Response:
        require_acceptable()
        token = read_token()
        body, versions, key = read_json(self._settings.max_body_bytes), read_versions(), read_key()
        try:
            if request.environ["QUERY_STRING"]:
                require_known(frozenset())
            action = self._actions.read(body, token, versions, key)
        except InvalidInput as refused:
            raise Illegal(refused, self._sessions.read(session_id, token)) from None
        session = self._sessions.act(session_id, action)
        return _answer(session_json(session), session.tag)

    def join(self, session_id: str) -> Response:
        """Says that the token's player is there; returns who is."""
        require_acceptable()
        joined = self._sessions.join(session_id, read_token())
        return Response(
            orjson.dumps(JOINED.write(joined)),
            headers={"Cache-Control": "no-store"},
            content_type=JSON,
        )

    def events(self, session_id: str) -> Response:
        """Returns the history."""
        require_acceptable()
        session, events = self._sessions.history(session_id, read_token())
        return _conditional(session.tag_of("events"), lambda: history_json(session, events))

    def result(self, session_id: str) -> Response:
        """Returns how the game came out, or how it stands."""
        require_acceptable()
        session, events = self._sessions.history(session_id, read_token())

        def answer() -> dict[str, Any]:
            found = Result.of(session.terms, session.snapshot, events)
            return result_json(found, self._settings.result_key)

        return _conditional(session.tag_of(f"result{self._settings.result_key}"), answer)

    def sheet(self, session_id: str) -> Response:
        """Returns the sheet of the game in the form that the client prefers."""
        form = acceptable(*FORMS)
        session, events = self._sessions.history(session_id, read_token())
        tag = session.tag_of(form)
        tags = none_match(words().code)
        if tags is None or tag in tags:
            response = _not_modified(tag)
        else:
            found = Result.of(session.terms, session.snapshot, events)
            written, content_type = FORMS[form](Sheet.of(found)), f"{form}; charset=utf-8"
            request.environ[VARIANT] = session.terms.variant.id
            response = Response(written, headers=_headers(tag), content_type=content_type)
            response.headers.update(PROTECTION)
        response.headers["Vary"] = f"{response.headers['Vary']}, Accept"
        return response

    def advice(self, session_id: str) -> Response:
        """Returns advice for the decision that has to be made now."""
        require_acceptable()
        session = self._sessions.read(session_id, read_token())
        question = self._advice.question(session)
        tag = session.tag_of("advice")
        return _conditional(tag, lambda: self._advice.advise(session, question))

    def forecast(self, session_id: str) -> Response:
        """Returns who is ahead."""
        require_acceptable()
        session = self._sessions.read(session_id, read_token())
        self._advice.check_forecast(session)
        return _conditional(session.tag_of("forecast"), lambda: self._advice.forecast(session))

    def review(self, session_id: str) -> Response:
        """Returns what the choices of each player cost."""
        require_acceptable()
        session, events = self._sessions.history(session_id, read_token())
        self._advice.check_review(session)
        tag = session.tag_of("review")
        return _conditional(tag, lambda: self._advice.review(session, events))

    def delete(self, session_id: str) -> Response:
        """Deletes the session; the response is empty."""
        require_acceptable()
        self._sessions.delete(session_id, read_token(), read_versions(required=False))
        response = Response(status=HTTPStatus.NO_CONTENT)
        del response.headers["Content-Type"]
        return response

    def _read_or_wait(self, session_id: str, token: str, seconds: int, waiter: Waiter) -> Response:
        """Returns the session if it differs from the client's version or the wait is over; else
        a `Waiting` until an action or its clock may have changed it.
        """
        began = time.monotonic()
        if not waiter.until:
            waiter.until = began + seconds
            waiter.watch = self._sessions.join_watch(session_id, waiter.wake)
        session = self._sessions.read(session_id, token)
        left = waiter.until - began
        if not _has(session) or waiter.over or left <= 0:
            return _unless_had(session)
        if waiter.watch is None:
            waiter.watch = self._sessions.watch(session_id, waiter.wake)
        else:
            waiter.watch.check()
        time_up = self._sessions.deadline(session)
        if time_up is not None:
            left = min(left, max(time_up - self._sessions.now(), 1) / 1000)
        return Waiting(left)


def _answer(body: dict[str, Any], tag: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    request.environ[VARIANT] = body.get("variant")
    return Response(orjson.dumps(body), status, _headers(tag), content_type=JSON)


def _conditional(tag: str, answer: Callable[[], dict[str, Any]]) -> Response:
    """The response with `tag`, or 304 if the client has it."""
    tags = none_match(words().code)
    if tags is None or tag in tags:
        return _not_modified(tag)
    return _answer(answer(), tag)


def _not_modified(tag: str) -> Response:
    response = Response(status=HTTPStatus.NOT_MODIFIED, headers=_headers(tag))
    del response.headers["Content-Type"]
    return response


def _headers(tag: str) -> list[tuple[str, str]]:
    """The headers with the entity tag, which also prevent shared caches from storing the
    response.
    """
    return [
        ("ETag", f'"{tagged(tag)}"'),
        ("Cache-Control", f"private, no-cache, {NO_TRANSFORM}"),
        ("Vary", "Authorization"),
    ]


def _unless_had(session: SessionView) -> Response:
    """The session, or 304 if the client has this version."""
    if _has(session):
        return _not_modified(session.tag)
    return _answer(session_json(session), session.tag)


def _has(session: SessionView) -> bool:
    """Whether If-None-Match names the session as this token sees it."""
    tags = none_match(words().code)
    return tags is None or session.is_known_by(tags)
