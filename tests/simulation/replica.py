"""The replica of the store, which follows it after a while."""

from __future__ import annotations

from collections.abc import Callable

from tests.simulation.faults import Faults, latency
from tests.simulation.redis_server import Dataset
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
