"""Files that are written under another name first."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.cli.files.locations import Location


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of a file is written to the disk, then it is known to be whole, then it gets its name."""
    path, temporary = tmp_path / "scores.csv", tmp_path / "scores.csv.new"
    steps: list[tuple[str, int]] = []

    def noting(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any) -> Any:
            steps.append((name, temporary.stat().st_size))
            return call(*arguments)

        return noted

    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, noting(name, getattr(os, name)))
    Location.of(str(path)).replace(
        Location.of(str(temporary)),
        lambda file: file.write(b"dice,score"),
        lambda size, written: steps.extend([("whole", size), ("written", written)]),
    )
    assert steps == [("fsync", 10), ("whole", 10), ("written", 10), ("replace", 10)]
    assert [each.name for each in tmp_path.iterdir()] == ["scores.csv"]
    assert path.read_bytes() == b"dice,score"
