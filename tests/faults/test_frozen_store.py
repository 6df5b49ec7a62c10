"""A store that freezes: requests that don't need it are answered as usual."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event

from tests.api.sessions.playing import make
from tests.faults.clients import ORDINARY, ordinary
from tests.live import running
from tests.sessions.servers import answers, either, process, until

CLIENTS = 100


def test_single_requests_beside_a_frozen_store(tmp_path: Path) -> None:
    """While a hundred clients ask for a session, single requests don't wait for the store."""
    path = f"{tmp_path}/s"
    url = f"unix://{path}"
    with (
        process(either(), tmp_path, {"port": "0", "unixsocket": path}) as store,
        running(WEB_CONCURRENCY="2", REDIS_URL=url) as service,
    ):
        until(partial(answers, url), "the store answers")
        session = make(service, "dice-poker", "ann")
        os.kill(store.pid, signal.SIGSTOP)
        over = Event()

        def poll() -> set[int]:
            statuses = set()
            while not over.is_set():
                statuses.add(session.read().status)
            return statuses

        try:
            with ThreadPoolExecutor(CLIENTS) as pool:
                polls = [pool.submit(poll) for _ in range(CLIENTS)]
                found = ordinary(service)
                over.set()
            statuses = set().union(*(each.result() for each in polls))
        finally:
            os.kill(store.pid, signal.SIGCONT)
        assert session.read().status == 200
    assert statuses == {503}
    assert found.answered == ORDINARY
    assert found.within_a_second >= 0.95
