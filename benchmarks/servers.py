"""The service's own worker beside other classes of workers that gunicorn loads.

The arguments are such classes; without any, gunicorn's `gthread` is compared. For each, it prints
the processor time of an `evaluate` with 1, 8 and 32 connections as a multiple of that in the own
worker (one process each, in turns, median of neighbouring blocks), and how many of fifty ordinary
requests, one after another, are answered within two seconds each beside clients that stall.
"""

from __future__ import annotations

import socket
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from benchmarks.evaluate_over_http import gunicorn, plain, rate, request
from benchmarks.observing import own_children, processor_seconds

OWN = "service.worker.worker.BufferingWorker"
PATH = "/v1/variants/poker-dice/evaluate"
CONNECTIONS = (1, 8, 32)
BLOCK, BLOCKS = 400, 15
ORDINARY = 50
SECONDS = 2

HEAD = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
LINES = b'{"dice":[1,2,3,4,6]}\n' * 20_000
BATCH = (
    "POST /v1/variants/poker-dice/batch HTTP/1.1\r\nHost: localhost\r\n"
    f"Content-Type: application/x-ndjson\r\nContent-Length: {len(LINES)}\r\n\r\n"
).encode() + LINES

STALLED: dict[str, tuple[int, bytes]] = {
    "100 half heads": (100, HEAD),
    "500 half bodies": (500, HEAD + b"Content-Length: 20\r\n\r\n{"),
    "100 unread batches": (100, BATCH),
}
"""How many clients there are of a kind, and what each sends before it stalls."""


@dataclass(frozen=True)
class Running:
    """A server: its port, and the process of its master."""

    port: int
    master: int


@contextmanager
def running(worker: str) -> Iterator[Running]:
    """One process of a class of workers that serves the service as it is shipped."""
    before = set(own_children())
    words = ("--config", "python:service.server", "--workers", "1", "--worker-class", worker)
    with (
        tempfile.TemporaryDirectory() as folder,
        gunicorn(*words, "service.app:create_app()", DATA_DIR=folder) as port,
    ):
        (master,) = set(own_children()) - before
        yield Running(port, master)


def compare_time(workers: Sequence[str]) -> None:
    """Prints the processor time of an `evaluate` in each, as a multiple of that in the first."""
    requests = [request(PATH, plain(5)) for _ in range(BLOCK)]
    with ExitStack() as stack:
        servers = [stack.enter_context(running(worker)) for worker in workers]
        for count in CONNECTIONS:
            with ExitStack() as opened:
                clients = [
                    [
                        opened.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                        for _ in range(count)
                    ]
                    for server in servers
                ]
                blocks = [
                    [microseconds(*each, requests) for each in zip(servers, clients, strict=True)]
                    for _ in range(BLOCKS + 1)
                ][1:]  # the first warms up
            for number, worker in enumerate(workers):
                own = statistics.median(block[number] for block in blocks)
                ratio = statistics.median(block[number] / block[0] for block in blocks)
                print(f"{count:3} connections  {worker:45} {own:5.0f} us, ratio {ratio:.2f}")


def microseconds(server: Running, clients: list[socket.socket], requests: list[bytes]) -> float:
    """The processor time of one of `requests`."""
    before = processor_seconds(server.master)
    rate(clients, requests)
    return (processor_seconds(server.master) - before) / len(requests) * 1e6


def answered(server: Running, count: int, sent: bytes) -> int:
    """How many ordinary requests are answered beside so many clients that stall."""
    with ExitStack() as stack:
        for _ in range(count):
            stalled = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            stalled.setblocking(False)
            stalled.send(sent)
        return sum(is_answered(server.port) for _ in range(ORDINARY))


def is_answered(port: int) -> bool:
    """Whether a request over a new connection is answered in time."""
    try:
        with socket.create_connection(("127.0.0.1", port), SECONDS) as client:
            client.sendall(request(PATH, plain(5)))
            return client.recv(16).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def main() -> None:
    """Prints the comparison."""
    workers = [OWN, *(sys.argv[1:] or ["gthread"])]
    compare_time(workers)
    for worker in workers:
        for kind, (count, sent) in STALLED.items():
            with running(worker) as server:
                found = answered(server, count, sent)
            print(f"{worker:45} beside {kind}: {found} of {ORDINARY} ordinary requests answered")


if __name__ == "__main__":
    main()
