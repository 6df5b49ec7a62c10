"""`evaluate` over HTTP beside a hundred clients of sessions: with their store, and with it frozen.

Each client reads its session once a second, which is also what `Retry-After` asks for. The store
freezes and goes on in turns, and the ratio is the median of those of neighbouring blocks. Rates are
also printed for a second of the service's processor time, which other programs disturb less; the
requests of those clients are in both.
"""

from __future__ import annotations

import os
import signal
import socket
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection
from multiprocessing import Event, Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

from benchmarks.evaluate_over_http import BODIES, CONNECTIONS, rate, request
from benchmarks.observing import processor_seconds
from tests.api.sessions.playing import Session, make
from tests.live import running
from tests.sessions.servers import answers, either, process, until

CLIENTS = 100
BLOCK = 8000
"""Some seconds: those who waited for the store together read again together, once a second."""

BLOCKS = 12
VARIANT = "dice-poker"


def poll(port: int, path: str, headers: dict[str, str], over: Any, result: Connection) -> None:
    """Reads a session with `CLIENTS` clients until `over`, and sends how often each status came."""
    statuses: Counter[int] = Counter()
    start = Barrier(CLIENTS)

    def read(number: int) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        start.wait()
        over.wait(number / CLIENTS)
        while not over.is_set():
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            response.read()
            statuses[response.status] += 1
            over.wait(1)

    threads = [Thread(target=read, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result.send(statuses)


Rates = tuple[float, float]
"""Requests per second, and per second of processor time."""


def rates(process: int, connections: list[socket.socket], requests: list[bytes]) -> Rates:
    """The rates of `requests`, which the service with the master `process` answers."""
    before = processor_seconds(process)
    per_second = rate(connections, requests)
    return per_second, len(requests) / (processor_seconds(process) - before)


def measured(pid: int, session: Session, measure: Callable[[], Rates]) -> list[tuple[Rates, Rates]]:
    """The rates of `evaluate` with the store and without it, in neighbouring blocks."""
    pairs = []
    for _ in range(BLOCKS):
        until(lambda: session.read().status == 200, "the session is there")
        with_store = measure()
        os.kill(pid, signal.SIGSTOP)
        until(lambda: session.read().status == 503, "the store is frozen")
        time.sleep(1)  # until nobody waits for it
        pairs.append((with_store, measure()))
        os.kill(pid, signal.SIGCONT)
    return pairs


def main() -> None:
    """Prints the rates."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = f"{folder}/s"
        url = f"unix://{path}"
        store = stack.enter_context(
            process(either(), Path(folder), {"port": "0", "unixsocket": path})
        )
        until(partial(answers, url), "the store answers")
        service = stack.enter_context(running(REDIS_URL=url))
        session = make(service, VARIANT, "ann")
        over, (result, sent) = Event(), Pipe(duplex=False)
        arguments = (service.port, session.path, session.bearer(), over, sent)
        clients = Process(target=poll, args=arguments)
        clients.start()
        stack.callback(clients.join)
        stack.callback(over.set)
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            for _ in range(CONNECTIONS)
        ]
        asked = [request(f"/v1/variants/{VARIANT}/evaluate", BODIES[VARIANT]())] * BLOCK
        rate(connections, asked)
        pairs = measured(
            store.pid, session, partial(rates, service.process.pid, connections, asked)
        )
        over.set()
        statuses = result.recv()
    print(f"evaluate beside {CLIENTS} clients of sessions (medians of {BLOCKS} pairs)")
    for place, name in enumerate(("a second", "a second of processor time")):
        of_both = [(beside[place], without[place]) for beside, without in pairs]
        with_store, frozen = (statistics.median(several) for several in zip(*of_both, strict=True))
        ratio = statistics.median(without / beside for beside, without in of_both)
        print(f"{name}: {with_store:.0f}, with the store frozen {frozen:.0f}, ratio {ratio:.2f}")
    print(f"responses to the clients of sessions: {dict(statuses)}")


if __name__ == "__main__":
    main()
