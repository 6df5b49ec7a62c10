"""A store that freezes: requests that don't need it get their responses as usual."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

from tests.api.sessions.playing import make
from tests.faults.clients import ORDINARY, ordinary
from tests.faults.own_store import OwnStore
from tests.live import running
from tests.sessions.servers import either, until

CLIENTS = 100


def test_single_requests_beside_a_frozen_store(tmp_path: Path) -> None:
    """While a hundred clients ask for a session, single requests don't wait for the store, and
    sessions work again as soon as it answers.
    """
    with (
        closing(OwnStore(either(), tmp_path)) as store,
        running(WEB_CONCURRENCY="2", REDIS_URL=store.url) as service,
    ):
        session = make(service, "dice-poker", "ann")
        over = Event()

        def poll() -> Counter[int]:
            statuses: Counter[int] = Counter()
            while not over.is_set():
                statuses[session.read().status] += 1
            return statuses

        with store.frozen(), ThreadPoolExecutor(CLIENTS) as pool:
            polls = [pool.submit(poll) for _ in range(CLIENTS)]
            try:
                ordinary(service)
            finally:
                over.set()
            statuses = sum((each.result() for each in polls), Counter())
        until(lambda: session.read().status == 200, "the session is there again")
    print(f"all {ORDINARY} single requests answered; sessions: {dict(statuses)}")
    assert statuses.keys() == {503}
