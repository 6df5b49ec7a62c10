"""How many threads serve which requests."""

from __future__ import annotations

from contextlib import suppress
from queue import SimpleQueue
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

import pytest

from service.api.http.work import Work
from service.worker.connection import Connection
from service.worker.lane import BATCH_THREADS, Lane, Lanes


def test_threads() -> None:
    """Each kind of work has THREADS of its own, but batches have more."""
    lanes = Lanes(3, lambda _: None)
    expected = {work: BATCH_THREADS if work is Work.BATCH else 3 for work in Work}
    assert {work: lane.most for work, lane in lanes.lane.items()} == expected


def no_thread(_: Thread) -> None:
    """What starting a thread does when the system allows no more."""
    raise RuntimeError("can't start new thread")


def test_a_limit_of_threads_that_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system allows no further thread for a while, a lane goes on with those that it has.
    After that it starts the others.
    """
    together = Barrier(3)

    def work(_: Connection) -> None:
        with suppress(BrokenBarrierError):
            together.wait(30)

    lane, one = Lane(2, work), connection()
    lane.put(one)
    with monkeypatch.context() as limited:
        limited.setattr(Thread, "start", no_thread)
        lane.put(one)
    lane.put(one)
    together.wait(30)  # two threads work at a time
    together.abort()  # nobody comes for the third connection


def test_no_thread_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection for which no thread can be started isn't worked on later: it is closed by then.
    The next one is.
    """
    worked_on: SimpleQueue[Connection] = SimpleQueue()
    lane, refused, accepted = Lane(1, worked_on.put), connection(), connection()
    with monkeypatch.context() as limited:
        limited.setattr(Thread, "start", no_thread)
        with pytest.raises(RuntimeError):
            lane.put(refused)
    lane.put(accepted)
    assert worked_on.get(timeout=30) is accepted


def connection() -> Any:
    """Something that a lane passes on."""
    return object()
