"""The machine of the store: what befalls the server on it, and the replica that follows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from redis._parsers import BaseParser

from tests.simulation import redis_server
from tests.simulation.faults import Faults, latency
from tests.simulation.redis_server import Dataset, ErrorReply, RedisServer, ScriptError, Value
from tests.simulation.world import MILLISECOND, SECOND, World


class Replica:
    """What a replica has of a server, whose changes it gets in order, each after some time."""

    def __init__(self, world: World, faults: Callable[[], Faults]) -> None:
        self._world, self._faults = world, faults
        self._dataset: Dataset = {}, {}
        self._sent = self._has = 0
        self._arrives = 0
        self._waiting: list[tuple[int, Callable[[int], object]]] = []

    def follow(self, dataset: Dataset) -> None:
        """The server has changed, and has `dataset` now."""
        world = self._world
        lag = (
            world.rng.randrange(SECOND) if world.chance(self._faults().lags) else latency(world.rng)
        )
        self._arrives = max(self._arrives, world.now + lag)
        self._sent += 1
        world.after(self._arrives - world.now, self._arrived, self._sent, dataset)

    def wait(self, milliseconds: int, replied: Callable[[int], object]) -> None:
        """Calls `replied` with 1 once the replica has all changes so far, with 0 if it takes too
        long, and never if it takes over before.
        """
        wanted = self._sent
        if self._has >= wanted:
            replied(1)
            return
        waiting = (wanted, replied)
        self._waiting.append(waiting)

        def give_up() -> None:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
                replied(0)

        self._world.after(milliseconds * MILLISECOND, give_up)

    def promote(self) -> Dataset:
        """Takes over from the server; returns what it has. What is on its way to it is lost."""
        self._waiting.clear()
        self._has = self._sent = self._sent + 1  # older changes don't count any more
        self._arrives = self._world.now
        return self._dataset

    def _arrived(self, number: int, dataset: Dataset) -> None:
        if number <= self._has:
            return
        self._has, self._dataset = number, dataset
        for waiting in [each for each in self._waiting if each[0] <= number]:
            self._waiting.remove(waiting)
            waiting[1](1)


Command: TypeAlias = "tuple[Any, ...]"
Replied: TypeAlias = "Callable[[Any], object]"

REFUSALS = {
    "loading": redis_server.LOADING,
    "read_only": redis_server.READ_ONLY,
    "no_memory": redis_server.NO_MEMORY,
    "no_disk": redis_server.NO_DISK,
}
"""The outages in which the server replies with an error."""


class StoreHost:
    """A Redis server, its replica, its clock and its outages.

    The replica takes the place of the server if that fails over. `archive` has what was stored just
    before something was deleted, expired or got lost: all values then, or those of one session.
    """

    def __init__(self, world: World, faults: Callable[[], Faults]) -> None:
        self._world = world
        self.archive: list[dict[bytes, Value]] = []
        self.losses = 0
        """How often the server has lost writes."""
        self.down = False
        self._frozen = False
        self._waiting: list[tuple[Sequence[Command], Replied]] = []
        self._saved: Dataset = {}, {}
        self._replica = Replica(world, faults)
        self.server = RedisServer(self.clock, self._removes)

    def clock(self) -> int:
        """The server's time, in milliseconds since 1970."""
        return self._world.now // 1000

    def receive(self, commands: Sequence[Command], replied: Replied) -> None:
        """Runs commands when the server gets to them, and calls `replied` with their replies, of
        which some may be errors, or with an error of the connection.

        The last command may be a WAIT.
        """
        if self.down:
            replied(ConnectionResetError())
            return
        if self._frozen:
            self._waiting.append((commands, replied))
            return
        replies: list[Any] = []
        for command in commands:
            if command[0] == "WAIT":
                self._replica.wait(command[2], lambda count: replied([*replies, count]))
                return
            replies.append(self._reply(command))
            if self.server.wrote:
                self._replica.follow(self.server.dataset())
        replied(replies)

    def _reply(self, command: Command) -> Any:
        try:
            return self.server.execute(*command)
        except (ErrorReply, ScriptError) as error:
            return BaseParser.parse_error(str(error))

    def befall(self, outage: str) -> None:
        """Begins an outage, which lasts until it heals."""
        self._world.note("store", outage)
        if outage == "frozen":
            self._frozen = True
        elif outage in REFUSALS:
            self.server.refuses = REFUSALS[outage]
        else:
            self.down = True
            if outage in ("loses_writes", "fails_over"):
                self.losses += 1
                self.archive.append(self.server.values(b""))
                lossy = outage == "loses_writes"
                self.server.restore(self._saved if lossy else self._replica.promote())

    def heal(self) -> None:
        """Ends the outage. A server that was frozen runs all commands that have arrived since."""
        self._world.note("store", "is well")
        self.server.refuses, self.down, self._frozen = None, False, False
        waiting, self._waiting = self._waiting, []
        for commands, replied in waiting:
            self.receive(commands, replied)

    def save(self) -> None:
        """Saves what the server comes back with the next time that it loses writes."""
        self._saved = self.server.dataset()

    def _removes(self, key: bytes) -> None:
        tag = key.partition(b"}")[0]
        self.archive.append(self.server.values(tag))
