"""Sessions of the dice-scoring service over networks that fail, with the standard library alone.

    game = Session.create(url, {"variant": "dice-poker", "players": ["ann", "ben"]})
    ann = Session.join(url, game.now["id"], game.tokens["players"]["ann"])
    ann.act({"action": "roll"})
    while not ann.now["state"]["over"]:
        show(ann.wait())

The types of requests and responses are in `dice_scoring_client.contract`.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, overload
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

if TYPE_CHECKING:
    from dice_scoring_client import contract

SILENCE_SECONDS = 45
"""After how many seconds without a response a request counts as lost."""

LONGEST_SECONDS = 30
"""The longest pause between attempts. If the service asks for more, nothing is sent again."""


class Pending(TypedDict):
    """An action that the service hasn't answered yet."""

    action: contract.Action
    key: str
    """Its Idempotency-Key, the same whenever it is sent."""

    version: int | None
    """The version that it applies to; None for the one that the action before it makes."""


class Stored(TypedDict):
    """All that a Session knows, as JSON: stored, it can be gone on with later."""

    url: str
    token: str
    now: contract.Session
    """The session as it was last seen."""

    etag: str | None
    pending: list[Pending]
    """The actions that the service hasn't answered yet, in order."""


@dataclass(frozen=True)
class Options:
    """How requests are sent."""

    language: str = "en"
    """The language of texts, such as `de`."""

    attempts: int = 8
    """How often a request is sent before it is given up."""

    pause: float = 0.5
    """The longest pause before the second attempt, in seconds. It doubles each time."""


class ServiceError(Exception):
    """A problem that the service answered with."""

    def __init__(self, problem: contract.IllegalAction, retry_after: int) -> None:
        super().__init__(problem["detail"])
        self.code = problem["type"].rpartition("/")[2]
        """What went wrong, as a word that never changes: the end of the problem's `type`."""
        self.status = problem["status"]
        self.detail = problem["detail"]
        """What went wrong, as a sentence in the language of the options."""
        self.errors: list[contract.Violation] = problem.get("errors", [])
        self.actions: list[contract.LegalAction] = problem.get("actions", [])
        """The legal actions, if an action was illegal."""
        self.retry_after = retry_after
        """After how many seconds to ask again; 0 if the service doesn't say so."""
        self.temporary = self.status >= 500 or self.status in (408, 429)
        """Whether the same request may succeed later."""


class Unreachable(Exception):
    """No attempt got a response of the service; `__cause__` is the last failure."""


class Session:
    """A session for the owner of a token, for one thread at a time.

    All methods that send something raise `ServiceError` and `Unreachable`.
    """

    tokens: contract.Tokens
    """All tokens; only of a session that this object created."""

    def __init__(self, stored: Stored, options: Options = Options()) -> None:
        """Goes on with a session that was `stored`."""
        self.stored, self.options = stored, options

    @classmethod
    def create(
        cls, url: str, request: contract.SessionRequest, options: Options = Options()
    ) -> Session:
        """Creates a session, and returns it as the table sees it. `url` is without `/v1`."""
        headers = {"Idempotency-Key": str(uuid4())}
        made = _ask("POST", f"{url}/v1/sessions", headers, request, options)
        tokens = made.body.pop("tokens")
        session = cls(_stored(url, tokens["table"], made), options)
        session.tokens = tokens
        return session

    @classmethod
    def join(cls, url: str, session: str, token: str, options: Options = Options()) -> Session:
        """Joins the session with this id, with one of its tokens."""
        headers = {"Authorization": f"Bearer {token}"}
        read = _ask("GET", f"{url}/v1/sessions/{session}", headers, None, options)
        return cls(_stored(url, token, read), options)

    @property
    def now(self) -> contract.Session:
        """The session as it was last seen."""
        return self.stored["now"]

    def act(self, action: contract.Action) -> contract.Session:
        """Performs an action once, however often it has to be sent; returns the session after it.

        It applies to the session as it is in `now`, or after the pending actions, which are sent
        first. After `Unreachable` or a temporary error it is pending, and the next `act`, `wait` or
        `read` sends it. After any other error it is refused, with all that were pending.
        """
        self.queue(action)
        return self.send()

    def queue(self, action: contract.Action) -> None:
        """Adds an action to those that are pending, and sends nothing."""
        pending = self.stored["pending"]
        version = None if pending else self.now["version"]
        pending.append({"action": action, "key": str(uuid4()), "version": version})

    def send(self) -> contract.Session:
        """Sends the pending actions in order, and returns the session after them."""
        pending = self.stored["pending"]
        while pending:
            item = pending[0]
            headers = {"If-Match": f'"{item["version"]}"', "Idempotency-Key": item["key"]}
            try:
                self._take(self._ask("POST", "/actions", headers, item["action"]))
            except ServiceError as error:
                if not error.temporary:
                    pending.clear()
                if error.status == HTTPStatus.PRECONDITION_FAILED:
                    self.stored["etag"] = None  # wait reads it
                raise
            del pending[0]
            if pending:
                pending[0]["version"] = self.now["version"]
        return self.now

    def wait(self) -> contract.Session:
        """Sends what is pending, and returns the session once it has changed, or is over."""
        seen = self.now
        while self.send() is seen and not (self.stored["etag"] and seen["state"]["over"]):
            etag = self.stored["etag"]
            answer = self._ask("GET", "?wait=20", {"If-None-Match": etag} if etag else {})
            if answer.body is None:
                time.sleep(random.random())  # a full service answers at once
            else:
                self._take(answer)
        return self.now

    def read(self) -> contract.Session:
        """Reads the session at once, for example after the code `stale-version`."""
        self.stored["etag"] = None
        return self.wait()

    @overload
    def get(self, part: Literal["events"]) -> contract.SessionHistory: ...
    @overload
    def get(self, part: Literal["advice"]) -> contract.SessionAdvice: ...
    @overload
    def get(self, part: Literal["forecast"]) -> contract.SessionForecast: ...
    @overload
    def get(self, part: Literal["review"]) -> contract.SessionReview: ...
    def get(self, part: str) -> Any:
        """Reads the history, the advice for the next decision, who is ahead, or the review."""
        return self._ask("GET", f"/{part}", {}).body

    def _take(self, answer: _Answer) -> None:
        self.stored["now"], self.stored["etag"] = answer.body, answer.etag

    def _ask(self, method: str, path: str, headers: dict[str, str], body: object = None) -> _Answer:
        url = f"{self.stored['url']}/v1/sessions/{self.now['id']}{path}"
        bearer = {"Authorization": f"Bearer {self.stored['token']}"}
        return _ask(method, url, headers | bearer, body, self.options)


class _Answer(NamedTuple):
    body: Any  # JSON; None for a 304
    etag: str | None


def _stored(url: str, token: str, answer: _Answer) -> Stored:
    return {"url": url, "token": token, "now": answer.body, "etag": answer.etag, "pending": []}


def _ask(method: str, url: str, headers: dict[str, str], body: object, options: Options) -> _Answer:
    """Sends a request until the service answers it."""
    headers = {**headers, "Accept-Language": options.language}
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    attempt, longest = 1, options.pause
    while True:
        after = 0
        try:
            return _once(Request(url, data, headers, method=method))
        except ServiceError as error:
            after = error.retry_after
            if not error.temporary or after > LONGEST_SECONDS or attempt >= options.attempts:
                raise
        except (OSError, HTTPException, ValueError) as error:
            if attempt >= options.attempts:
                raise Unreachable(f"{url} doesn't answer.") from error
        time.sleep(after + random.uniform(0, longest))
        attempt, longest = attempt + 1, min(2 * longest, LONGEST_SECONDS)


def _once(request: Request) -> _Answer:
    try:
        reply = urlopen(request, timeout=SILENCE_SECONDS)
    except HTTPError as error:
        reply = error
    with reply:
        text = reply.read()
    if reply.status == HTTPStatus.NOT_MODIFIED:
        return _Answer(None, None)
    ok = reply.status < HTTPStatus.BAD_REQUEST
    if reply.headers.get_content_type() != f"application/{'json' if ok else 'problem+json'}":
        raise ValueError(f"Not the service's: {reply.status}")
    if not ok:
        raise ServiceError(json.loads(text), int(reply.headers.get("Retry-After", 0)))
    return _Answer(json.loads(text), reply.headers["ETag"])
