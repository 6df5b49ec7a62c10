"""How many threads serve which requests."""

from __future__ import annotations

import pytest

from service.settings import Settings
from service.worker.lane import BATCH_THREADS, Lanes
from service.worker.request import Request
from tests.worker.raw import head
from tests.worker.sockets import LIMITS


@pytest.mark.parametrize(
    ("path", "threads"),
    [
        ("/v1/variants/poker-dice/evaluate", 3),
        ("/livez", 3),
        ("/v1/sessions", 3 + 7),
        ("/v1/sessions/abc/history", 3 + 7),
        ("/v1/variants/poker-dice/batch", BATCH_THREADS),
    ],
)
def test_threads(path: str, threads: int) -> None:
    """THREADS serve ordinary requests; sessions have as many, and MAX_WAITS more that may wait."""
    lanes = Lanes(Settings(max_waits=7), 3, lambda _: None)
    request = Request(LIMITS)
    request.parse_head(head("GET", path))
    request.body.close()
    assert lanes.lane(request).most == threads
