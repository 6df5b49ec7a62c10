"""One `evaluate` over HTTP, in requests per second, beside a bare Flask view in the same gunicorn.

One worker as it is shipped, as many connections as keep it busy, random dice. The two take turns in
short blocks, so that a machine that changes its speed changes it for both; the ratio is the median
of the ratios of neighbouring blocks.
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
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


@contextmanager
def serving(**settings: str) -> Iterator[list[socket.socket]]:
    """Connections to a gunicorn of one worker with both apps, and with `settings`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [
            sys.executable, "-m", "gunicorn", "--config", "python:service.server",
            "benchmarks.app:application",
        ],
        cwd=ROOT,
        env={
            **os.environ, "PORT": str(port), "WEB_CONCURRENCY": "1", "PREPARE_TABLES": "0",
            **settings,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    next(line for line in process.stdout if "curl" in line)
    connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS)]
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()
        process.terminate()
        process.communicate(timeout=30)


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


def compare(
    connections: list[socket.socket], name: str, path: str, body: Callable[[], dict[str, object]]
) -> None:
    """Prints the rates of requests to `path`, and of the same requests to the bare view."""
    asked = [request(path, body()) for _ in range(BLOCK)]
    bare = [data.replace(path.encode(), BARE.encode()) for data in asked]
    rate(connections, asked)
    rate(connections, bare)
    pairs = [(rate(connections, asked), rate(connections, bare)) for _ in range(BLOCKS)]
    ratio = statistics.median(own / other for own, other in pairs)
    own = statistics.median(own for own, _ in pairs)
    other = statistics.median(other for _, other in pairs)
    print(f"{name:20} {own:6.0f}/s   bare {other:6.0f}/s   ratio {ratio:.3f}")


def main() -> None:
    """Prints a line for each variant."""
    print("evaluate over HTTP, beside a bare Flask view (median of", BLOCKS, "blocks)")
    with serving() as connections:
        for name, body in BODIES.items():
            compare(connections, name, f"/v1/variants/{name}/evaluate", body)


if __name__ == "__main__":
    main()
