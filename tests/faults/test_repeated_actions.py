"""Actions that are sent again late, and to another worker."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.api.sessions.playing import Session, make
from tests.live import Reply, Service, running
from tests.sessions import servers
from tests.sessions.servers import until

TIMES = 5


@pytest.fixture(scope="module")
def services() -> Iterator[tuple[Service, Service]]:
    """Two services of one worker each, with one store."""
    binary = servers.either()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = stack.enter_context(servers.on_a_socket(binary, Path(folder)))
        one, other = (stack.enter_context(running(REDIS_URL=url)) for _ in range(2))
        yield one, other


def answer(reply: Reply) -> tuple[int, bytes, str]:
    """All of an answer that must be the same when it is given again."""
    return reply.status, reply.body, reply.headers["ETag"]


@pytest.mark.parametrize("versions", ['"1"', '"1", "2"', '"2"'])
@pytest.mark.parametrize("read_again", [False, True])
def test_what_is_stored_is_answered(
    services: tuple[Service, Service], versions: str, read_again: bool
) -> None:
    """A repeated roll gets its stored result from a worker that cached the turn before it, never
    the zero that the clock would have written otherwise.
    """
    one, other = services
    sessions: list[tuple[Session, tuple[int, bytes, str]]] = []
    while len(sessions) < TIMES:
        seen = make(other, "dice-poker", "ann", "ben", house_rules={"turn_seconds": 2})
        if read_again:
            seen.read()
        rolled = Session(one, seen.made).act("roll", version=1, key=f"key-{len(sessions)}")
        if rolled.status == 200:  # on a slow machine the clock may be faster
            sessions.append((seen, answer(rolled)))
    ends = max(seen.made["state"]["ends_at"] for seen, _ in sessions) / 1000
    until(lambda: time.time() > ends, "the time of the turns is up")
    wrong = 0
    for number, (seen, first) in enumerate(sessions):
        again = seen.act("roll", version=versions, key=f"key-{number}")
        wrong += answer(again) != first
        actions = [event["action"] for event in seen.events().json["events"]]
        assert actions[:3] == ["create", "roll", "time_up"]
    print(f"If-Match: {versions}: {TIMES} repeated, {wrong} answered otherwise than at first")
    assert wrong == 0
