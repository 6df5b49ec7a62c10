"""kill -9 at random moments: after going on, the output is that of a run that nothing disturbed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from distributed import Client

from tests.cli.commands import children, started
from tests.cluster.folders import answers, ended, manifest, names, ran, running, typed, write_rolls
from tests.live import lives
from tests.sessions.servers import until

FILES = 12
ROWS = 10_000
TIMES = int(os.environ.get("KILLS", "1"))
"""How often each is killed; `make kills` sets it."""


Whole = dict[str, tuple[int, str]]
"""The rows and a checksum of each part."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files, one of which is split."""
    folder = tmp_path_factory.mktemp("kills") / "rolls"
    for number in range(FILES):
        write_rolls(folder / f"{number}.parquet", ROWS, seed=number)
    write_rolls(folder / "big.parquet", 2 * ROWS, seed=99, group=ROWS // 4)
    return folder


PATIENCE = 120
"""The most seconds to wait for anything, on a machine that has much else to do."""

SPLIT = ["--part-rows", str(ROWS), "--rows", "100"]


@pytest.fixture(scope="module")
def undisturbed(source: Path) -> Whole:
    """The rows and checksums of a run that nothing disturbs."""
    target = source.parent / "undisturbed"
    assert ran(source, target, *SPLIT)[0] == 0
    found = answers(target)
    assert sum(rows for rows, _ in found.values()) == (FILES + 2) * ROWS
    return found


def whole(target: Path) -> int:
    """How many parts of `target` are whole."""
    return len([name for name in names(target) if name[0] != "_"])


def reached(target: Path, parts: int, *processes: subprocess.Popen[str]) -> None:
    """Waits until so many parts are whole, or one of `processes` has ended."""
    until(
        lambda: whole(target) >= parts or any(each.poll() is not None for each in processes),
        f"{parts} whole parts",
        PATIENCE,
    )


def check(target: Path, undisturbed: Whole) -> None:
    """Everything is there once, and nothing else."""
    assert answers(target) == undisturbed
    listed = {part["part"]: part["rows"] for part in manifest(target)["parts"]}
    assert listed == {name: rows for name, (rows, _) in undisturbed.items()}
    assert not (target / "_temporary").exists()


@pytest.mark.parametrize("seed", range(TIMES))
def test_a_worker_is_killed(tmp_path: Path, source: Path, undisturbed: Whole, seed: int) -> None:
    """Another worker takes its place, and the run ends as if nothing had been."""
    target, chance = tmp_path / "scores", random.Random(seed)
    with running(typed(source, target, "--workers", "2", *SPLIT)) as process:
        reached(target, chance.randrange(len(undisturbed)), process)
        until(lambda: bool(children(process.pid)), "a worker", PATIENCE)
        os.kill(chance.choice(children(process.pid)), signal.SIGKILL)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    check(target, undisturbed)


@pytest.mark.parametrize(
    ("by", "seed"),
    [*((signal.SIGKILL, seed) for seed in range(TIMES)), (signal.SIGINT, 0), (signal.SIGTERM, 0)],
)
def test_the_command_ends(
    tmp_path: Path, source: Path, undisturbed: Whole, by: signal.Signals, seed: int
) -> None:
    """Its workers end with it, and the same command goes on. If it isn't killed, but stopped, it
    says so, and has the status that shells give it.
    """
    target, chance = tmp_path / "scores", random.Random(seed)
    stopped = by != signal.SIGKILL
    with running(typed(source, target, "--workers", "2", *SPLIT)) as process:
        reached(target, 1 if stopped else chance.randrange(len(undisturbed)), process)
        workers = children(process.pid)
        process.send_signal(by)
        _, said = process.communicate(timeout=60)
    if stopped:
        last = "Stopped; whole parts are kept, and the same command goes on."
        assert (process.returncode, said.splitlines()[-1]) == (128 + by, last)
        assert not (target / "_SUCCESS").exists()
    until(lambda: not any(map(lives, workers)), "the end of all workers", PATIENCE)
    before = whole(target)
    status, said = ran(source, target, *SPLIT)
    were = "was" if before == 1 else "were"
    assert (status, f"; {before} of the parts {were} there before" in said) == (0, before > 0), said
    check(target, undisturbed)


LOCAL = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]


class Cluster(NamedTuple):
    """A scheduler, the process whose children are its workers, and the address."""

    scheduler: subprocess.Popen[str]
    workers: subprocess.Popen[str]
    address: str


@contextmanager
def cluster(folder: Path, count: int = 2, allowed_failures: int = 3) -> Iterator[Cluster]:
    """A cluster of so many workers. A part may lose `allowed_failures` of them (3: Dask's own)."""
    address = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    file = ["--scheduler-file", str(address)]
    scheduler = started(
        [*dask, "scheduler", *LOCAL, "--port", "0", *file],
        DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=str(allowed_failures),
    )
    few = ["--nworkers", str(count), "--nthreads", "1", "--death-timeout", "60"]
    workers = None
    try:
        until(address.exists, "a scheduler", PATIENCE)
        local = ["--local-directory", str(folder)]
        workers = started([*dask, "worker", *LOCAL, *few, *file, *local])
        yield Cluster(scheduler, workers, json.loads(address.read_text())["address"])
    finally:
        for process in (workers, scheduler):
            if process:
                process.terminate()
                process.communicate()
        address.unlink(missing_ok=True)


@pytest.mark.parametrize("seed", range(TIMES))
def test_the_scheduler_is_killed(
    tmp_path: Path, source: Path, undisturbed: Whole, seed: int
) -> None:
    """The command says so and ends; with another scheduler, the same command goes on."""
    target, chance = tmp_path / "scores", random.Random(seed)
    with (
        cluster(tmp_path) as (scheduler, _, address),
        running(typed(source, target, "--scheduler", address, *SPLIT)) as process,
    ):
        reached(target, chance.randrange(len(undisturbed) - 2), process)
        scheduler.kill()
        status, said = ended(process)
    gone = "the scheduler is gone; whole parts are kept, and the same command goes on"
    before = f"no scheduler answers at {address}: "  # it had not even connected
    assert status == 75
    assert said == gone or said.startswith(before)
    with cluster(tmp_path) as (_, _, address):
        assert ran(source, target, "--scheduler", address, *SPLIT)[0] == 0
    check(target, undisturbed)


HUNDRED = 100


@pytest.mark.parametrize("seed", range(TIMES))
def test_workers_and_the_command_are_killed(tmp_path: Path, seed: int) -> None:
    """A hundred files, of which most have changed since a run that was complete: workers of a
    cluster die, and the command does, wherever it is. The same command goes on.
    """
    source, target, fresh = (tmp_path / name for name in ("rolls", "scores", "fresh"))
    chance = random.Random(seed)

    def write(part: int, seed: int) -> None:
        rows = 200 if part % 10 == 0 else 100
        write_rolls(source / f"{part % 10}" / f"{part}.parquet", rows, seed=seed, group=100)

    for part in range(HUNDRED):
        write(part, part)
    split = ["--part-rows", "100", "--rows", "10"]
    with cluster(tmp_path) as (_, workers, address):
        more = ["--scheduler", address, *split]
        assert ran(source, target, *more)[0] == 0
        for part in range(HUNDRED):
            if part % 10 == 3:
                (source / "3" / f"{part}.parquet").unlink()
            elif part % 10 != 7:
                write(part, HUNDRED + part)
        assert ran(source, fresh, *split)[0] == 0
        for first in (True, False):
            with running(typed(source, target, *more)) as process:
                if first:
                    until(lambda: whole(target) <= HUNDRED // 5, "removed parts", PATIENCE)
                reached(target, whole(target) + chance.randrange(HUNDRED // 4), process)
                os.kill(chance.choice(children(workers.pid)), signal.SIGKILL)
        assert ran(source, target, *more)[0] == 0
    check(target, answers(fresh))
    assert names(target) == names(fresh)


def test_whole_parts_outlast_their_worker(tmp_path: Path) -> None:
    """A part that is whole isn't made again if the worker dies that made it."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    short, long = ["a.parquet", "b.parquet"], "long.parquet"
    for name in short:
        write_rolls(source / name, 10, seed=1)
    write_rolls(source / long, 20 * ROWS, seed=1)
    with (
        cluster(tmp_path) as (_, workers, address),
        Client(address, set_as_default=False) as client,
    ):
        process = started(typed(source, target, "--scheduler", address, "--rows", "10"))

        def only_the_long_part_is_left() -> bool:
            under_way = sum(map(len, client.processing().values()))
            left = (whole(target), under_way) == (2, 1) and not any(client.has_what().values())
            return left or process.poll() is not None

        try:
            until(only_the_long_part_is_left, "that the others are let go", PATIENCE)
            assert process.poll() is None
            before = [(target / name).stat().st_mtime_ns for name in short]
            for worker in children(workers.pid):
                os.kill(worker, signal.SIGKILL)
            assert ended(process)[0] == 0
        finally:
            process.kill()
            process.communicate()
    assert [(target / name).stat().st_mtime_ns for name in short] == before
    assert manifest(target)["rows"] == 20 * ROWS + 20


def test_a_part_that_kills_workers(tmp_path: Path) -> None:
    """A part that loses more workers than the scheduler allows is named in a sentence."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10 * ROWS, seed=1)
    with (
        cluster(tmp_path, count=1, allowed_failures=0) as (_, workers, address),
        running(typed(source, target, "--scheduler", address, "--rows", "10")) as process,
    ):
        until(
            lambda: (target / "_run.json").exists() and any(target.glob("_temporary/*")),
            "a part that is being made",
            PATIENCE,
        )
        (worker,) = children(workers.pid)
        os.kill(worker, signal.SIGKILL)
        status, said = ended(process)
    assert (status, said) == (
        75,
        "a.parquet can't be made: 1 worker died that worked on it, so it may need more memory\n"
        f"0 of 1 parts are whole, in {target}; the same command goes on from there",
    )
