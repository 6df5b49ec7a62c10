"""Lines for the operator, which several processes print to one standard error."""

from __future__ import annotations

import os
import subprocess
import sys


def test_one_write() -> None:
    """A notice and the end of its line are one write, so no other process prints between them."""
    reads, writes = os.pipe2(os.O_DIRECT)  # each write is a packet of its own
    try:
        subprocess.run(
            [
                sys.executable,
                "-c",
                "from service.notices import notice; notice('Sessions are off.')",
            ],
            stderr=writes,
            check=True,
        )
        assert os.read(reads, 100) == b"Sessions are off.\n"
    finally:
        os.close(reads)
        os.close(writes)
