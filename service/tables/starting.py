"""Starts the processes that make tables."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from service import parent_death

NICENESS = 10
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def start(module: str, arguments: Sequence[str], *files: int) -> subprocess.Popen[bytes]:
    """Runs `module` in a process that ends with the service; it inherits the open `files`.

    It has a process group of its own, because a terminal's Ctrl-C is for the service. In a session
    of its own, Linux may share out the processor by session, and its low priority would not count.
    It prints nothing but errors. Raises `OSError` if it can't be started.
    """
    read = parent_death.read_end()
    return subprocess.Popen(
        [sys.executable, "-m", module, "--lifeline", str(read), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[read, *files],
        process_group=0,
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def step_back() -> None:
    """Call this first in such a process, so that it has low priority."""
    with suppress(OSError):
        niceness = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(niceness, NICENESS))
    with suppress(OSError):  # on Linux: if memory runs out, this process is killed before a worker
        Path("/proc/self/oom_score_adj").write_text("500")
