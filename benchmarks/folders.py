"""Folders on many cores: workers beside each other, and beside other engines.

    python -m benchmarks.folders [--runs 3] [--rolls 48000000] [--turns 160000] [--games 400000]
    python -m benchmarks.folders --large 100000000

It needs what `make cluster` and `make engines` install. Whole commands are timed, with their start
and their end, one after the other in each run; ratios are medians of the runs. With `--large`, one
command scores so many rolls of `dice-poker`, and its memory is that of all its processes: what each
has for itself, and its share of what several have (Pss).
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pyarrow.parquet

from tests.batch.test_layout_tables import turns
from tests.cli.score.tables import write
from tests.cluster.folders import write_rolls
from tests.engines.test_engines import EXAMPLES, sail
from tests.live import ROOT, plain_environment

FILES = 16
MILLION = 1_000_000

DATAFRAME = """
import sys
import dask.dataframe
import pandas as pd
import pyarrow as pa
from distributed import Client, LocalCluster
from service.batch import score_batches

def ranked(rolls):
    batches = pa.Table.from_pandas(rolls, preserve_index=False).to_batches()
    ranks = pa.Table.from_batches(score_batches("poker-dice", batches))
    return ranks.to_pandas(types_mapper=pd.ArrowDtype)

if __name__ == "__main__":
    source, target = sys.argv[1:]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster):
            rolls = dask.dataframe.read_parquet(source, dtype_backend="pyarrow")
            meta = ranked(rolls.partitions[0].head(1))
            rolls.map_partitions(ranked, meta=meta).to_parquet(target, write_index=False)
"""


class Folders:
    """The folders of a benchmark, and the commands that are timed."""

    def __init__(self, place: Path, runs: int) -> None:
        self._place, self._runs = place, runs
        self.target = place / "answers"

    def command(self, *arguments: object) -> Callable[[], float]:
        """Runs a command of the service into the target."""
        return self.program("-m", "service", *arguments, "-o", self.target)

    def program(self, *arguments: object) -> Callable[[], float]:
        """Runs Python with these arguments; returns the seconds that it took."""

        def run() -> float:
            shutil.rmtree(self.target, ignore_errors=True)
            self.target.unlink(missing_ok=True)
            quiet = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ADDRESS": "local"}
            data = {"DATA_DIR": str(self._place / "data"), "PYTHONPATH": str(ROOT)}
            began = time.perf_counter()
            done = subprocess.run(
                [sys.executable, *map(str, arguments)],
                cwd=ROOT,
                env={**plain_environment(), **quiet, **data},
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise SystemExit(done.stdout + done.stderr)
            return time.perf_counter() - began

        return run

    def compare(self, what: str, named: dict[str, Callable[[], float]]) -> None:
        """Prints the median seconds of each, and the first one's time divided by theirs."""
        seconds: dict[str, list[float]] = {name: [] for name in named}
        for _ in range(self._runs):
            for name, run in named.items():
                seconds[name].append(run())
        first = next(iter(seconds.values()))
        print(what)
        for name, each in seconds.items():
            rates = [one / other for one, other in zip(first, each, strict=True)]
            spread = f"{min(rates):.2f} to {max(rates):.2f}"
            median = f"{statistics.median(rates):.2f} times the speed of the first ({spread})"
            print(f"  {name:>24}: {statistics.median(each):7.1f} s, {median}", flush=True)


def rolls(folder: Path, count: int) -> Path:
    """A folder of Parquet files with so many rolls in all."""
    for number in range(FILES):
        write_rolls(folder / f"{number:02}.parquet", count // FILES, seed=number)
    return folder


def compare(folders: Folders, place: Path, asked: Namespace) -> None:
    """All comparisons."""
    many, one = rolls(place / "rolls", asked.rolls), place / "one.parquet"
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(many), one, row_group_size=MILLION)
    file = place / "one-answer.parquet"
    dice_poker = ("score", "--variant", "dice-poker")
    folders.compare(
        f"dice-poker, {asked.rolls:,} rolls",
        {
            "one worker": folders.command(*dice_poker, many, "--workers", 1),
            "two workers": folders.command(*dice_poker, many, "--workers", 2),
            "one file, no workers": folders.program("-m", "service", *dice_poker, one, "-o", file),
        },
    )
    some = turns(1_000) * (asked.turns // FILES // 1_000)
    (place / "turns").mkdir()
    for number in range(FILES):
        write(place / "turns" / f"{number:02}.parquet", {"rolls": some})
    royal = ("score", "--variant", "roll-a-royal", place / "turns")
    folders.compare(
        f"roll-a-royal, {len(some) * FILES:,} turns",
        {
            "one worker": folders.command(*royal, "--workers", 1),
            "two workers": folders.command(*royal, "--workers", 2),
        },
    )
    games = ("simulate", "--variant", "dice-poker", "--games", asked.games)
    folders.command(*games[:-1], 1)()  # makes the table
    folders.compare(
        f"simulate, {asked.games:,} games",
        {
            "one worker": folders.command(*games, "--workers", 1),
            "two workers": folders.command(*games, "--workers", 2),
        },
    )
    dataframe = place / "dataframe.py"
    dataframe.write_text(DATAFRAME)
    with sail() as server:
        folders.compare(
            f"poker-dice, {asked.rolls:,} rolls, two processes each",
            {
                "this command": folders.command("score", "--variant", "poker-dice", many),
                "dask.dataframe": folders.program(dataframe, many, folders.target),
                "Ray Data": folders.program(EXAMPLES / "ray_data.py", many, folders.target),
                "Sail": folders.program(EXAMPLES / "spark.py", server, many, folders.target),
            },
        )


def large(folders: Folders, place: Path, count: int) -> None:
    """Prints the time and the memory of one run over `count` rolls."""
    source = rolls(place / "rolls", count)
    highest = 0
    ended = threading.Event()

    def watch() -> None:
        nonlocal highest
        while not ended.wait(0.2):
            highest = max(highest, sum(map(_memory, psutil.Process().children(recursive=True))))

    watching = threading.Thread(target=watch)
    watching.start()
    seconds = folders.command("score", "--variant", "dice-poker", source)()
    ended.set()
    watching.join()
    cores = len(os.sched_getaffinity(0))
    print(f"dice-poker, {count:,} rolls, {cores} cores: {seconds:.0f} s")
    print(f"  {count / seconds / cores / MILLION:.2f} million rolls a second and core")
    print(f"  {highest / 1e9:.2f} GB of memory in all at the most")
    for machines in (1, 10, 100):
        billion = 1_000 * MILLION / (count / seconds) / machines
        print(f"  a billion on {machines} such machines, by that: {billion:,.0f} s")


def _memory(process: psutil.Process) -> int:
    """The memory of a process in bytes, as Pss; 0 once it has ended."""
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


def main(arguments: Sequence[str]) -> None:
    """Prints all figures, or those of one large run."""
    parser = ArgumentParser("python -m benchmarks.folders")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rolls", type=int, default=48 * MILLION)
    parser.add_argument("--turns", type=int, default=160_000)
    parser.add_argument("--games", type=int, default=400_000)
    parser.add_argument("--large", type=int, metavar="ROLLS", help="one run over so many rolls")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        folders = Folders(Path(folder), asked.runs)
        if asked.large:
            large(folders, Path(folder), asked.large)
        else:
            compare(folders, Path(folder), asked)


if __name__ == "__main__":
    main(sys.argv[1:])
