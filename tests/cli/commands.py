"""Commands in processes of their own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.live import ROOT, plain_environment


def ran(
    *words: str | Path,
    module: str = "service",
    program: str = "",
    stdout: Any = subprocess.PIPE,
    **settings: str,
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m service`, or another module, with these words behind it, or a `program` that
    gets them.
    """
    start = ["-c", program] if program else ["-m", module]
    return subprocess.run(
        [sys.executable, *start, *map(str, words)],
        cwd=ROOT,
        env={**plain_environment(), **settings},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=600,
        check=False,
    )


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    """The status of a command, and what it prints to both streams."""
    return done.returncode, done.stdout, done.stderr


def started(
    arguments: Sequence[str], folder: Path = ROOT, **settings: str
) -> subprocess.Popen[str]:
    """A process in `folder`, without a terminal, which leads its group. Ctrl-C has its usual
    effect.
    """
    return subprocess.Popen(
        arguments,
        cwd=folder,
        env={**plain_environment(), **settings},
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        process_group=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def children(pid: int) -> list[int]:
    """The worker processes of a command."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    found = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [
        child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
