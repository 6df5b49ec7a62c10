"""How many threads serve which requests."""

from __future__ import annotations

import select
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from threading import Barrier, BrokenBarrierError, Thread

import pytest

from service.worker.server import ThreadPool
from tests.live import Service
from tests.worker.breaking import WORK
from tests.worker.raw import Raw, connected, get


def no_thread(_: Thread) -> None:
    """What starting a thread does when the system allows no more."""
    raise RuntimeError("can't start new thread")


def test_a_limit_of_threads_that_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system allows no further thread for a while, a pool goes on with those that it has.
    After that it starts the others.
    """
    together = Barrier(3)

    def work() -> None:
        with suppress(BrokenBarrierError):
            together.wait(30)

    pool = ThreadPool(2)
    pool.put(work)
    with monkeypatch.context() as limited:
        limited.setattr(Thread, "start", no_thread)
        pool.put(work)
    pool.put(work)
    together.wait(30)  # two threads work at a time
    together.abort()  # nobody comes for the third task


def test_no_thread_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task for which no thread can be started isn't done later: its connection is closed by then.
    The next one is done.
    """
    done: SimpleQueue[str] = SimpleQueue()
    pool = ThreadPool(1)
    with monkeypatch.context() as limited:
        limited.setattr(Thread, "start", no_thread)
        with pytest.raises(RuntimeError):
            pool.put(lambda: done.put("refused"))
    pool.put(lambda: done.put("accepted"))
    assert done.get(timeout=30) == "accepted"


@pytest.mark.parametrize("work", WORK)
def test_no_work_delays_another(breaking: Service, work: str) -> None:
    """While a request has the only thread for its kind of work, requests of all other kinds are
    answered, and brief ones; the next of its kind is answered after it.
    """
    with ExitStack() as stack:

        def client(path: str) -> Raw:
            asking = stack.enter_context(connected(breaking))
            asking.send(get(path, "Connection: close"))
            return asking

        held = client(f"/hold/{work}")
        assert held.socket.recv(1) == b"H"  # of HTTP: it has begun
        following = client(f"/just/{work}") if work != "BATCH" else None  # those have more threads
        for other in WORK:
            if other != work:
                assert client(f"/just/{other}").reply("GET").body == other.encode()
        assert client("/livez").reply("GET").status == 200
        assert following is None or not select.select([following.socket], [], [], 0)[0]
        assert client(f"/release/{work}").reply("GET").body == b"released"
        assert held.end().endswith(b"0\r\n\r\n")
        assert following is None or following.reply("GET").body == work.encode()
