"""A file that changes while the command reads it."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

from service.cli.command import CommandError
from service.cli.score_file import Report, score_file
from service.variants import variants


def refused(path: Path, target: Path, report: Report) -> CommandError:
    """The error with which a file is refused to which `report` does something meanwhile."""
    variant = variants()["dice-poker"]
    rules = variant.house_rules()
    with pytest.raises(CommandError) as error:
        score_file(path, target, variant, rules, rows=1_000, report=report)
    assert not target.exists()
    return error.value


@pytest.mark.parametrize("form", ["arrow", "arrows"])
def test_cut_short(tmp_path: Path, form: str) -> None:
    """The error says so, even where the rest is a whole table. A file that is mapped instead would
    end the process.
    """
    path = tmp_path / f"a.{form}"
    batch = pa.record_batch({"dice": ["13356"] * 100_000})
    new = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
    with pa.OSFile(str(path), "w") as file, new(file, batch.schema) as writer:
        for _ in range(3):
            writer.write(batch)
    error = refused(path, tmp_path / "out.arrow", lambda *_: os.truncate(path, 1_000))
    assert error.lines == (f"{path} has changed while it was read",)


def test_removed(tmp_path: Path) -> None:
    """If the file is gone in the end, nothing is written, and trying again won't help."""
    path = tmp_path / "a.csv"
    path.write_text("dice\n13356\n")
    error = refused(path, tmp_path / "out.csv", lambda *_: path.unlink())
    assert (error.status, error.lines) == (2, (f"{path} has been removed while it was read",))
