"""Folders of rolls, the command that scores them, and what must be in the output."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from service.cli.command import CommandError
from tests.cli.commands import started
from tests.cli.score.tables import read
from tests.live import ROOT

_PROGRESS = re.compile("%: | is being made: ")

BOOKS = {"_SUCCESS", "_lock", "_manifest.json", "_run.json"}
"""What a run that is over has beside its parts and their notes."""

HOUSE_RULES = {
    "extra_five_bonus": 0,
    "joker": False,
    "five_alike_is_full_house": False,
    "turn_seconds": 30,
    "throw_to_begin": False,
    "zero_only_if_nothing_fits": False,
}
"""Those of dice-poker by default, as a run notes them."""


def rolls(count: int, seed: int) -> pa.Table:
    """So many random rolls of five dice, numbered."""
    dice = np.random.default_rng(seed).integers(1, 7, count * 5).astype(np.uint8)
    lists = pa.FixedSizeListArray.from_arrays(pa.array(dice), 5)
    return pa.table({"at": pa.array(range(count)), "dice": lists})


def write_rolls(path: Path, count: int, seed: int, group: int = 1 << 20) -> None:
    """Writes a Parquet file of random rolls with row groups of `group` rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(rolls(count, seed), path, row_group_size=group)


def typed(source: Path | str, target: Path | str, *more: str) -> list[str]:
    """The command that scores `source`, as it is typed."""
    python = [sys.executable, "-m", "service", "score", "--variant", "dice-poker"]
    return [*python, str(source), "-o", str(target), *more]


@contextmanager
def running(
    arguments: Sequence[str], folder: Path = ROOT, **settings: str
) -> Iterator[subprocess.Popen[str]]:
    """A process as `started`, which is killed when the block ends."""
    process = started(arguments, folder, **settings)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ran(source: Path | str, target: Path | str, *more: str) -> tuple[int, str]:
    """Runs the command on two processes; see `ended`."""
    workers = [] if "--scheduler" in more else ["--workers", "2"]
    return ended(started(typed(source, target, *workers, *more)))


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The status of a command, and what it says, without its progress, or that of a table, and the
    time it took.
    """
    out, said = process.communicate(timeout=300)
    assert out == ""
    shown = "\n".join(line for line in said.splitlines() if not _PROGRESS.search(line))
    head, before, last = shown.rpartition("; ")
    return process.returncode, head if before and last.endswith(" s") else shown


def refusal(call: Callable[..., object], *arguments: object) -> str:
    """The line of the error with which a call is refused."""
    with pytest.raises(CommandError) as caught:
        call(*arguments)
    (line,) = caught.value.lines
    return line


def lines(found: object) -> list[str]:
    """What is said of a part that can't be made."""
    assert isinstance(found, CommandError)
    return [*found.lines]


def names(target: Path) -> set[str]:
    """All files below `target`."""
    return {
        os.path.relpath(os.path.join(folder, name), target)
        for folder, _, files in os.walk(target)  # unlike rglob, it may vanish meanwhile
        for name in files
    }


def answers(target: Path) -> dict[str, tuple[int, str]]:
    """The rows and a checksum of the values of each part in `target`."""
    found = {}
    for name in sorted(names(target)):
        if name[0] != "_":
            rows = json.dumps(read(target / name).to_pylist()).encode()
            found[name] = rows.count(b"{"), hashlib.sha256(rows).hexdigest()
    return found


def manifest(target: Path) -> dict[str, Any]:
    """The manifest of a run that is over."""
    assert (target / "_SUCCESS").read_bytes() == b""
    found: dict[str, Any] = json.loads((target / "_manifest.json").read_text())
    return found
