"""A worker's client of the store, in place of one with connections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import redis
from greenlet import GreenletExit

from service.sessions.store import connect, deadline, scripts
from tests.simulation.faults import Faults, latency
from tests.simulation.store_host import Command, StoreHost
from tests.simulation.world import MILLISECOND, SECOND, Promise, TimedOut, World

LATEST = 5 * SECOND
"""How long a command may take until it arrives."""

SCRIPTS = {
    scripts.READ: "READ",
    scripts.REPLAY: "REPLAY",
    scripts.WRITE: "WRITE",
    scripts.WRITE_AND_ADD: "WRITE_AND_ADD",
    scripts.ADMIT + scripts.WRITE: "CREATE",
    scripts.ADMIT + scripts.WRITE_AND_ADD: "CREATE_AND_ADD",
    scripts.CONFIRM: "CONFIRM",
    scripts.REMOVE: "REMOVE",
}
"""The names of the service's scripts by their texts."""


class StoreClient:
    """A `Client` for one life of a worker.

    Commands and replies take their time, and may get lost. `dies` ends the worker's life.
    """

    one_node = True

    def __init__(
        self,
        world: World,
        host: StoreHost,
        faults: Callable[[], Faults],
        name: str,
        dies: Callable[[str], object],
    ) -> None:
        self._world, self._host, self._faults, self._name = world, host, faults, name
        self._dies = dies
        self.dead = False

    def ask(self, _: str, *commands: Command) -> list[Any]:
        """The replies to commands; raises the first if it is an error of redis-py."""
        replies = self.send(commands)
        received(replies[0])
        return replies

    def send(self, commands: Sequence[Command]) -> list[Any]:
        """Sends commands together; returns their replies, of which some may be errors."""
        world, faults = self._world, self._faults()
        self._may_die(faults, "before a command")
        timeout = int(deadline.seconds_left() * SECOND)
        if self._host.down or world.chance(faults.refused_connections):
            world.note(self._name, "connection refused")
            received(ConnectionRefusedError())
        sent = Promise[Any](world)
        takes = latency(world.rng)
        if world.chance(faults.late_commands):
            takes = world.rng.randrange(100 * MILLISECOND, LATEST)
        resets = world.chance(0.5)
        what = ", ".join(map(described, commands))
        if world.chance(faults.lost_commands):
            world.note(self._name, f"loses {what}")
            if resets:
                world.after(takes, sent.keep, ConnectionResetError())
        else:
            world.note(self._name, f"sends {what}")
            world.after(takes, self._host.receive, commands, self._reply_to(sent, resets))
        self._may_die(faults, "after a command")
        try:
            reply = sent.wait(timeout)
        except TimedOut:
            reply = TimeoutError()
        if self.dead:
            raise GreenletExit
        world.note(self._name, f"gets {reply!r}")
        replies: list[Any] = received(reply)
        return replies

    def _reply_to(self, sent: Promise[Any], resets: bool) -> Callable[[Any], object]:
        """Sends a reply back, unless it gets lost."""
        world = self._world

        def reply(what: Any) -> None:
            if world.chance(self._faults().lost_replies):
                world.note(self._name, f"never gets {what!r}")
                if not resets:
                    return
                what = ConnectionResetError()
            world.after(latency(world.rng), sent.keep, what)

        return reply

    def _may_die(self, faults: Faults, when: str) -> None:
        if self.dead:
            raise GreenletExit
        if self._world.chance(faults.deaths):
            self._dies(when)
            self._world.pause()


def described(command: Command) -> str:
    """A command in one line, the same in each run."""
    words = []
    for word in command:
        text = SCRIPTS.get(word, word) if isinstance(word, str) else word
        plain = isinstance(text, int) or (isinstance(text, str) and len(text) < 48)
        words.append(str(text) if plain else f"#{crc32(_bytes(text)):08x}")
    return " ".join(words)


def _bytes(word: Any) -> bytes:
    return word if isinstance(word, bytes) else str(word).encode()


def received(reply: Any) -> Any:
    """Returns a reply, or raises redis-py's error for it."""
    match reply:
        case TimeoutError():
            raise redis.TimeoutError("Timeout reading from socket")
        case ConnectionResetError():
            raise redis.ConnectionError("Connection closed by server.")
        case ConnectionRefusedError():
            raise connect.NotSent("Error 111 connecting to store:6379.") from reply
        case Exception():
            raise reply
    return reply
