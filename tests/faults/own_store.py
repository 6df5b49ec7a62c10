"""A server of a test's own, which is frozen, killed, or comes back without its last writes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import Popen

import redis

from tests.live import free_port
from tests.sessions import servers
from tests.sessions.servers import until

LOST_CHANGES = 500
"""How many changes the store loses at least: an action or a new session makes several."""


@dataclass
class OwnStore:
    """A running server. `fsync` says when it writes its append-only file; without, it has none."""

    binary: str
    folder: Path
    fsync: str = ""
    port: int = field(default_factory=free_port)
    losses: int = 0
    """How often it has come back without its last writes; counted when it responds again."""

    def __post_init__(self) -> None:
        self.url = f"redis://127.0.0.1:{self.port}"
        self._stack = ExitStack()
        self.client = self._stack.enter_context(closing(redis.Redis.from_url(self.url)))
        self.start()

    def start(self) -> None:
        """Starts the server, which loads what it has written."""
        self.process = self._stack.enter_context(self._on(self.port))

    def kill(self) -> None:
        """Kills it."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Ends it."""
        self._stack.close()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It doesn't answer for a while."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def lose(self) -> dict[str, list[bytes]]:
        """Kills it once it has changed enough since a snapshot, and starts it again.

        Returns the histories that it has then. Somebody has to be writing to it.
        """
        with redis.Redis(port=self.port) as client:
            client.save()
            until(partial(_changed, client, LOST_CHANGES), "the store is written to")
        self.kill()
        beside = free_port()
        with self._on(beside), redis.Redis(port=beside) as client:
            kept = {
                key.decode().split("{")[1].split("}")[0]: client.lrange(key, 0, -1)
                for key in client.scan_iter("dice:*:events")
            }
        self.start()
        self.losses += 1
        return kept

    @contextmanager
    def _on(self, port: int) -> Iterator[Popen[bytes]]:
        options = {"port": str(port), "bind": "127.0.0.1"}
        if self.fsync:
            options |= {"appendonly": "yes", "appendfsync": self.fsync}
        wrapped = self.folder / "server"  # which a file that can't grow doesn't kill
        wrapped.write_text(f'#!/bin/sh\ntrap "" XFSZ\nexec {self.binary} "$@"\n')
        wrapped.chmod(0o755)
        with servers.process(str(wrapped), self.folder, options) as started:
            until(partial(servers.answers, f"redis://127.0.0.1:{port}"), "the store answers")
            yield started


def _changed(client: redis.Redis, changes: int) -> bool:
    """Whether the server was changed at least so often since its last snapshot."""
    return bool(client.info("persistence")["rdb_changes_since_last_save"] >= changes)
