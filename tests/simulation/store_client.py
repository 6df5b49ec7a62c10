"""A worker's client of the store, in place of redis-py's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import redis
from greenlet import GreenletExit

from service.sessions.store import admission, deadline, replication, scripts
from tests.simulation.faults import Faults, latency
from tests.simulation.store_host import Command, StoreHost
from tests.simulation.world import MILLISECOND, SECOND, Promise, TimedOut, World

LATEST = 5 * SECOND
"""How long a command may take until it arrives."""

SCRIPTS = {
    text: name
    for name, text in vars(scripts).items()
    if isinstance(text, str) and "redis.call" in text
} | {admission.ADMIT + scripts.WRITE: "CREATE", replication.CONFIRM: "CONFIRM"}
"""The names of the service's scripts by their texts."""


class StoreClient:
    """The methods of redis-py that the service uses, for one life of a worker.

    Commands and replies take their time, and may get lost. `dies` ends the worker's life.
    """

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
        self._sentinel = world.chance(0.5)
        self.dead = False

    def execute_command(self, *command: Any) -> Any:
        """Returns the reply to a command. Raises the errors of redis-py."""
        (reply,) = self.send([command])
        return received(reply, sentinel=self._sentinel)

    def pipeline(self, *, transaction: bool) -> Pipeline:
        """Collects commands to send them together."""
        assert not transaction
        return Pipeline(self)

    def send(self, commands: Sequence[Command]) -> list[Any]:
        """Sends commands together; returns their replies, of which some may be errors."""
        world, faults = self._world, self._faults()
        self._may_die(faults, "before a command")
        timeout = int(deadline.seconds_left() * SECOND)
        if timeout <= 0:
            raise deadline.OutOfTime("no time is left to ask the store")
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


class Pipeline:
    """Commands that are sent together."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client
        self._commands: list[Command] = []

    def execute_command(self, *command: Any) -> None:
        """Adds a command."""
        self._commands.append(command)

    def execute(self, *, raise_on_error: bool) -> list[Any]:
        """Sends the commands; returns their replies, errors included."""
        assert not raise_on_error
        return self._client.send(self._commands)


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


def received(reply: Any, *, sentinel: bool = False) -> Any:
    """Returns a reply, or raises redis-py's error for it, while handling what it handles then."""
    if not isinstance(reply, Exception):
        return reply
    try:
        raise reply
    except redis.ReadOnlyError:
        if not sentinel:
            raise
        # redis-py raises these by themselves, without the cause that B904 asks for
        raise redis.ConnectionError("The previous master is now a slave")  # noqa: B904
    except TimeoutError:
        raise redis.TimeoutError("Timeout reading from socket")  # noqa: B904
    except ConnectionResetError:
        raise redis.ConnectionError("Connection closed by server.") from None
    except ConnectionRefusedError:
        raise redis.ConnectionError("Error 111 connecting to store:6379.")  # noqa: B904
