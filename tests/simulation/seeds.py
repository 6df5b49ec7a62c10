"""Runs the simulations of many seeds, on all cores."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.simulation.simulation import Simulation

AT_A_TIME = 50
MOST_FAILURES = 10
"""After so many seeds that fail, the others are left out."""


def run(seeds: range) -> bool:
    """Runs all seeds, and prints those that fail and what has happened; whether none has failed."""
    counts, failed = Counter[str](), 0
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as processes:
        parts = [seeds[start : start + AT_A_TIME] for start in range(0, len(seeds), AT_A_TIME)]
        for happened, failures in processes.map(several, parts):
            counts += happened
            failed += len(failures)
            for seed, error in failures:
                print(f"seed {seed}: {error}\nagain, with its trace: make simulate SEED={seed}\n")
            if failed >= MOST_FAILURES:
                processes.shutdown(cancel_futures=True)
                break
    print(", ".join(f"{count:,} {what}" for what, count in counts.items()))
    return not failed


def several(seeds: Iterable[int]) -> tuple[Counter[str], list[tuple[int, str]]]:
    """What has happened in some seeds, and what was wrong in those that fail."""
    counts, failures = Counter[str](), list[tuple[int, str]]()
    for seed in seeds:
        simulation = Simulation(seed)
        try:
            simulation.run()
        except Exception as error:
            failures.append((seed, f"{type(error).__name__}: {error}"[:2_000]))
        counts += Counter(seeds=1) + simulation.counts
    return counts, failures
