"""Loads a service as it is shipped, with its own store.

    python -m benchmarks.load [--minutes 10] [--seconds 15] [--rates 50,100,...]

Requests come at times drawn beforehand, whether or not earlier ones have been answered, and their
latency counts from that time: a service that stops for a second makes all requests of that second
late (no coordinated omission). The rates rise until one isn't kept: less than 98 % answered, a 99th
percentile over a second, or an error. Then comes the soak, at half the last rate that was kept. The
client needs a core of its own, so on two cores the service has one.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.load.connection import Connection
from benchmarks.load.day import Day, Unexpected
from tests.live import ROOT, Service, running

CONNECTIONS = 64
WAITING = 100
BURSTS = 20
RATES = "50,100,200,300,400,600,800,1000"


@dataclass
class Measured:
    """What came of the requests that were sent."""

    sent: int = 0
    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    waits: Counter[str] = field(default_factory=Counter)

    @property
    def all(self) -> list[float]:
        """The latencies of all requests, in seconds."""
        return sorted(each for of_sort in self.latencies.values() for each in of_sort)

    @property
    def kept(self) -> bool:
        """Whether the service keeps up."""
        answered = len(self.all) >= 0.98 * self.sent
        return answered and not self.errors and percentile(self.all, 0.99) < 1


def percentile(sorted_values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of the values don't exceed; 0 without any."""
    return (
        sorted_values[min(int(share * len(sorted_values)), len(sorted_values) - 1)]
        if (sorted_values)
        else 0.0
    )


async def load(day: Day, port: int, rate: float, seconds: float) -> Measured:
    """Sends requests at `rate` for `seconds`, while devices wait for games to change."""
    measured = Measured()
    rng = Random(rate)
    free: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()
    connections = [Connection(port) for _ in range(CONNECTIONS + WAITING)]
    for connection in connections[:CONNECTIONS]:
        free.put_nowait(connection)

    async def ask(due: float) -> None:
        sort = day.sort()
        connection = await free.get()
        try:
            await day.ask(sort, connection)
            measured.latencies[sort].append(time.perf_counter() - due)
        except (Unexpected, OSError) as error:
            measured.errors[f"{sort}: {error}"] += 1
        finally:
            free.put_nowait(connection)

    async def wait(connection: Connection) -> None:
        while True:
            try:
                measured.waits[await day.wait(connection)] += 1
            except (Unexpected, OSError) as error:
                measured.errors[f"wait: {error}"] += 1

    waiting = [asyncio.create_task(wait(each)) for each in connections[CONNECTIONS:]]
    due = began = time.perf_counter()
    asked: set[asyncio.Task[None]] = set()
    while (due := due + rng.expovariate(rate)) < began + seconds:
        if (early := due - time.perf_counter()) > 0.001:
            await asyncio.sleep(early)
        measured.sent += 1
        task = asyncio.create_task(ask(due))
        asked.add(task)
        task.add_done_callback(asked.discard)
    if asked:
        await asyncio.wait(asked, timeout=30)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    for connection in connections:
        connection.close()
    measured.errors["no response in 30 s"] += len(asked)
    measured.errors += Counter()  # without zeros
    return measured


def resources(service: Service) -> list[tuple[int, float, float, int]]:
    """Of each worker: its id, its memory (Pss, Rss) in MB, and open files."""
    found = []
    for pid in sorted(service.workers()):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 / 1e6 for line in lines}
        found.append((pid, sizes["Pss"], sizes["Rss"], len([*Path(f"/proc/{pid}/fd").iterdir()])))
    return found


def print_row(first: str, measured: Sequence[float], errors: int, more: str = "") -> None:
    """A line of the tables: percentiles in milliseconds."""
    cells = [f"{percentile(measured, share) * 1000:8.1f}" for share in (0.5, 0.99, 0.999, 1)]
    print(f"{first:>16} {len(measured):9} {' '.join(cells)} {errors:7}{more}", flush=True)


def print_head(first: str) -> None:
    """The head of such a table."""
    print(f"\n{first:>16}  answered   p50 ms   p99 ms p99.9 ms   max ms  errors")


def print_resources(when: str, found: Sequence[tuple[int, float, float, int]]) -> None:
    """A line for each worker."""
    for number, (_, pss, rss, files) in enumerate(found, 1):
        print(f"{when:>16}  worker {number}: {pss:6.1f} MB Pss, {rss:6.1f} MB Rss, {files} files")


async def soak(day: Day, service: Service, rate: float, minutes: float) -> int:
    """Runs at `rate`, in rounds of a minute; 1 if there are errors, or if memory or open files have
    grown since the first round. Less than two minutes are two shorter rounds.
    """
    total = Measured()
    first = resources(service)
    print(f"\nSoak: {minutes:g} minutes at {rate:g} requests a second, and {WAITING} that wait")
    print_resources("before", first)
    print_head("round")
    rounds = max(2, round(minutes))
    for number in range(1, rounds + 1):
        measured = await load(day, service.port, rate, 60 * minutes / rounds)
        used = resources(service)
        megabytes = "  ".join(f"{pss:.1f} MB, {files} files" for _, pss, _, files in used)
        print_row(f"{number} of {rounds}", measured.all, measured.errors.total(), f"  {megabytes}")
        for sort, latencies in measured.latencies.items():
            total.latencies[sort] += latencies
        total.errors += measured.errors
        total.waits += measured.waits
        if number == 1:
            first = await settled(service)
    last = await settled(service)
    print_head("sort")
    for sort, latencies in sorted(total.latencies.items()):
        print_row(sort, sorted(latencies), 0)
    print_row("all", total.all, total.errors.total())
    print(f"\nWaiting: {dict(total.waits)}")
    print_resources("after a round", first)
    print_resources("at the end", last)
    grown = max(after[1] / before[1] for before, after in zip(first, last, strict=True)) - 1
    same = [each[3] for each in first] == [each[3] for each in last]
    print(f"Memory (Pss) has grown by {grown:.1%}; open files are {'' if same else 'NOT '}equal.")
    print_errors(total)
    return int(bool(total.errors) or grown > 0.05 or not same)


async def warm(day: Day, service: Service, rate: float) -> None:
    """Sends bursts until two in a row have made no worker open more files: then each has met all
    sorts of requests, has its tables, and as many connections to the store as it has threads.
    """
    opened = [[each[3] for each in await settled(service)]]
    while len(opened) < 3 or not opened[-1] == opened[-2] == opened[-3]:
        if len(opened) > BURSTS:
            raise SystemExit(f"After {BURSTS} bursts, workers still open more files: {opened}")
        await load(day, service.port, rate, 2)
        opened.append([each[3] for each in await settled(service)])


async def settled(service: Service) -> list[tuple[int, float, float, int]]:
    """The resources once the workers have closed the connections of the last minute."""
    end = time.monotonic() + 10
    before = resources(service)
    while time.monotonic() < end:
        await asyncio.sleep(1)
        after = resources(service)
        if [each[3] for each in before] == [each[3] for each in after]:
            break
        before = after
    return resources(service)


def print_errors(measured: Measured) -> None:
    """The errors, most frequent first."""
    for error, count in measured.errors.most_common(10):
        print(f"{count:>16} times: {error}")


async def day_of(service: Service, rates: Sequence[float], seconds: float, minutes: float) -> int:
    """All rates, and the soak."""
    day = Day(1)
    await day.prepare(service.port)
    await load(day, service.port, min(rates), 5)
    await warm(day, service, max(rates))
    print_head("requests a second")
    kept = 0.0
    for rate in rates:
        measured = await load(day, service.port, rate, seconds)
        print_row(f"{rate:g}", measured.all, measured.errors.total())
        print_errors(measured)
        if not measured.kept:
            break
        kept = rate
    if not kept:
        print("No rate was kept.")
        return 1
    return await soak(day, service, kept / 2, minutes)


def main() -> int:
    """Starts a service and loads it; 1 if the soak isn't clean."""
    parser = ArgumentParser("python -m benchmarks.load")
    parser.add_argument("--minutes", type=float, default=10, help="of the soak")
    parser.add_argument("--seconds", type=float, help="of each rate: 15, or 5 if the soak is short")
    parser.add_argument("--rates", default=RATES, help="requests a second")
    asked = parser.parse_args()
    rates = [float(rate) for rate in asked.rates.split(",")]
    seconds = asked.seconds or min(15, 5 * asked.minutes)
    with TemporaryDirectory() as folder:
        # Otherwise each worker opens a table whenever it is ready, up to the middle of the soak.
        prepare = [sys.executable, "-m", "service.tables.prepare"]
        subprocess.run(prepare, cwd=ROOT, env={**os.environ, "DATA_DIR": folder}, check=True)
        with running(WEB_CONCURRENCY="2", DATA_DIR=folder) as service:
            return asyncio.run(day_of(service, rates, seconds, asked.minutes))


if __name__ == "__main__":
    sys.exit(main())
