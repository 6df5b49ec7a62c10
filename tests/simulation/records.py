"""Requests, responses, and what the clients of a session have sent and received."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from werkzeug.test import create_environ

from tests.live import JSON


@dataclass(frozen=True)
class Request:
    """A request as a client sends it; `body` is "" for none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""

    def environ(self, request_id: str) -> dict[str, Any]:
        """The WSGI environment of the request."""
        return create_environ(
            self.path,
            "http://dice",
            method=self.method,
            headers={"X-Request-ID": request_id, **self.headers},
            content_type=JSON,
            data=self.body,
        )


@dataclass(frozen=True)
class Response:
    """A response as a client gets it."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The decoded body."""
        return orjson.loads(self.body)

    @property
    def tag(self) -> str:
        """The entity tag, without quotes; "" if there is none."""
        return self.headers.get("ETag", "").strip('"')


class Violated(AssertionError):
    """An invariant doesn't hold; the message says which."""


@dataclass
class Sent:
    """An action, sent once or several times with the same key and token.

    `viewer` owns the token: a player, or the table (None). `match` is the value of If-Match.
    `legal` is false for an action that the version which `match` names doesn't allow.
    """

    body: Mapping[str, Any]
    viewer: str | None
    match: str
    key: str
    legal: bool = True
    answers: list[Response] = field(default_factory=list)
    """All responses with status 200."""
    attempts: int = 0
    undone: int = 0
    """How many attempts got a response that says that they did nothing."""
    ruled_out: bool = False
    """Whether a response proves that no attempt ever did or will do anything."""

    @property
    def possible(self) -> bool:
        """Whether an attempt may have been performed."""
        return not self.ruled_out and self.attempts > self.undone


@dataclass
class Seen:
    """A response with a session or its history, as `viewer` received it."""

    viewer: str | None
    history: bool
    response: Response


@dataclass
class Record:
    """A session, as its clients know it.

    `request` has `created` it. `latest` is the highest version in any response. `deleted` is true
    as soon as somebody may have deleted the session.
    """

    request: Request
    created: Response
    sent: list[Sent] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    deleted: bool = False
    latest: int = 1

    def __post_init__(self) -> None:
        made = self.created.json
        self.id: str = made["id"]
        self.tokens: dict[str | None, str] = {
            None: made["tokens"]["table"],
            **made["tokens"]["players"],
        }
