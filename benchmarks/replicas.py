"""What `WAIT_REPLICAS` costs: actions over HTTP by one client, with a replica to wait for or not.

Both services use the same master. Its replica is on the same machine, so this is the least that it
costs. The ratio is the median of those of neighbouring blocks.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

from tests.api.sessions.playing import Session, make
from tests.live import Service, running
from tests.sessions import replicated
from tests.sessions.servers import either

BLOCK = 100
BLOCKS = 20
VARIANT = "texas-holdem-dice"
ACTION = b'{"action": "check"}'


def rate(connection: HTTPConnection, service: Service) -> float:
    """Actions per second of one client that checks; the flop is rolled again each time (H13)."""
    session: Session = make(service, VARIANT, "ann", "ben")
    headers = session.headers()
    began = time.perf_counter()
    for _ in range(BLOCK):
        connection.request("POST", f"{session.path}/actions", ACTION, headers)
        with connection.getresponse() as response:
            response.read()
        if response.status != 200:
            raise ValueError(f"not performed: {response.status}")
    return BLOCK / (time.perf_counter() - began)


def main() -> None:
    """Prints the rates and their ratio."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        master, _ = stack.enter_context(replicated.pair(either(), Path(folder)))
        url = f"redis://127.0.0.1:{master.port}"
        services = [
            stack.enter_context(running(REDIS_URL=url, WAIT_REPLICAS=wait)) for wait in ("0", "1")
        ]
        connections = [
            stack.enter_context(closing(HTTPConnection("127.0.0.1", each.port)))
            for each in services
        ]
        pairs = [
            [rate(*each) for each in zip(connections, services, strict=True)]
            for _ in range(BLOCKS + 1)
        ][1:]
    ratio = statistics.median(without / waiting for without, waiting in pairs)
    without, waiting = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    print(
        f"actions of one client: {without:.0f}/s, with WAIT_REPLICAS=1 {waiting:.0f}/s; time of an "
        f"action {ratio:.2f} times (median of {BLOCKS} pairs)"
    )


if __name__ == "__main__":
    main()
