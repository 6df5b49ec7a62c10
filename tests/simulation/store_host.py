"""The machine of the store: what befalls the server on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from redis._parsers import BaseParser

from tests.simulation import redis_server
from tests.simulation.redis_server import Dataset, ErrorReply, RedisServer, Value
from tests.simulation.scripts import ScriptError
from tests.simulation.world import World

REFUSALS = {
    "loading": redis_server.LOADING,
    "read_only": redis_server.READ_ONLY,
    "no_memory": redis_server.NO_MEMORY,
    "no_disk": redis_server.NO_DISK,
}
"""The outages in which the server replies with an error."""


class StoreHost:
    """A Redis server, its clock and its outages.

    `archive` has what was stored just before something was deleted, expired or got lost: all values
    then, or those of one session.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.archive: list[dict[bytes, Value]] = []
        self.losses = 0
        """How often the server has lost writes."""
        self.down = False
        self._frozen = False
        self._waiting: list[tuple[tuple[Any, ...], Callable[[Any], object]]] = []
        self._saved: Dataset = {}, {}
        self.server = RedisServer(self.clock, self._removes)

    def clock(self) -> int:
        """The server's time, in milliseconds since 1970."""
        return self._world.now // 1000

    def receive(self, command: tuple[Any, ...], replied: Callable[[Any], object]) -> None:
        """Runs a command when the server gets to it; calls `replied` with the reply or an error."""
        if self.down:
            replied(ConnectionResetError())
            return
        if self._frozen:
            self._waiting.append((command, replied))
            return
        try:
            replied(self.server.execute(*command))
        except (ErrorReply, ScriptError) as error:
            replied(BaseParser.parse_error(str(error)))

    def befall(self, outage: str) -> None:
        """Begins an outage, which lasts until it heals."""
        self._world.note("store", outage)
        if outage == "frozen":
            self._frozen = True
        elif outage in REFUSALS:
            self.server.refuses = REFUSALS[outage]
        else:
            self.down = True
            if outage == "loses_writes":
                self.losses += 1
                self.archive.append(self.server.values(b""))
                self.server.restore(self._saved)

    def heal(self) -> None:
        """Ends the outage. A server that was frozen runs all commands that have arrived since."""
        self._world.note("store", "is well")
        self.server.refuses, self.down, self._frozen = None, False, False
        waiting, self._waiting = self._waiting, []
        for command, replied in waiting:
            self.receive(command, replied)

    def save(self) -> None:
        """Saves what the server comes back with the next time that it loses writes."""
        self._saved = self.server.dataset()

    def _removes(self, key: bytes) -> None:
        tag = key.partition(b"}")[0]
        self.archive.append(self.server.values(tag))
