"""Commands in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.live import ROOT


def ran(
    *words: str | Path, program: str = "", stdout: int = subprocess.PIPE, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m service` with these words behind it, or a `program` that gets them."""
    start = ["-c", program] if program else ["-m", "service"]
    return subprocess.run(
        [sys.executable, *start, *map(str, words)],
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=600,
        check=False,
    )


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    """The status of a command, and what it prints to both streams."""
    return done.returncode, done.stdout, done.stderr
