"""How many threads serve which requests."""

from __future__ import annotations

from contextlib import suppress
from queue import SimpleQueue
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

import pytest

from service.worker.connection import Connection
from service.worker.lane import BATCH_THREADS, Lane, Lanes
from service.worker.request import Request
from tests.worker.raw import head
from tests.worker.sockets import LIMITS


@pytest.mark.parametrize(
    ("path", "threads"),
    [
        ("/v1/variants/poker-dice/evaluate", 3),
        ("/livez", 3),
        ("/v1/sessions", 3),
        ("/v1/sessions/abc/history", 3),
        ("/v1/variants/poker-dice/batch", BATCH_THREADS),
    ],
)
def test_threads(path: str, threads: int) -> None:
    """THREADS serve ordinary requests, and as many serve sessions."""
    lanes = Lanes(3, lambda _: None)
    assert lanes.lane(request(path)).most == threads


def test_lanes() -> None:
    """Advice, which may take long, can't use up the threads of other requests."""
    lanes = Lanes(3, lambda _: None)
    game, session = "/v1/variants/dice-poker", "/v1/sessions/abc"
    paths = [f"{game}/evaluate", f"{game}/advise", f"{game}/batch", session, f"{session}/advice"]
    assert len({id(lanes.lane(request(path))) for path in paths}) == 5
    assert lanes.lane(request("/readyz?store")) is lanes.lane(request(session))
    for path in (f"{game}/advise", f"{session}/advice"):
        assert lanes.lane(request(path)).most == 3
    for path, same in ((game, "advise"), (session, "advice")):
        assert lanes.lane(request(f"{path}/review")) is lanes.lane(request(f"{path}/{same}"))


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


def request(path: str) -> Request:
    """A request for `path`."""
    parsed = Request(LIMITS)
    parsed.parse_head(head("GET", path))
    parsed.body.close()
    return parsed
