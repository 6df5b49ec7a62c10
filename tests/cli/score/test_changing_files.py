"""A file that changes while the command reads it."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

from service.cli.command import CommandError
from service.cli.score_file import score_file
from service.variants import variants


@pytest.mark.parametrize("form", ["arrow", "arrows"])
def test_cut_short(tmp_path: Path, form: str) -> None:
    """That is what is said, also where the rest would be a whole table. A mapped file
    would end the process.
    """
    path = tmp_path / f"a.{form}"
    batch = pa.record_batch({"dice": ["13356"] * 100_000})
    new = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
    with pa.OSFile(str(path), "w") as file, new(file, batch.schema) as writer:
        for _ in range(3):
            writer.write(batch)
    target = tmp_path / "out.arrow"
    variant = variants()["dice-poker"]
    with pytest.raises(CommandError, match=f"{path} has changed while it was read"):
        score_file(
            path,
            target,
            variant,
            variant.house_rules(),
            rows=1_000,
            report=lambda *_: os.truncate(path, 1_000),
        )
    assert not target.exists()
