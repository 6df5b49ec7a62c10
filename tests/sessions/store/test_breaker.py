"""While the store is silent, requests fail at once; one at a time asks whether it is back."""

from __future__ import annotations

from functools import partial

import pytest

from service.sessions.requests import new_id
from service.sessions.store.connect import connect
from service.sessions.store.failures import (
    MAX_FAILURES,
    PROBE_SECONDS,
    SLOW_SECONDS,
    Breaker,
    NotAsked,
    StoreUnavailable,
)
from service.sessions.store.redis_store import Store
from tests.sessions import servers
from tests.sessions.servers import Direct
from tests.sessions.store.stored import change


@pytest.fixture(autouse=True)
def patient() -> None:
    """Requests have the time that they have in a service: that is what is tested."""


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The clock of `breaker`."""
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    """A breaker that is closed."""
    return Breaker(clock)


def opens(breaker: Breaker) -> None:
    """Opens the breaker; fails if it opens too early."""
    for _ in range(MAX_FAILURES):
        assert breaker.asks() is True
        breaker.failed(SLOW_SECONDS)
    assert breaker.asks() is False


def test_one_probe_at_a_time(breaker: Breaker, clock: Clock) -> None:
    """An open breaker lets one request ask after a while, and no other until that has failed."""
    opens(breaker)
    for _ in range(3):
        clock.now += PROBE_SECONDS
        assert [breaker.asks() for _ in range(3)] == [True, False, False]
        clock.now += 10 * PROBE_SECONDS
        assert breaker.asks() is False
        breaker.failed(SLOW_SECONDS)
        assert breaker.asks() is False


def test_asks_twice_a_second(breaker: Breaker, clock: Clock) -> None:
    """A store that is silent is asked again after half a second, and not before."""
    opens(breaker)
    clock.now = 0.499
    assert breaker.asks() is False
    clock.now = 0.5
    assert breaker.asks() is True


def test_an_answer_closes_it(breaker: Breaker, clock: Clock) -> None:
    """After one answer everybody may ask again, and it takes as many failures to open it."""
    opens(breaker)
    clock.now += PROBE_SECONDS
    assert breaker.asks() is True
    breaker.answered()
    assert [breaker.asks() for _ in range(3)] == [True] * 3
    opens(breaker)


def test_a_quick_failure_closes_it(breaker: Breaker, clock: Clock) -> None:
    """A store that refuses connections keeps nobody waiting, so everybody may ask, and it takes as
    many failures to open it.
    """
    opens(breaker)
    clock.now += PROBE_SECONDS
    assert breaker.asks() is True
    breaker.failed(SLOW_SECONDS / 2)
    assert [breaker.asks() for _ in range(3)] == [True] * 3
    opens(breaker)


def test_only_failures_in_a_row_open_it(breaker: Breaker) -> None:
    """An answer or a quick failure in between starts the count again."""
    for between in (breaker.answered, partial(breaker.failed, 0.0)):
        for _ in range(5):
            for _ in range(MAX_FAILURES - 1):
                breaker.failed(SLOW_SECONDS)
            between()
        assert breaker.asks() is True


@pytest.mark.fault
def test_store_that_falls_silent(alone: Direct) -> None:
    """A store that doesn't answer is soon not asked any more; it is once it answers again."""
    store, one = Store(partial(connect, alone.url)), new_id()
    assert store.write(one, change()) is True
    alone.execute_command("CLIENT PAUSE", 60_000, "WRITE")
    failures = [failure(store, one) for _ in range(MAX_FAILURES + 5)]
    assert failures == [StoreUnavailable] * MAX_FAILURES + [NotAsked] * 5
    alone.execute_command("CLIENT UNPAUSE")
    servers.until(lambda: failure(store, one) is None, "the store is asked again")
    assert store.write(one, change(1)) is True


def failure(store: Store, session_id: str) -> type[StoreUnavailable] | None:
    """The class of the error of a read, None if it succeeds."""
    try:
        store.read(session_id)
    except StoreUnavailable as error:
        return type(error)
    return None
