"""/docs in a Chromium with a fresh profile: from the navigation until the page can be used."""

from __future__ import annotations

import statistics
import time

from benchmarks.chromium import CHROMIUM, opened
from tests.live import running

RUNS = 7


def seconds(url: str) -> float:
    """How long the page takes until the operations of sessions are there to click."""
    with opened() as page:
        started = time.perf_counter()
        page.open(url)
        page.wait_for("document.querySelector('.opblock')")
        return time.perf_counter() - started


def main() -> None:
    """Prints the median and the best; nothing is measured without Chromium."""
    if CHROMIUM is None:
        print("/docs: not measured, since there is no Chromium")
        return
    with running() as service:
        times = [seconds(f"http://127.0.0.1:{service.port}/docs") for _ in range(RUNS)]
    print(f"/docs can be used after {statistics.median(times):.2f} s (at best {min(times):.2f} s)")


if __name__ == "__main__":
    main()
