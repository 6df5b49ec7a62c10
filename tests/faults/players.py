"""Clients that play sessions while something breaks, and check at the end what became of it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from uuid import uuid4

from tests.api.sessions.playing import PATH, UNTIMED
from tests.live import JSON, Reply, Service
from tests.sessions.servers import until
from tests.worker.raw import BODY, EVALUATE

PLAYERS = 8
OTHERS = 2
"""How many clients send requests that need no session."""

PATIENCE_SECONDS = 60.0
"""How long a test waits for what it expects."""

CREATION = json.dumps({"variant": "dice-poker", "players": ["ann"], "house_rules": UNTIMED})


@dataclass(frozen=True)
class Acknowledged:
    """An action, and the body of the response that acknowledged it."""

    path: str
    headers: dict[str, str]
    body: bytes
    answer: bytes


@dataclass(frozen=True)
class Found:
    """What was found at the end."""

    acknowledged: int
    lost: int
    twice: int
    """How many events of the histories nobody has acknowledged: performed a second time."""
    refused: int
    """How many responses had the status 503."""
    other: int
    failed: int
    """How many of the `other` requests, which need no session, got another status than 200."""

    def printed(self, fault: str) -> Found:
        """Prints what was found; returns it."""
        print(
            f"{fault}: {self.acknowledged} actions acknowledged, {self.lost} of them lost, "
            f"{self.twice} performed twice; {self.refused} responses 503; {self.other} other "
            f"requests, {self.failed} failed"
        )
        return self


@dataclass
class Players:
    """Clients of a service; each plays one session after another, and repeats what gets a 503.

    If it `repeats_broken` requests, it also repeats those whose connections end without a response.
    `service` may be replaced by another one with the same sessions.
    """

    service: Service
    acknowledged: list[Acknowledged] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    others: Counter[int] = field(default_factory=Counter)
    over: threading.Event = field(default_factory=threading.Event)
    repeats_broken: bool = False
    broken: int = 0
    _failed: threading.Event = field(default_factory=threading.Event)

    @property
    def refused(self) -> int:
        """How many requests to sessions got 503 so far."""
        return self.statuses[503]

    def await_more(self, count: int) -> None:
        """Waits until the clients have had so many further actions acknowledged."""
        wanted = len(self.acknowledged) + count
        self._await(lambda: len(self.acknowledged) >= wanted, "the actions are acknowledged")

    def await_refusals(self, count: int) -> None:
        """Waits until the clients have got so many further 503s."""
        wanted = self.refused + count
        self._await(lambda: self.refused >= wanted, "the actions are refused")

    def _await(self, holds: Callable[[], bool], what: str) -> None:
        until(lambda: self._failed.is_set() or holds(), what, PATIENCE_SECONDS)

    def play(self) -> None:
        """Plays until `over` is set; then waits only for the response to its last action."""
        try:
            while not self.over.is_set():
                self._play_session()
        except BaseException:
            self._failed.set()
            raise

    def ask_others(self) -> None:
        """Sends requests that need no session until `over` is set."""
        while not self.over.is_set():
            try:
                status = self.service.ask("POST", EVALUATE, BODY, {"Content-Type": JSON}).status
            except (OSError, HTTPException):
                status = 0
            self.others[status] += 1

    def _play_session(self) -> None:
        key = {"Content-Type": JSON, "Idempotency-Key": str(uuid4())}
        reply = self._ask("POST", PATH, CREATION.encode(), key)
        if reply.status == 409:  # it was lost
            return
        assert reply.status == 201, reply.body
        path, made = f"{PATH}/{reply.json['id']}", reply.json
        bearer = {"Authorization": f"Bearer {made['tokens']['table']}"}
        while not self.over.is_set() and not reply.json["state"]["over"]:
            headers = {
                **bearer,
                "Content-Type": JSON,
                "If-Match": reply.headers["ETag"],
                "Idempotency-Key": str(uuid4()),
            }
            body = json.dumps(_action(reply.json)).encode()
            reply = self._ask("POST", f"{path}/actions", body, headers)
            if reply.status == 200:
                self.acknowledged.append(Acknowledged(path, headers, body, reply.body))
            else:  # the store has lost this version, or the session
                assert reply.status in (404, 412), reply.body
                reply = self._ask("GET", path, None, bearer)
                if reply.status == 404:
                    return
                assert reply.status == 200, reply.body

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        """The response to a request, which is repeated until it isn't 503; fails if it stays so."""
        replies: list[Reply] = []

        def answered() -> bool:
            try:
                reply = self.service.ask(method, path, body, headers)
            except (OSError, HTTPException):
                if not self.repeats_broken:
                    raise
                self.broken += 1
                return False
            self.statuses[reply.status] += 1
            if reply.status == 503:
                assert int(reply.headers["Retry-After"]) >= 1
                return False
            replies.append(reply)
            return True

        until(answered, "a response that isn't 503", PATIENCE_SECONDS)
        return replies[0]

    def find(self) -> Found:
        """Repeats everything that was acknowledged, and reads all histories."""
        there: Counter[str] = Counter()
        for each in self.acknowledged:
            reply = self._ask("POST", f"{each.path}/actions", each.body, each.headers)
            there[each.path] += reply.status == 200 and reply.body == each.answer
        twice = 0
        for each in {each.path: each for each in self.acknowledged}.values():
            bearer = {"Authorization": each.headers["Authorization"]}
            reply = self._ask("GET", f"{each.path}/events", None, bearer)
            if reply.status == 200:
                events = reply.json["events"]
                assert [event["version"] for event in events] == [*range(1, len(events) + 1)]
                twice += len(events) - 1 - there[each.path]
        return Found(
            len(self.acknowledged),
            len(self.acknowledged) - there.total(),
            twice,
            self.refused,
            self.others.total(),
            self.others.total() - self.others[200],
        )


def _action(session: Any) -> dict[str, Any]:
    """A legal action: to score as soon as possible."""
    actions = {action["action"]: action for action in session["actions"]}
    if "score" in actions:
        return {"action": "score", "box": actions["score"]["box"]["enum"][0]}
    return {"action": "roll"}


@contextmanager
def playing(service: Service, *, repeats_broken: bool = False) -> Iterator[Players]:
    """Clients that play while the context is open; at its end, each has its last response."""
    players = Players(service, repeats_broken=repeats_broken)
    with ThreadPoolExecutor(PLAYERS + OTHERS) as pool:
        running = [pool.submit(players.play) for _ in range(PLAYERS)]
        running += [pool.submit(players.ask_others) for _ in range(OTHERS)]
        try:
            players.await_more(50)
            yield players
        finally:
            players.over.set()
        for each in running:
            each.result(timeout=PATIENCE_SECONDS)
