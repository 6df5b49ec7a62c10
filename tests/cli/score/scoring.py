"""The command `score`, run in this process or as it is typed, and hands to try it with."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.cli.score import main

ROLLS = [[1, 3, 3, 5, 6], [5, 5, 5, 2, 2], [6, 6, 6, 6, 6], [2, 3, 4, 5, 6], [1, 1, 2, 2, 4]]
SUITED = [[5, 11, 17, 23, 13, 2, 9], [0, 1, 2, 3, 4, 6, 6], [23, 23, 23, 23, 23, 0, 0]]
FORMATS = [".csv", ".ndjson", ".jsonl", ".parquet", ".arrow", ".feather", ".arrows"]
TEXT = ["".join(map(str, roll)) for roll in ROLLS]
OUTPUT = "answers.parquet"


def notation(hand: list[int]) -> list[str]:
    """Suited dice by their codes, as text."""
    return [f"{code % 6 + 1}{'rbwy'[code // 6]}" for code in hand]


def command(source: Path, target: Path | str, variant: str) -> list[str]:
    """The arguments that score `source`."""
    return ["--variant", variant, str(source), "-o", str(target)]


def score(source: Path, target: Path | str, variant: str = "poker-dice", *more: str) -> int:
    """Runs the command in this process and returns its exit status."""
    return main([*command(source, target, variant), *more])


Printed = pytest.CaptureFixture[str]
"""What this process prints: the fixture `capfd`, to which also libraries in C print."""


def refused(
    printed: Printed, source: Path, target: Path, said: str, *more: str, variant: str = "poker-dice"
) -> None:
    """Runs the command in this process; it must fail with what it `said` alone."""
    files = set(source.parent.iterdir())
    status = score(source, target, variant, *more)
    assert (status, *printed.readouterr()) == (2, "", said + "\n")
    assert set(source.parent.iterdir()) == files
