"""What one client leaves of the worker's loop to another while it sends over many connections."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.worker.request import SMALL_CHUNKS
from tests.live import Service, running
from tests.sessions.servers import until
from tests.worker.raw import BODY, EVALUATE, Raw, connected, get, head, post

CONNECTIONS = 640
CHUNKS = (
    head("POST", EVALUATE, "Transfer-Encoding: chunked")
    + b"1\r\n \r\n" * (SMALL_CHUNKS - 2)
    + f"{len(BODY):x}\r\n".encode()
    + BODY
    + b"\r\n0\r\n\r\n"
)


@pytest.fixture(scope="module")
def logging_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Path]]:
    """A service, and the file in which it logs requests in JSON."""
    log = tmp_path_factory.mktemp("log") / "access.log"
    with running(LOG_FORMAT="json", ACCESS_LOG=str(log)) as service:
        yield service, log


@pytest.mark.fault
@pytest.mark.parametrize(
    ("connects", "sent", "each_time", "most"),
    [
        ("before", CHUNKS, 1, CONNECTIONS // 20),
        ("meanwhile", CHUNKS, 1, CONNECTIONS // 2),
        ("meanwhile", post(), 8, CONNECTIONS // 2),
    ],
    ids=["connected before", "connects meanwhile", "several requests at a time"],
)
def test_another_client_in_a_flood(
    logging_service: tuple[Service, Path], connects: str, sent: bytes, each_time: int, most: int
) -> None:
    """While hundreds of requests of one client have arrived, another client waits for few of them.

    The worker is frozen until all requests have arrived, the other client's after all others.
    """
    service, log = logging_service
    own = f"{len(sent)}-{connects}"
    with ExitStack() as opened:

        def connection_of(client: str) -> Raw:
            return opened.enter_context(connected(service, client))

        clients = [connection_of("127.0.0.1") for _ in range(CONNECTIONS)]
        if connects == "before":
            clients.append(connection_of("127.0.0.2"))
        for each in clients:
            each.send(get())
        assert {each.reply("GET").status for each in clients} == {200}
        before = len(evaluated(log))
        (worker,) = service.workers()
        os.kill(worker, signal.SIGSTOP)
        try:
            for each in clients[:CONNECTIONS]:
                each.send(sent * each_time)
            if connects == "meanwhile":
                clients.append(connection_of("127.0.0.2"))
            clients[-1].send(post(BODY, f"X-Request-ID: {own}"))
        finally:
            os.kill(worker, signal.SIGCONT)
        flood = [each.reply().status for each in clients[:CONNECTIONS] for _ in range(each_time)]
        assert {*flood, clients[-1].reply().status} == {200}
    total = before + each_time * CONNECTIONS + 1
    until(lambda: len(evaluated(log)) == total, "all lines are written")
    assert evaluated(log)[before:].index(own) < most


def evaluated(log: Path) -> list[str]:
    """The ids of the evaluations that are logged so far, in their order."""
    lines = (
        json.loads(line) for line in log.read_text().splitlines(keepends=True) if line[-1] == "\n"
    )
    return [line["id"] for line in lines if line["method"] == "POST"]
