"""Why the service refuses requests: causes in one table, for what raises them and the contract.

Causes that only one place can raise, and no operation names in the contract, are `Problem`s there.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from http import HTTPStatus

from service.api.http.problems import Problem
from service.sessions.store.scripts import LONG


class Cause(Enum):
    """A cause: the status, and the detail as a template of `str.format`.

    The contract fills in the values of `example`, and names it after the cause, or `shown_as`.
    """

    NOT_JSON = (
        HTTPStatus.BAD_REQUEST,
        "The body is not valid JSON: {why}.",
        {"why": "Expecting property name enclosed in double quotes, at line 1, column 2"},
    )
    BAD_KEY = (
        HTTPStatus.BAD_REQUEST,
        "Idempotency-Key must be one value of 1 to {most} visible ASCII characters.",
    )
    SHORT_KEY = (
        HTTPStatus.BAD_REQUEST,
        "Idempotency-Key must be one value of {least} to {most} visible ASCII characters, such as "
        "a random UUID: whoever repeats the request gets the tokens.",
        {"least": 16, "most": 255},
    )
    NO_TOKEN = (
        HTTPStatus.UNAUTHORIZED,
        "A token of the session is needed: Authorization: Bearer … The response that created the "
        "session has the table token and each player's token.",
    )
    OTHER_SESSION = HTTPStatus.FORBIDDEN, "The token doesn't belong to this session."
    OTHER_PLAYER = (
        HTTPStatus.FORBIDDEN,
        "The token belongs to {owner}, but the action is for {player}.",
        {"owner": "player 2", "player": "player 1"},
    )
    NOT_THE_TABLE = HTTPStatus.FORBIDDEN, "Only the table token can delete a session."
    NOT_OVER = (
        HTTPStatus.FORBIDDEN,
        "The game isn't over. Until then, only the table token gets the review.",
    )
    UNKNOWN = (
        HTTPStatus.NOT_FOUND,
        "There is no such session: it never existed, was deleted, or expired because nobody acted "
        "in it before expires_at.",
    )
    NO_REVIEW = (
        HTTPStatus.NOT_FOUND,
        "There are no reviews of this game: only score cards have them.",
    )
    NO_GAME = (
        HTTPStatus.NOT_FOUND,
        "There is no game {name!r:.80}; the games are: {games}.",
        {"name": "chess", "games": "poker-dice, yahtzee-deluxe"},
    )
    NOT_ACCEPTABLE = (
        HTTPStatus.NOT_ACCEPTABLE,
        "The response is {offered}; Accept allows: {accepted}.",
        {"offered": "application/json", "accepted": "image/png"},
        "image",
    )
    STALLED = (  # the worker says this
        HTTPStatus.REQUEST_TIMEOUT,
        "The body stalled for 5 seconds, or came slower than 1 KiB a second.",
    )
    NEWER_RELEASE = (
        HTTPStatus.CONFLICT,
        "A newer release of the service wrote this session, and this one can't read it; use an "
        "up-to-date one.",
    )
    KEY_REUSED = (
        HTTPStatus.CONFLICT,
        "This Idempotency-Key was used for another action of this session; nothing was done. Use a "
        "new key for each action.",
    )
    OTHER_BODY = (
        HTTPStatus.CONFLICT,
        "This Idempotency-Key was used with another body; nothing was done. Use a new key for each "
        "session, such as a random UUID.",
    )
    SESSION_GONE = (
        HTTPStatus.CONFLICT,
        "The session that this Idempotency-Key created was deleted or has expired; nothing was "
        "done. Use a new key for each session, such as a random UUID.",
    )
    TOO_LONG = (
        HTTPStatus.CONFLICT,
        "This session has as many events as it may have; nothing was done. It can be read until it "
        "expires. Create another session to play on.",
    )
    NOT_AGREED = (
        HTTPStatus.CONFLICT,
        "This session was created without advice. Only the request that creates a session can ask "
        'for it: "advice": true.',
    )
    NO_DECISION = (
        HTTPStatus.CONFLICT,
        "There is nothing to advise on now: nobody has to decide on dice that this token may see.",
    )
    STALE = (
        HTTPStatus.PRECONDITION_FAILED,
        "The session is at version {version}, {why}; read it again and decide again.",
        {"version": 2, "why": "which If-Match doesn't name"},
    )
    NO_SESSION = (  # RFC 9110, 13.1.1
        HTTPStatus.PRECONDITION_FAILED,
        "There is no session yet that If-Match could name; nothing was done. Leave the header out.",
    )
    TOO_LARGE = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body may hold at most {limit} bytes.",
        {"limit": 1 << 20},
    )
    REST_TOO_LARGE = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "Apart from the hands, the body may have at most {limit} bytes.",
        {"limit": 65_536},
        "too_large",
    )
    NOT_TYPED = (
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body must be {wanted}; Content-Type is {sent}.",
        {"wanted": "application/json in UTF-8", "sent": "text/plain"},
        "text",
    )
    NO_VERSION = (
        HTTPStatus.PRECONDITION_REQUIRED,
        "If-Match must name the version that this action is for, by its number in quotes: "
        'If-Match: "7".',
    )
    LIMITED = (
        HTTPStatus.TOO_MANY_REQUESTS,
        "You have used up your {quota} units a minute. A request costs one unit, and one more for "
        "each millisecond that it computes. Try again in {seconds} s.",
        {"quota": 60, "seconds": 1},
    )
    TOO_MANY = (
        HTTPStatus.TOO_MANY_REQUESTS,
        "You can create {quota} sessions in an hour, and have done so; nothing was done. Sessions "
        "that are there go on. Try again in {seconds} s.",
        {"quota": 600, "seconds": 6},
    )
    NOT_READY = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The table of this game under these house rules is not ready: {why}. Try again in {wait}.",
        {"why": "it has just been begun", "wait": "2 seconds"},
    )
    NO_STORE = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions {why}.",
        {"why": "can't be reached (Connection refused)"},
    )
    READING = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions is unavailable; try again.",
    )
    CHANGING = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions is unavailable; nothing was done. Try again.",
    )
    CROWDED = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Too many clients act in this session at once, and another one came first each time; "
        "nothing was done. Try again.",
    )
    UNUSABLE = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions can't be used; nothing was done. Whoever runs the service finds the "
        "reason in its log, and at /readyz?store.",
    )
    DAMAGED = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions has this session in a form that nobody can read; nothing was done. "
        "Whoever runs the service finds out more in its log.",
    )
    NOT_REPLICATED = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions has performed the request, but too few of its replicas have it yet, "
        "so it may still be lost. Try again, with the same Idempotency-Key if the request has one.",
    )
    REPLY_LOST = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions doesn't answer; nobody knows whether the request was performed. Try "
        "again, with the same Idempotency-Key if the request has one.",
    )
    FULL = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions is nearly full: it takes no new session, and no action in one of "
        f"{LONG:,} events; nothing was done. Sessions make room when they expire. Try again later.",
    )

    def __init__(
        self,
        status: HTTPStatus,
        template: str,
        example: Mapping[str, object] | None = None,
        shown_as: str = "",
    ) -> None:
        self.status, self._template = status, template
        self.example = example or {}
        self.shown_as = shown_as or self.name.lower()

    def detail(self, **values: object) -> str:
        """What the problem says of these `values`."""
        return self._template.format(**values)

    def problem(self, headers: Mapping[str, str] | None = None, /, **values: object) -> Problem:
        """The problem to raise, with `headers`, that says these `values`."""
        return Problem(self.status, self.detail(**values), headers)
