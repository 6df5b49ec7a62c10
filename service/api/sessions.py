"""Sessions over HTTP: made, read and waited for, acted in, told, and removed."""

from __future__ import annotations

import re
import select
import socket
from collections.abc import Callable, Iterable
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any

import orjson
from flask import Flask, Response, request

from service.api.body import JSON, read_json, require_acceptable
from service.api.problems import Problem, instance, respond, told, unprocessable
from service.api.request_id import ENVIRON
from service.api.session_answers import PATH, history, legal, made, seen
from service.api.session_requests import CLIENT, NewSession, read_action
from service.dice.refusal import Fault, Refused
from service.dice.variant import Variant
from service.sessions.keeper import Asked, Keeper
from service.sessions.record import NewerRelease
from service.sessions.seen import Forbidden, Illegal, KeyReused, Seen, Stale, Unknown
from service.sessions.store import StoreUnavailable

MAX_WAIT = 60
"""The longest that `?wait=` may ask for, in seconds."""

SLICE = 1.0
"""Seconds after which a waiting request looks whether its worker is told to stop, or its client
is gone."""

STOPPING = "dice_scoring.stopping"
"""Where the app's extensions hold a function that tells whether this worker is told to stop."""

MAX_KEY_LENGTH = 255
"""The longest idempotency key, in characters."""

RETRY_SECONDS = 1
"""What a client is told to wait for the store, or for a place among those who wait."""

_ID = re.compile(r"[\w-]{22}\Z", re.ASCII).match
_ONE_VERSION = re.compile(r'"(\d{1,18})"\Z', re.ASCII).match
_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_LENGTH}}}\Z").match


def register(
    app: Flask,
    keeper: Keeper,
    variants: Iterable[Variant[Any]],
    max_body_bytes: int,
    max_waits: int,
) -> None:
    """Adds the routes of sessions to `app`."""
    views = _Views(app, keeper, NewSession(variants), max_body_bytes, max_waits)
    session = f"{PATH}/<session_id>"
    for path, name, method, view in (
        (PATH, "create_session", "POST", views.create),
        (session, "read_session", "GET", views.read),
        (session, "delete_session", "DELETE", views.delete),
        (f"{session}/actions", "act", "POST", views.act),
        (f"{session}/events", "list_events", "GET", views.events),
    ):
        app.add_url_rule(path, name, view, methods=[method])
    _register_problems(app)


class _Views:
    """The views of sessions."""

    def __init__(
        self, app: Flask, keeper: Keeper, new: NewSession, max_body_bytes: int, max_waits: int
    ) -> None:
        self._app, self._keeper, self._new = app, keeper, new
        self._max_body_bytes = max_body_bytes
        self._places = BoundedSemaphore(max_waits)

    def create(self) -> Response:
        """A new session."""
        require_acceptable()
        variant, given = self._new.read(read_json(self._max_body_bytes))
        session = self._keeper.make(
            variant,
            given["players"],
            given["house_rules"],
            typed_dice=given["dice"] == CLIENT,
            client_seed=given["seed"],
        )
        response = _answer(made(session), session.seen, HTTPStatus.CREATED)
        response.headers["Location"] = f"{PATH}/{session.seen.terms.id}"
        response.headers["Cache-Control"] = "no-store"  # it holds the tokens
        return response

    def read(self, session_id: str) -> Response:
        """The session, once it is another than the client has, or the wait is over."""
        require_acceptable()
        token = _token()
        until = self._keeper.now() + _wait() * 1000
        session = self._keeper.read(_known(session_id), token)
        if _has(session) and until > self._keeper.now():
            return self._waited(session, token, until)
        return _unless_had(session)

    def act(self, session_id: str) -> Response:
        """The session after an action."""
        require_acceptable()
        token = _token()
        body = read_json(self._max_body_bytes)
        versions = _versions()
        asked = Asked(token, versions, _idempotency_key())
        try:
            given, wish = read_action(body)
        except Refused as refused:
            raise Illegal(refused, self._keeper.read(_known(session_id), token)) from None
        session = self._keeper.act(_known(session_id), asked, given, wish)
        return _answer(seen(session), session)

    def events(self, session_id: str) -> Response:
        """The whole history."""
        require_acceptable()
        session, events = self._keeper.history(_known(session_id), _token())
        return _answer(history(session, events), session)

    def delete(self, session_id: str) -> Response:
        """Nothing, once the session is gone."""
        require_acceptable()
        self._keeper.remove(_known(session_id), _token())
        response = Response(status=HTTPStatus.NO_CONTENT)
        del response.headers["Content-Type"]
        return response

    def _waited(self, session: Seen, token: str, until: int) -> Response:
        """The session when it has changed, or 304 at `until`; at once if too many wait already."""
        if not self._places.acquire(blocking=False):
            response = _unless_had(session)
            response.headers["Retry-After"] = str(RETRY_SECONDS)
            return response
        try:
            with self._keeper.changes(session.terms.id) as wait:
                while True:
                    session = self._keeper.read(session.terms.id, token)
                    now = self._keeper.now()
                    if not _has(session) or now >= until or self._stopping() or _gone():
                        return _unless_had(session)
                    deadline = session.position.state.deadline
                    ends = until if deadline is None else min(until, deadline)
                    wait(min(max(ends - now, 1) / 1000, SLICE))
        finally:
            self._places.release()

    def _stopping(self) -> bool:
        told: Callable[[], bool] | None = self._app.extensions.get(STOPPING)
        return told is not None and told()


def _answer(body: dict[str, Any], session: Seen, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(orjson.dumps(body), status, _headers(session), content_type=JSON)


def _headers(session: Seen) -> list[tuple[str, str]]:
    """The headers that tell the version, and that it is for this token alone."""
    return [
        ("ETag", f'"{session.position.version}"'),
        ("Cache-Control", "private, no-cache"),
        ("Vary", "Authorization"),
    ]


def _unless_had(session: Seen) -> Response:
    """The session, or 304 if the client has it in this version."""
    if not _has(session):
        return _answer(seen(session), session)
    response = Response(status=HTTPStatus.NOT_MODIFIED, headers=_headers(session))
    del response.headers["Content-Type"]
    return response


def _has(session: Seen) -> bool:
    return request.if_none_match.contains_weak(str(session.position.version))


def _gone() -> bool:
    """Whether the client sends nothing any more: it has closed the page, or lost its way here."""
    connection: socket.socket | None = request.environ.get("gunicorn.socket")
    if connection is None:
        return False
    try:
        poll = select.poll()
        poll.register(connection, select.POLLIN)
        return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:  # reset
        return True


def _known(session_id: str) -> str:
    """`session_id` if a session can have it. Raises `Unknown`."""
    if not _ID(session_id):
        raise Unknown(session_id)
    return session_id


def _token() -> str:
    """The token of the request. Raises `Problem` 401 without one."""
    scheme, _, token = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Problem(
            HTTPStatus.UNAUTHORIZED,
            "A token of the session is needed: Authorization: Bearer … The answer that made the "
            "session holds the table's and each player's.",
            {"WWW-Authenticate": "Bearer"},
        )
    return str(token.strip())


def _wait() -> int:
    """How many seconds the client would wait. Raises `Refused` for no number of them."""
    given = request.args.get("wait", "0")
    if not (given.isascii() and given.isdigit() and len(given) < 4 and int(given) <= MAX_WAIT):
        told = f"must be a whole number of seconds between 0 and {MAX_WAIT}"
        raise Refused(Fault(("wait",), told))
    return int(given)


def _versions() -> frozenset[int] | None:
    """The versions in If-Match, None for any. Raises `Problem` 428 without it."""
    given = request.environ.get("HTTP_IF_MATCH")
    if given is None:
        raise Problem(
            HTTPStatus.PRECONDITION_REQUIRED,
            "If-Match must tell the version that this action is for, as the ETag of the session "
            'has it: If-Match: "7".',
        )
    if version := _ONE_VERSION(given):
        return frozenset([int(version[1])])
    if request.if_match.star_tag:
        return None
    tags = [tag for tag in request.if_match.as_set() if tag]  # an empty one comes as None
    return frozenset(int(tag) for tag in tags if tag.isascii() and tag.isdigit() and len(tag) < 19)


def _idempotency_key() -> str:
    """The idempotency key, "" without one. Raises `Problem` 400 for one that can't be kept."""
    if "HTTP_IDEMPOTENCY_KEY" not in request.environ:
        return ""
    key: str = request.environ["HTTP_IDEMPOTENCY_KEY"]
    if not _KEY(key):
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            f"Idempotency-Key must be 1 to {MAX_KEY_LENGTH} visible ASCII characters.",
        )
    return key


def _register_problems(app: Flask) -> None:
    """Makes what sessions raise problems of their own."""

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
        return problem(
            HTTPStatus.PRECONDITION_FAILED,
            f"The session is at version {error.version}, {why}; read it again and decide anew.",
            ETag=f'"{error.version}"',
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
    def illegal(error: Illegal) -> Response:
        body = {**unprocessable(error, instance()), "actions": legal(error.seen)}
        return respond(body)

    @app.errorhandler(StoreUnavailable)
    def unavailable(error: StoreUnavailable) -> Response:
        asked = request.environ[ENVIRON]
        app.logger.error("request %s: the store of sessions failed: %s", asked, error)
        again = "ask again"
        if request.method != "GET":
            again = (
                "whether it was done is not known. Ask again, for an action with the same "
                "Idempotency-Key"
            )
        return problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"The store of sessions can't be reached; {again}.",
            Retry_After=str(RETRY_SECONDS),
        )
