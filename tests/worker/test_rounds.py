"""What one client leaves of the worker's loop to another while it sends over many connections."""

from __future__ import annotations

import json
import os
import signal
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.worker.connection import Connection
from service.worker.phases import ROUND_CONNECTIONS, in_turns
from service.worker.request import SMALL_CHUNKS
from tests.live import running
from tests.worker.raw import BODY, EVALUATE, Raw, connected, get, head
from tests.worker.sockets import LIMITS

CONNECTIONS = 20 * ROUND_CONNECTIONS
SMALL = head("POST", EVALUATE, f"Content-Length: {len(BODY)}", "X-Request-Id: other") + BODY
CHUNKS = (
    head("POST", EVALUATE, "Transfer-Encoding: chunked")
    + b"1\r\n \r\n" * (SMALL_CHUNKS - 2)
    + f"{len(BODY):x}\r\n".encode()
    + BODY
    + b"\r\n0\r\n\r\n"
)


def connections_of(peers: str) -> list[Connection]:
    """Connections of these peers, a letter each, that have moved one after the other."""
    connections = []
    for moment, peer in enumerate(peers):
        with socket.socket() as unused:
            connections.append(Connection(unused, (peer, 1), ("127.0.0.1", 8000), LIMITS))
        connections[-1].moved_at = float(moment)
    return connections


def test_turns() -> None:
    """Each peer has a turn before another has its second; the longest inactive come first."""
    one, two, three, four, five, six = connections_of("aaabca")
    turns = in_turns([six, five, four, three, two, one])
    assert turns == [one, four, five, two, three, six]


@pytest.mark.parametrize(
    ("connects", "most"), [("before", ROUND_CONNECTIONS), ("meanwhile", CONNECTIONS // 2)]
)
def test_another_client_in_a_flood(connects: str, most: int, tmp_path: Path) -> None:
    """While hundreds of requests of one client have arrived, another client waits for few of them.

    The worker is frozen until all requests have arrived, the other client's after all others.
    """
    log = tmp_path / "access.log"
    with running(LOG_FORMAT="json", ACCESS_LOG=str(log)) as service, ExitStack() as opened:

        def connection_of(client: str) -> Raw:
            return opened.enter_context(connected(service, client))

        clients = [connection_of("127.0.0.1") for _ in range(CONNECTIONS)]
        if connects == "before":
            clients.append(connection_of("127.0.0.2"))
        for each in clients:
            each.send(get())
            assert each.reply("GET").status == 200
        (worker,) = service.workers()
        os.kill(worker, signal.SIGSTOP)
        try:
            for each in clients[:CONNECTIONS]:
                each.send(CHUNKS)
            if connects == "meanwhile":
                clients.append(connection_of("127.0.0.2"))
            clients[-1].send(SMALL)
        finally:
            os.kill(worker, signal.SIGCONT)
        assert {each.reply().status for each in clients} == {200}
    lines = map(json.loads, log.read_text().splitlines())
    evaluated = [line["id"] for line in lines if line["method"] == "POST"]
    assert len(evaluated) == CONNECTIONS + 1
    assert evaluated.index("other") < most
