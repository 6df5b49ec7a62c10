"""Repeated actions in a long game are answered without the searches of the first time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from tests.api.sessions.playing import Session, make
from tests.live import Reply, Service, running
from tests.metrics.scrapes import scraped, value

LAYS = 60
EACH = 10
"""The turns whose last action is repeated."""

RULES = {"turns": LAYS, "opening": "none", "repeated_cards": True}
KINGS = ["Kh", "Kd", "Ks", "Kc", "Qh"]
"""The faces of the dice: with so many kings a search takes long, as dice can repeat cards."""


@pytest.fixture
def service() -> Iterator[Service]:
    """A service of one worker."""
    with running() as started:
        yield started


def searches(service: Service) -> float:
    """How many searches for layouts its worker has made."""
    return value(scraped(service), "dice_solver_duration_seconds_count", variant="roll-a-royal")


def answer(reply: Reply) -> tuple[int, bytes, str]:
    """All of an answer that must be the same when it is given again."""
    return reply.status, reply.body, reply.headers["ETag"]


def test_searches_are_not_repeated(service: Service) -> None:
    """A repeated action is answered as at first, and no layout is searched for again."""
    session = make(service, "roll-a-royal", "ann", house_rules=RULES, dice="client")
    rng = Random(7)
    firsts = [played(session, turn, rng.choices(KINGS, k=13)) for turn in range(LAYS)]
    searched = searches(service)
    assert searched >= LAYS
    repeated = range(EACH - 1, LAYS, EACH)
    again = [answer(session.act("bank", key=f"bank-{turn}", version=1)) for turn in repeated]
    assert again == [firsts[turn] for turn in repeated]
    assert searches(service) == searched


def played(session: Session, turn: int, dice: list[str]) -> tuple[int, bytes, str]:
    """Plays a turn with one roll; the answer to its last action."""
    assert session.act("roll", dice=dice).status == 200
    assert session.act("lay").status == 200
    last = session.act("bank", key=f"bank-{turn}")
    assert last.status == 200
    return answer(last)
