"""One `evaluate` over HTTP, in requests per second, beside a bare Flask view.

One worker as it is shipped, as many connections as keep it busy, random dice. The bare view runs in
gunicorn's own worker with four threads, and a second time in the same worker as the service, which
is faster. They alternate in short blocks, so that a machine that changes its speed changes it for
all; a ratio is the median of the ratios of neighbouring blocks.
"""

from __future__ import annotations

import json
import os
import random
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.app import BARE

ROOT = Path(__file__).parents[1]
CONNECTIONS = 4
BLOCK = 400
BLOCKS = 60

source = random.Random(5)


def plain(count: int) -> dict[str, object]:
    """A random roll."""
    return {"dice": [source.randint(1, 6) for _ in range(count)]}


def suited() -> dict[str, object]:
    """A random table of seven dice."""
    bag = [suit for suit in "rbwy" for _ in range(5)]
    dice = [f"{source.randint(1, 6)}{suit}" for suit in source.sample(bag, 7)]
    return {"pocket": dice[:2], "community": dice[2:]}


BODIES: dict[str, Callable[[], dict[str, object]]] = {
    "dice-poker": lambda: plain(5),
    "poker-dice": lambda: plain(5),
    "texas-holdem-dice": suited,
    "yahtzee-deluxe": lambda: plain(6),
}


def request(path: str, body: dict[str, object]) -> bytes:
    """A POST as bytes."""
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


@dataclass(frozen=True)
class Served:
    """Connections to the service, and to a bare view in gunicorn's own worker."""

    service: list[socket.socket]
    bare: list[socket.socket]


@contextmanager
def serving() -> Iterator[Served]:
    """One worker with the service and the bare view, and one of gunicorn's with the bare view."""
    with ExitStack() as stack:
        ports = [stack.enter_context(server) for server in (service(), bare(4))]
        yield Served(*[stack.enter_context(connected(port)) for port in ports])


@contextmanager
def connected(port: int) -> Iterator[list[socket.socket]]:
    """Connections to a server."""
    with ExitStack() as stack:
        address = ("127.0.0.1", port)
        yield [stack.enter_context(socket.create_connection(address)) for _ in range(CONNECTIONS)]


def service(**settings: str) -> AbstractContextManager[int]:
    """Starts one worker with the service and the bare view, and with `settings`; its port."""
    config = ("--config", "python:service.server", "--workers", "1")
    return gunicorn(*config, "benchmarks.app:application", **settings)


def bare(threads: int) -> AbstractContextManager[int]:
    """Starts one of gunicorn's own workers with the bare view; its port."""
    worker = ("--worker-class", "gthread", "--threads", str(threads), "--keep-alive", "75")
    return gunicorn(*worker, "--no-control-socket", "benchmarks.app:bare")


@contextmanager
def gunicorn(*arguments: str, **settings: str) -> Iterator[int]:
    """Runs gunicorn with `settings` in its environment until the context ends; its port."""
    port = free_port()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "gunicorn",
            "--bind",
            f"127.0.0.1:{port}",
            "--log-level",
            "info",
            *arguments,
        ],
        cwd=ROOT,
        env={**os.environ, "PREPARE_TABLES": "0", **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    next(line for line in process.stderr if "Booting worker" in line)
    threading.Thread(target=process.stderr.read, daemon=True).start()
    try:
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def rate(connections: list[socket.socket], requests: list[bytes]) -> float:
    """Requests per second; a connection that has its answer sends its next request at once."""
    waiting = iter(requests)
    with selectors.DefaultSelector() as selector:
        started = time.perf_counter()
        for connection, data in zip(connections, waiting, strict=False):
            connection.sendall(data)
            selector.register(connection, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                answered = key.fileobj
                assert isinstance(answered, socket.socket)
                read_answer(answered)
                data = next(waiting, b"")
                if data:
                    answered.sendall(data)
                else:
                    selector.unregister(answered)
        return len(requests) / (time.perf_counter() - started)


def read_answer(connection: socket.socket) -> None:
    """Reads one answer, which must be a 200 or 201; head and body may come one by one."""
    answer = b""
    while not answer.endswith(b"}"):
        received = connection.recv(65536)
        if not received:
            raise ConnectionError(f"cut off after {answer!r}")
        answer += received
    if not answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 201 ")):
        raise ValueError(f"not an answer: {answer!r}")


def compare(served: Served, name: str, path: str, body: Callable[[], dict[str, object]]) -> None:
    """Prints the rates of requests to `path`, and of the same requests to the bare views."""
    asked = [request(path, body()) for _ in range(BLOCK)]
    constant = [data.replace(path.encode(), BARE.encode()) for data in asked]
    runs = ((served.service, asked), (served.bare, constant), (served.service, constant))
    for connections, requests in runs:
        rate(connections, requests)
    blocks = [[rate(*run) for run in runs] for _ in range(BLOCKS)]
    own, other, in_loop = (statistics.median(rates) for rates in zip(*blocks, strict=True))
    of_bare, of_loop = (
        statistics.median(block[0] / block[place] for block in blocks) for place in (1, 2)
    )
    print(
        f"{name:20} {own:6.0f}/s   bare view: in gunicorn {other:6.0f}/s, ratio {of_bare:.2f}; "
        f"in the service's worker {in_loop:6.0f}/s, ratio {of_loop:.2f}"
    )


def main() -> None:
    """Prints a line for each variant."""
    print("evaluate over HTTP, beside a bare Flask view (median of", BLOCKS, "blocks)")
    with serving() as served:
        for name, body in BODIES.items():
            compare(served, name, f"/v1/variants/{name}/evaluate", body)


if __name__ == "__main__":
    main()
