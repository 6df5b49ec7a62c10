"""What metrics, logs and rate limits cost of an `evaluate` over HTTP, together.

A service runs in short blocks: without metrics, with them, with a log in JSON as well, and with
rate limits as well. One process has all of them, since where it has its memory makes a process some
per cent faster or slower for as long as it lives. The figures are the processor time of the service
for one request, which other programs on the machine disturb less than its rate. A ratio is the
median of those of neighbouring blocks, over several starts. Then the instruments alone.
"""

from __future__ import annotations

import random
import socket
import statistics
import tempfile
import time
import timeit
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.evaluate_over_http import BLOCK, BLOCKS, connected, gunicorn, plain, rate, request
from benchmarks.switched import LEVELS, PATH, SWITCH
from service.metrics.declared import HANDS, REQUESTS
from service.metrics.instruments import PROMETHEUS, exposition

STARTS = 10
WARM = 100
CALLS = 20_000


@dataclass(frozen=True)
class Measured:
    """A running service: its master's process, and connections to it."""

    master: int
    connections: list[socket.socket]

    def microseconds(self, level: int, requests: list[bytes]) -> float:
        """The processor time of one of `requests` on a level, once the interpreter knows it."""
        rate(
            self.connections, [f"GET {SWITCH}{level} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()]
        )
        rate(self.connections, requests[:WARM])
        before = processor_seconds(self.master)
        rate(self.connections, requests)
        return (processor_seconds(self.master) - before) / len(requests) * 1e6


def processor_seconds(process: int) -> float:
    """The processor time of a process and all its descendants that live."""
    threads = list(Path(f"/proc/{process}/task").iterdir())
    own = sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
    children = [each for thread in threads for each in (thread / "children").read_text().split()]
    return own + sum(processor_seconds(int(child)) for child in children)


@contextmanager
def measured(folder: str) -> Iterator[Measured]:
    """A service that has its files in `folder`."""
    before = set(own_children())
    logging = {"LOG_FORMAT": "json", "ACCESS_LOG": f"{folder}/access.log"}
    config = ("--config", "python:service.server", "--workers", "1")
    application = "benchmarks.switched:application"
    with (
        gunicorn(*config, application, DATA_DIR=folder, **logging) as port,
        connected(port) as connections,
    ):
        (master,) = set(own_children()) - before
        yield Measured(master, connections)


def own_children() -> list[int]:
    """The processes that this one has started."""
    return [int(each) for each in Path("/proc/thread-self/children").read_text().split()]


def compare() -> None:
    """Prints the processor time of a request on each level."""
    blocks = [block for _ in range(STARTS) for block in measured_once()]
    for name in LEVELS:
        own = statistics.median(block[name] for block in blocks)
        ratio = statistics.median(block[name] / block[LEVELS[0]] for block in blocks)
        print(f"{name:20} {own:6.1f} us   ratio {ratio:.3f}")


def measured_once() -> list[dict[str, float]]:
    """Starts the service, and returns the microseconds on each level in some blocks."""
    with tempfile.TemporaryDirectory() as folder, measured(folder) as service:
        requests = [request(PATH, plain(5)) for _ in range(BLOCK)]
        return [measured_block(service, requests) for _ in range(2 * BLOCKS // STARTS)]


def measured_block(service: Measured, requests: list[bytes]) -> dict[str, float]:
    """The microseconds on each level. What a level leaves in the caches is another's each time."""
    order = random.sample(range(len(LEVELS)), len(LEVELS))
    return {LEVELS[level]: service.microseconds(level, requests) for level in order}


def instruments() -> None:
    """Prints the processor time of one call of each."""
    requests, hands = REQUESTS.of("POST", PATH, "200"), HANDS.of("dice-poker")

    def observe() -> None:
        requests.observe(0.0003)

    def add() -> None:
        hands.add()

    for function in (observe, add):
        times = timeit.repeat(function, number=CALLS, repeat=20, timer=time.process_time)
        print(f"{function.__name__:20} {min(times) / CALLS * 1e6:6.2f} us")
    for status in range(200, 300):
        REQUESTS.of("POST", PATH, str(status)).observe(0.0003)
    scrape = timeit.repeat(
        lambda: exposition(PROMETHEUS, {}), number=10, repeat=5, timer=time.process_time
    )
    print(f"a scrape, 100 series {min(scrape) / 10 * 1e3:6.2f} ms")


def main() -> None:
    """Prints all of it."""
    print(f"evaluate over HTTP with metrics, logs and rate limits (median of {2 * BLOCKS} blocks)")
    compare()
    instruments()


if __name__ == "__main__":
    main()
