"""Sessions that a process has cached while another process changes them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from service.rules.house_rules import read_rules
from service.sessions.action_request import ActionRequest
from service.sessions.repository import KEPT, Recent
from service.sessions.service import SessionService
from service.sessions.session import Snapshot, Terms
from service.sessions.store.redis_store import Store
from service.sessions.store.stored import Change, Replay, Stored
from service.sessions.view import (
    CreatedSession,
    Forbidden,
    Illegal,
    SessionView,
    Stale,
    Unknown,
    Versions,
)
from service.variants import variants
from tests.sessions.sample_sessions import sample_terms
from tests.sessions.servers import Direct

ROLL = {"action": "roll"}


def now() -> int:
    """Milliseconds since 1970: keys expire by the clock of the store."""
    return time.time_ns() // 1_000_000


class Watched(Store):
    """A store that counts how often a session is read from it, and how often to replay it.

    `before_write` is done once, just before the next change.
    """

    reads = histories = 0
    before_write: Callable[[], object] | None = None

    def read(self, session_id: str, key: bytes = b"") -> Stored | None:
        """The session."""
        self.reads += 1
        return super().read(session_id, key)

    def replay(self, session_id: str, version: int) -> Replay:
        """How it came to a version."""
        self.histories += 1
        return super().replay(session_id, version)

    def write(self, session_id: str, change: Change) -> bool:
        """Makes a change."""
        first, self.before_write = self.before_write, None
        if first is not None:
            first()
        return super().write(session_id, change)


class Worker:
    """A process that acts in sessions, with its own cache."""

    def __init__(self, url: str) -> None:
        self.client = Direct(url)
        self.store = Watched(lambda: self.client)
        self.session_service = SessionService(self.store, variants(), 60, now)

    def act(
        self, made: CreatedSession, version: int, body: Mapping[str, Any] = ROLL, key: str = ""
    ) -> SessionView:
        """An action for the table in a version."""
        versions = Versions(frozenset([str(version)]))
        request = ActionRequest.of(body, made.table_token, versions, key)
        return self.session_service.act(made.view.terms.id, request)


@pytest.fixture
def workers(socket_url: str) -> Iterator[tuple[Worker, Worker]]:
    """Two processes with one store."""
    one, other = Worker(socket_url), Worker(socket_url)
    with closing(one.client), closing(other.client):
        yield one, other


def new(worker: Worker) -> CreatedSession:
    """A new session, without a clock."""
    variant = variants()["dice-poker"]
    rules = read_rules(variant.house_rules, {"turn_seconds": None})
    return worker.session_service.create(variant, ["ann"], rules, typed_dice=False, client_seed="")


def test_a_cached_session_is_not_read_again(workers: tuple[Worker, Worker]) -> None:
    """An action in a cached session reads nothing from the store; others read the session."""
    one, other = workers
    made = new(one)
    assert [one.act(made, version).snapshot.version for version in (1, 2)] == [2, 3]
    assert one.store.reads == 0
    assert other.act(made, 3).snapshot.version == 4
    assert other.store.reads == 1
    assert one.act(made, 4, {"action": "score", "box": "chance"}).snapshot.version == 5
    assert one.store.reads == 1


def test_another_was_faster(workers: tuple[Worker, Worker]) -> None:
    """An action for a version that another process has left gets the newer version with its
    refusal.
    """
    one, other = workers
    made = new(one)
    one.act(made, 1)
    other.act(made, 2)
    with pytest.raises(Stale) as stale:
        one.act(made, 2)
    assert stale.value.view.snapshot.version == 3
    assert one.act(made, 3, {"action": "cross_out", "box": "ones"}).snapshot.version == 4


@pytest.mark.parametrize("tags", [frozenset(["2", "3"]), None])
def test_another_was_faster_and_that_is_fine(
    workers: tuple[Worker, Worker], tags: frozenset[str] | None
) -> None:
    """An action for several versions, or any, applies to the version that another process just
    made.
    """
    one, other = workers
    made = new(one)
    one.act(made, 1)
    one.store.before_write = lambda: other.act(made, 2)
    request = ActionRequest.of(ROLL, made.table_token, Versions(tags), "k")
    done = one.session_service.act(made.view.terms.id, request)
    assert done.snapshot.version == 4
    assert one.session_service.read(made.view.terms.id, made.table_token) == done


def test_refusals_are_confirmed_by_the_store(
    workers: tuple[Worker, Worker],
) -> None:
    """An action that is illegal in the cached version is judged again in the stored one."""
    one, other = workers
    made = new(one)
    one.act(made, 1)
    for version in (2, 3):
        other.act(made, version)
    with pytest.raises(Stale) as stale:
        one.act(made, 2, {"action": "throw"})
    assert stale.value.view.snapshot.version == 4
    with pytest.raises(Illegal) as illegal:
        one.act(made, 4)
    assert illegal.value.view.snapshot.version == 4
    other.act(made, 4, {"action": "score", "box": "ones"})
    assert one.act(made, 5).snapshot.version == 6


def test_a_key_that_another_has_seen(workers: tuple[Worker, Worker]) -> None:
    """An action that another process performed is not repeated, whatever is cached here."""
    one, other = workers
    made = new(one)
    one.act(made, 1)
    done = other.act(made, 2, key="k")
    assert one.act(made, 2, key="k") == done
    assert len(one.session_service.history(made.view.terms.id, made.table_token)[1]) == 3


def test_a_repeated_last_action_needs_no_history(
    workers: tuple[Worker, Worker],
) -> None:
    """A repeated action is replayed from the history only if others have acted since."""
    one, other = workers
    made = new(one)
    done = one.act(made, 1, key="k")
    assert [each.act(made, 1, key="k") for each in workers] == [done, done]
    assert one.store.histories == other.store.histories == 0
    other.act(made, 2)
    assert one.act(made, 1, key="k") == done
    assert one.store.histories == 1


def test_a_session_that_another_removed(workers: tuple[Worker, Worker]) -> None:
    """A session that another process deleted is unknown here, even if it is cached."""
    one, other = workers
    made = new(one)
    one.act(made, 1)
    other.session_service.delete(made.view.terms.id, made.table_token)
    for _ in range(2):
        with pytest.raises(Unknown):
            one.act(made, 2)


def test_a_cached_session_needs_its_token(workers: tuple[Worker, Worker]) -> None:
    """A cached session refuses other tokens, like a stored one."""
    one, _ = workers
    made = new(one)
    one.act(made, 1)
    request = ActionRequest.of(ROLL, "another", Versions(frozenset(["2"])))
    with pytest.raises(Forbidden):
        one.session_service.act(made.view.terms.id, request)


def test_the_last_sessions_are_cached() -> None:
    """The cache keeps the session put last, even at an older version: the store may have lost the
    newer one. It drops the sessions that were used longest ago.
    """
    recent = Recent()
    first = at_version(sample_terms("dice-poker"), 7)
    older = at_version(first.terms, 5)
    recent.put(first)
    recent.put(older)
    assert recent.get(first.terms.id) == older
    later = [at_version(replace(first.terms, id=str(number)), 1) for number in range(KEPT)]
    for session in later:
        recent.put(session)
    assert recent.get(first.terms.id) is None
    assert [recent.get(session.terms.id) for session in later] == later
    recent.forget(later[0].terms.id)
    assert recent.get(later[0].terms.id) is None


def at_version(terms: Terms, version: int) -> SessionView:
    """A session at a version."""
    return SessionView(terms, Snapshot(version, 0, 0, 0, None), None, "")
