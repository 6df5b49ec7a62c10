"""How many threads serve which requests."""

from __future__ import annotations

import pytest

from service.worker.lane import BATCH_THREADS, Lanes
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


def request(path: str) -> Request:
    """A request for `path`."""
    parsed = Request(LIMITS)
    parsed.parse_head(head("GET", path))
    parsed.body.close()
    return parsed
