"""A store that comes back without its last writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import redis

from tests.live import free_port
from tests.sessions import servers
from tests.sessions.servers import until

LOST_CHANGES = 500
"""How many changes the store loses at least: an action or a new session makes several."""


@dataclass
class LosingStore:
    """A server that can lose its last writes: it is killed, and loads an older snapshot."""

    binary: str
    folder: Path
    port: int = field(default_factory=free_port)
    losses: int = 0
    """How often it has come back; counted when it responds again."""

    _stack: ExitStack = field(default_factory=ExitStack)

    @property
    def url(self) -> str:
        """The URL of the store."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts the server, which loads its last snapshot."""
        self._process = self._stack.enter_context(self._on(self.port))

    def stop(self) -> None:
        """Stops the server."""
        self._stack.close()

    def lose(self) -> dict[str, list[bytes]]:
        """Kills it once it has changed enough since a snapshot, and starts it again.

        Returns the histories that it has then. Somebody has to be writing to it.
        """
        with redis.Redis(port=self.port) as client:
            client.save()
            until(partial(_changed, client, LOST_CHANGES), "the store is written to")
        self._process.kill()
        self._process.wait()
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
    def _on(self, port: int) -> Iterator[Any]:
        options = {"port": str(port), "bind": "127.0.0.1"}
        with servers.process(self.binary, self.folder, options) as started:
            until(partial(servers.answers, f"redis://127.0.0.1:{port}"), "the store answers")
            yield started


def _changed(client: redis.Redis, changes: int) -> bool:
    """Whether the server was changed at least so often since its last snapshot."""
    return bool(client.info("persistence")["rdb_changes_since_last_save"] >= changes)
