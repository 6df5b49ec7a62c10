"""How long a request waits for a store that is slow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.state import ScoreCardState
from service.sessions.requests import CreationKey
from service.sessions.service import SessionService
from service.sessions.store import deadline
from service.sessions.store.connect import Command
from service.sessions.store.failures import StoreUnavailable
from service.sessions.view import CreatedSession
from tests.sessions.servers import Direct
from tests.sessions.serving import Clock, act, hurried, new, session_service_of

REQUEST, PAUSE = 100.0, 36.0
"""Seconds of a request, and those that the store takes for a reply: two come in time, not three."""


class Paused(Direct):
    """A client of a store that takes `PAUSE` seconds for each command, by a clock of its own."""

    now = 1.0

    def monotonic(self) -> float:
        """The seconds of its clock."""
        return self.now

    def ask(self, key: str, *commands: Command) -> list[Any]:
        """Returns the replies to commands."""
        self.now += PAUSE
        return super().ask(key, *commands)


@pytest.fixture
def clients(socket_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Direct, Paused]]:
    """A client, and a paused one of the same server, whose clock is that of all requests."""
    with ExitStack() as stack:
        one = stack.enter_context(closing(Direct(socket_url)))
        paused = stack.enter_context(closing(Paused(socket_url)))
        monkeypatch.setattr(deadline, "time", paused)
        for limit in ("REQUEST_SECONDS", "STEP_SECONDS"):
            monkeypatch.setattr(deadline, limit, REQUEST)
        yield one, paused


def slow_read(service: SessionService, made: CreatedSession) -> None:
    """Reads the session."""
    service.read(made.view.terms.id, made.table_token)


def slow_delete(service: SessionService, made: CreatedSession) -> None:
    """Deletes the session."""
    service.delete(made.view.terms.id, made.table_token)


def slow_history(service: SessionService, made: CreatedSession) -> None:
    """Reads the history of the session."""
    service.history(made.view.terms.id, made.table_token)


def slow_roll(service: SessionService, made: CreatedSession) -> None:
    """Rolls in the session, whatever its version."""
    act(service, made)


@pytest.mark.parametrize(
    ("ask", "others"), [(slow_read, 1), (slow_history, 0), (slow_roll, 0), (slow_delete, 0)]
)
def test_a_slow_store(
    clients: tuple[Direct, Paused],
    ask: Callable[[SessionService, CreatedSession], None],
    others: int,
) -> None:
    """However often a request has to ask a store that is slow, it gives up once its time is over:
    here it reads a session, has to store that its turn ran out, and needs a third reply.
    """
    client, paused = clients
    _, session_service, store, _, made = hurried(client, others, paused)
    paused.now += REQUEST  # the thread had nothing to do
    with pytest.raises(StoreUnavailable, match=r"^OutOfTime: "):
        ask(session_service, made)
    assert store.writes >= 1, "two replies came in time"


def test_a_slow_store_and_a_repeated_creation(clients: tuple[Direct, Direct]) -> None:
    """So it is if a session was created before: the store refuses the id, then has the session, and
    then what it was at first.
    """
    client, paused = clients
    key = CreationKey.of("key", {})
    first, slow = session_service_of(client, Clock()), session_service_of(paused, Clock())
    made = new(first, key=key, turn_seconds=1)
    act(first, made, 1)
    with pytest.raises(StoreUnavailable, match=r"^OutOfTime: "):
        new(slow, key=key, turn_seconds=1)
    assert new(first, key=key, turn_seconds=1) == made


def test_a_slow_computation(
    clients: tuple[Direct, Paused], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a request computes takes none of the time that it has for the store."""
    client, paused = clients
    give_up = ScoreCardGame.give_up

    def slow_give_up(game: ScoreCardGame, state: ScoreCardState) -> ScoreCardState:
        paused.now += REQUEST
        return give_up(game, state)

    monkeypatch.setattr(ScoreCardGame, "give_up", slow_give_up)
    _, session_service, _, other, made = hurried(client, 0, paused)
    view = session_service.read(made.view.terms.id, made.table_token)
    assert view.snapshot.version > 1
    assert view == other.read(made.view.terms.id, made.table_token)
