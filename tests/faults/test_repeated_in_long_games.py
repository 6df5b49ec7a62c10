"""Repeated actions in a long game cost about as much as an action."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.api.sessions.playing import Session, make
from tests.live import Reply, Service, running

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


def cpu_seconds(service: Service) -> float:
    """The CPU seconds of its worker."""
    (worker,) = service.workers()
    fields = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def answer(reply: Reply) -> tuple[int, bytes, str]:
    """All of an answer that must be the same when it is given again."""
    return reply.status, reply.body, reply.headers["ETag"]


def test_searches_are_not_repeated(service: Service) -> None:
    """A repeated action is answered as at first, and takes less than one of the layouts of the game
    took: none of them is searched for again, however long the game.
    """
    session = make(service, "roll-a-royal", "ann", house_rules=RULES, dice="client")
    rng = Random(7)
    begun = cpu_seconds(service)
    firsts = [played(session, turn, rng.choices(KINGS, k=13)) for turn in range(LAYS)]
    took = cpu_seconds(service) - begun
    begun = cpu_seconds(service)
    repeated = range(EACH - 1, LAYS, EACH)
    wrong = sum(
        answer(session.act("bank", key=f"bank-{turn}", version=1)) != firsts[turn]
        for turn in repeated
    )
    again = (cpu_seconds(service) - begun) / len(repeated)
    print(
        f"{LAYS} turns took {took:.1f} s of CPU, each of {len(repeated)} repeated actions ", end=""
    )
    print(f"{again:.3f} s; {wrong} wrong answers")
    assert wrong == 0
    assert again < took / LAYS


def played(session: Session, turn: int, dice: list[str]) -> tuple[int, bytes, str]:
    """Plays a turn with one roll; the answer to its last action."""
    assert session.act("roll", dice=dice).status == 200
    assert session.act("lay").status == 200
    last = session.act("bank", key=f"bank-{turn}")
    assert last.status == 200
    return answer(last)
