"""The time of a request is limited, whatever it takes to ask the store."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from service.sessions.store.connect import FAILURES, Client, NotSent, connect, never_ran
from service.sessions.store.deadline import REQUEST_SECONDS, STEP_SECONDS, OutOfTime, limited
from tests.sampled import first
from tests.sessions import servers
from tests.sessions.servers import Direct

STEPS = round(REQUEST_SECONDS / STEP_SECONDS)
"""How many commands of a request can wait in vain."""


@pytest.fixture(autouse=True)
def patient() -> None:
    """Requests have the time that they have in a service: that is what is tested."""


@pytest.fixture
def paused(any_server: str, tmp_path: Path) -> Iterator[tuple[Direct, Client]]:
    """A client of a server that doesn't answer, and another one that was connected before."""
    with servers.on_a_port(any_server, tmp_path) as url, closing(Direct(url)) as first:
        other = connect(url)
        for client in (first, other):
            client.ask("counted", ("GET", "counted"))
        first.client_pause(60_000, all=False)
        yield first, other


def errors(client: Client, count: int) -> list[type[Exception]]:
    """The errors of so many commands, after checking what they say about having run."""
    found: list[type[Exception]] = []
    for _ in range(count):
        with pytest.raises(FAILURES) as caught:
            client.ask("counted", ("INCR", "counted"))
        error = caught.value
        reason = error.__cause__ if isinstance(error, NotSent) else error
        over = isinstance(reason, OutOfTime)
        found.append(OutOfTime if over else type(error))
        assert never_ran(error) is over
    return found


@pytest.mark.fault
def test_time_is_over(paused: tuple[Direct, Client]) -> None:
    """Once the time of a request is over, no further command is sent; the next request has its own
    time.
    """
    client, other = paused
    for each in (client, other):
        found = limited(errors)(each, STEPS + 3)
        assert OutOfTime not in found[: STEPS - 1]
        assert found[STEPS:] == [OutOfTime] * 3
    client.client_unpause()
    assert int(client.get("counted") or 0) <= 2 * STEPS


def test_parts_of_a_request(paused: tuple[Direct, Client]) -> None:
    """A limited function that another one calls has no time of its own."""
    _, client = paused

    @limited
    def request() -> list[type[Exception]]:
        return [limited(errors)(client, 1)[0] for _ in range(STEPS + 2)]

    assert request()[STEPS:] == [OutOfTime] * 2


@pytest.mark.fault
def test_without_a_limit(paused: tuple[Direct, Client]) -> None:
    """Outside of a request, each command has its time."""
    _, client = paused
    assert OutOfTime not in errors(client, STEPS + 1)


@pytest.mark.parametrize(
    "form", first(["redis+sentinel://{}/games", "redis+cluster://{}"], pytest.mark.fault)
)
def test_many_silent_hosts(form: str) -> None:
    """If none of many sentinels or nodes answers, the last ones aren't asked: the time is over."""
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(6)]
        hosts = ",".join(f"127.0.0.1:{each.getsockname()[1]}" for each in silent)
        with pytest.raises(FAILURES):
            limited(lambda: connect(form.format(hosts)).ask("key", ("GET", "key")))()
        asked = sum(map(was_asked, silent))
    assert 1 <= asked <= STEPS + 1


@pytest.mark.parametrize("kind", first(["sentinel_url", "cluster_url"], pytest.mark.fault))
def test_silent_hosts_before_one_that_answers(request: pytest.FixtureRequest, kind: str) -> None:
    """If silent sentinels or nodes take all the time of a request, the next one asks the others."""
    scheme, _, place = request.getfixturevalue(kind).partition("//")
    hosts, *master = place.split("/")
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(STEPS)]
        before = [f"127.0.0.1:{each.getsockname()[1]}" for each in silent]
        several = ",".join([*before, hosts.split(",")[0]])
        client = connect("/".join([f"{scheme}//{several}", *master]))
        with pytest.raises(FAILURES):
            limited(client.ask)("silent", ("GET", "silent"))
        assert limited(client.ask)("silent", ("GET", "silent")) == [None]


def was_asked(listener: socket.socket) -> bool:
    """Whether a client has connected and sent something."""
    listener.setblocking(False)
    try:
        connection, _ = listener.accept()
        with connection:
            connection.setblocking(False)
            return bool(connection.recv(1024))
    except BlockingIOError:
        return False
