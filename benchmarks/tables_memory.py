"""The memory that the tables of both score cards take, in all workers of a service together.

A service with four workers is asked for advice until each has mapped both tables. A page that
several processes share counts as one: the kernel divides it by their number (Pss).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.live import Service, running

WORKERS = 4
GAMES = {"dice-poker": 5, "yahtzee-deluxe": 6}
CLIENTS = 16
SECONDS = 120


def mappings(pid: int) -> Iterator[tuple[str, int]]:
    """The name of each mapping of a process, or "", and its share of memory in KiB."""
    name = ""
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if found := re.match(r"[0-9a-f]+-[0-9a-f]+ (?:\S+ +){4}(.*)", line):
            name = found[1]
        elif line.startswith("Pss:"):
            yield name, int(line.split()[1])


def megabytes(service: Service, tables: bool) -> float:
    """What the mapped tables take in all workers together, or all else."""
    shares = [
        share
        for pid in service.workers()
        for name, share in mappings(pid)
        if name.endswith(".table") is tables
    ]
    return sum(shares) * 1024 / 1e6


def maps_all(pid: int) -> bool:
    """Whether a worker has mapped the tables of all games."""
    return len({name for name, _ in mappings(pid) if name.endswith(".table")}) == len(GAMES)


def ask(service: Service, operation: str) -> bool:
    """Asks with many clients at once; returns whether all requests succeeded."""
    card: dict[str, object] = {"card": {}} if operation == "advise" else {}

    def status(game: str) -> int:
        asked = {"dice": [6] * GAMES[game], **card}
        return service.post(f"/v1/variants/{game}/{operation}", asked).status

    with ThreadPoolExecutor(CLIENTS) as clients:
        return {*clients.map(status, [*GAMES] * CLIENTS)} == {200}


def advise(service: Service) -> None:
    """Asks for advice until every worker has mapped every table."""
    end = time.monotonic() + SECONDS
    while not all(map(maps_all, service.workers())):
        if time.monotonic() > end:
            raise TimeoutError("a worker hasn't mapped the tables")
        if not ask(service, "advise"):
            time.sleep(0.5)


def main() -> None:
    """Prints what the tables take, and what else advice takes."""
    with running(WEB_CONCURRENCY=str(WORKERS)) as service:
        for _ in range(10):
            ask(service, "evaluate")
        before = megabytes(service, tables=False)
        advise(service)
        tables, after = (megabytes(service, tables=which) for which in (True, False))
    print(
        f"tables of {' and '.join(GAMES)}, mapped by {WORKERS} workers: {tables:.1f} MB together; "
        f"each worker grows by {(after - before) / WORKERS:.1f} MB of its own for advice"
    )


if __name__ == "__main__":
    main()
