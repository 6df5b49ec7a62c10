"""The service's own server, as its folder shows it."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from service.sessions.store.embedded import EmbeddedServer
from tests.sessions.servers import Direct, until


@contextmanager
def started(folder: Path) -> Iterator[Direct]:
    """A client of a new server in `folder`, as a service starts it; it is stopped at the end."""
    server = EmbeddedServer(folder)
    try:
        with closing(Direct(server.url)) as client:
            yield client
    finally:
        server.stop()


def client_of(folder: Path) -> closing[Direct]:
    """A client of the server in `folder`."""
    return closing(Direct(f"unix://{folder}/store.sock"))


def about(folder: Path) -> dict[str, Any]:
    """The `INFO` of the server in `folder`."""
    with client_of(folder) as client:
        info: dict[str, Any] = client.info("server")
        return info


def rewrite(client: Direct) -> None:
    """Has the server of `client` write its data anew, and waits until it has."""
    client.bgrewriteaof()
    until(
        lambda: not client.info("persistence")["aof_rewrite_in_progress"],
        "its data are written anew",
    )


def free(folder: Path) -> bool:
    """Whether no server runs in `folder`: then its lock is free."""
    with (folder / "lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
