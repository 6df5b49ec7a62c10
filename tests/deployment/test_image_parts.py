"""The images that the documents build, with `--build-arg PARTS`."""

from __future__ import annotations

import re
from fnmatch import fnmatch

import pytest

from tests.live import ROOT

PAGES = [ROOT / "README.md", ROOT / "Dockerfile", *sorted((ROOT / "docs").glob("*.md"))]
PARTS = {
    part for page in PAGES for part in re.findall(r"--build-arg PARTS=(\w+)", page.read_text())
}


def is_sent(path: str) -> bool:
    """Whether the builder gets a file: the last line of `.dockerignore` that fits says so."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if fnmatch(path, pattern):
            sent = line.startswith("!")
    return sent


@pytest.mark.parametrize("part", sorted(PARTS | {"run"}))
def test_its_packages_are_locked(part: str) -> None:
    """The image can be built: the builder gets the lock file."""
    lock = f"requirements/{part}.txt"
    assert (ROOT / lock).is_file()
    assert is_sent(lock)


def test_only_what_is_needed_is_sent() -> None:
    """The builder gets nothing else but the service."""
    assert not any(map(is_sent, ("README.md", "pyproject.toml", "tests/live.py")))
