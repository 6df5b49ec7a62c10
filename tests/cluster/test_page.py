"""The commands of docs/many-machines.md, as they are typed."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from distributed import Client

from tests.cli.commands import started
from tests.cluster.folders import ended, manifest, write_rolls
from tests.cluster.test_kills import LOCAL, PATIENCE
from tests.live import ROOT, free_port, plain_environment
from tests.sessions.servers import until

PAGE = ROOT / "docs" / "many-machines.md"

CORES = 5
"""Of so many, `--nworkers auto` would make one process with several threads."""

MACHINE = f"""
import runpy, dask.system
dask.system.CPU_COUNT = {CORES}
runpy.run_module("dask", run_name="__main__")
"""
"""Dask on a machine with so many cores."""


def typed(start: str, **here: str) -> list[str]:
    """The words after `.venv/bin/python -m` and `start` in the page's line, some as they are
    `here`.
    """
    page = PAGE.read_text().replace("\\\n", "")
    (line,) = re.findall(
        rf"^(?:\w+=\S+ )?\.venv/bin/python -m {start} (.*10\.0\.0\.1.*)$", page, re.M
    )
    return [here.get(word, word) for word in line.split()]


def test_a_cluster(tmp_path: Path) -> None:
    """A worker for each core, each with one thread, scores a folder."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    port = free_port()
    here = {
        "10.0.0.1": "127.0.0.1",
        "tcp://10.0.0.1:8786": f"tcp://127.0.0.1:{port}",
        "/mnt/rolls": str(tmp_path / "rolls"),
        "/mnt/scores": str(tmp_path / "scores"),
    }
    scheduler = [*typed("dask scheduler", **here), "--port", str(port), *LOCAL]
    worker = [*typed("dask worker", **here), "--local-directory", str(tmp_path), *LOCAL]
    with ExitStack() as stack:
        for program, words in (
            (["-m", "dask"], ["scheduler", *scheduler]),
            (["-c", MACHINE], ["worker", *worker]),
        ):
            process = started([sys.executable, *program, *words])
            stack.callback(process.communicate)
            stack.callback(process.terminate)
        with Client(here["tcp://10.0.0.1:8786"], set_as_default=False, timeout=PATIENCE) as client:

            def threads() -> list[int]:
                workers = client.scheduler_info(n_workers=-1)["workers"].values()
                return [each["nthreads"] for each in workers]

            until(lambda: sum(threads()) >= CORES, "workers", PATIENCE)
            assert threads() == [1] * CORES
        score = [sys.executable, "-m", "service", "score", *typed("service score", **here)]
        assert (ended(started(score))[0], manifest(tmp_path / "scores")["rows"]) == (0, 10)


def test_games_are_summarized_as_printed(tmp_path: Path) -> None:
    """The lines that play games and summarize them print the figures below them, and a histogram
    of all games.
    """
    lines, printed = re.findall(
        r"```sh\n((?:(?!```).)*simulate.*?)```\n\n```text\n(.*?)```", PAGE.read_text(), re.DOTALL
    )[0]
    play, summarize = (
        line.replace(".venv/bin/python", sys.executable).replace("games/", str(tmp_path / "games"))
        for line in lines.splitlines()
    )
    settings = {"DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}
    assert ended(started(play.split(), tmp_path, **settings))[0] == 0
    done = subprocess.run(
        summarize.split(),
        cwd=tmp_path,
        env=plain_environment() | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    figures, histogram = done.stdout.split("\n     total")
    assert figures == printed
    counts = (line.split()[3] for line in histogram.splitlines()[1:])
    assert sum(int(count.replace(",", "")) for count in counts) == 20_000
