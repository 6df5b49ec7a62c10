"""The examples for other engines, which rank a folder of rolls."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from service.batch import score_batches
from tests.cluster.folders import rolls as some_rolls
from tests.live import ROOT, free_port, listens, plain_environment
from tests.sessions.servers import until

EXAMPLES = ROOT / "examples" / "engines"
PAGE = EXAMPLES / "README.md"
ENVIRONMENT = {"PYTHONPATH": str(ROOT)}
FILES = 3
ROWS = 1_000


@pytest.fixture
def rolls(tmp_path: Path) -> Path:
    """A folder of Parquet files, with columns that no game knows, on both sides of the dice."""
    folder = tmp_path / "rolls"
    folder.mkdir()
    for number in range(FILES):
        players = pa.array([f"player {number}"] * ROWS)
        table = some_rolls(ROWS, seed=number).append_column("player", players)
        pa.parquet.write_table(table, folder / f"{number}.parquet")
    return folder


def expected(rolls: Path) -> list[tuple[Any, ...]]:
    """The rows that there must be, in no order."""
    batches = pa.parquet.read_table(rolls).to_batches()
    return answers(pa.Table.from_batches(score_batches("poker-dice", batches)))


def answers(table: pa.Table) -> list[tuple[Any, ...]]:
    """The rows of a table, sorted."""
    return sorted(tuple(map(str, row.values())) for row in table.to_pylist())


def typed(name: str, **here: object) -> list[str]:
    """The words of the page's line with `name` that runs in the checkout, with some as they are
    `here`. `ENVIRONMENT` is what the line sets.
    """
    start = "PYTHONPATH=$PWD .venv/bin/python "
    lines = PAGE.read_text().splitlines()
    (line,) = [line for line in lines if line.startswith(start) and name in line]
    words = [str(here.get(word, word)) for word in line.removeprefix(start).split()]
    return [sys.executable, *words]


def run(example: str, **here: object) -> None:
    """Runs an example as the page says, with nothing sent to its makers.

    Ray gives its processes half a minute to start, which no setting changes: on a busy machine it
    gets several tries.
    """
    quiet = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ADDRESS": "local"}
    for _ in range(5):
        done = subprocess.run(
            typed(example, **here),
            cwd=ROOT,
            env=plain_environment() | ENVIRONMENT | quiet,
            capture_output=True,
            text=True,
            timeout=600,
        )
        if "The current node timed out during startup" not in done.stderr:
            break
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def sail() -> Iterator[str]:
    """A server of Sail, which has Spark's interface, and its address."""
    port = free_port()
    process = subprocess.Popen(
        typed("spark server", **{"15002": port}),
        cwd=ROOT,
        env=plain_environment() | ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: listens(port), "Sail listens")
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_spark(rolls: Path, tmp_path: Path) -> None:
    """Spark gives the batches of its partitions to `score_batches`, in `mapInArrow`."""
    with sail() as address:
        here = {"sc://localhost:15002": address, "rolls/": rolls, "ranks/": tmp_path / "ranks"}
        run("spark.py", **here)
    assert answers(pa.parquet.read_table(tmp_path / "ranks")) == expected(rolls)


def test_ray(rolls: Path, tmp_path: Path) -> None:
    """Ray Data gives its blocks to `score_batches`, in `map_batches`."""
    run("ray_data.py", **{"rolls/": rolls, "ranks/": tmp_path / "ranks"})
    assert answers(pa.parquet.read_table(tmp_path / "ranks")) == expected(rolls)


@pytest.mark.parametrize("example", ["spark.py", "ray_data.py"])
def test_examples_are_short(example: str) -> None:
    """An example has at most fifteen lines, so that it can be read at a glance."""
    assert len((EXAMPLES / example).read_text().splitlines()) <= 15
