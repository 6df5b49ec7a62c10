"""The service's own server, as its folder shows it."""

from __future__ import annotations

import fcntl
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.sessions.servers import Direct


def client_of(folder: Path) -> closing[Direct]:
    """A client of the server in `folder`."""
    return closing(Direct(f"unix://{folder}/store.sock"))


def about(folder: Path) -> dict[str, Any]:
    """The `INFO` of the server in `folder`."""
    with client_of(folder) as client:
        info: dict[str, Any] = client.info("server")
        return info


def free(folder: Path) -> bool:
    """Whether no server runs in `folder`: then its lock is free."""
    with (folder / "lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
