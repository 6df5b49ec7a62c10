"""Simulated time: what happens next, and which task runs."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Generic, TypeVar, cast

from greenlet import getcurrent, greenlet

ResultT = TypeVar("ResultT")

MILLISECOND = 1_000
SECOND = 1_000_000

START = 4_102_444_800 * SECOND
"""The first of January 2100, in microseconds since 1970."""

LONGEST = 7 * 86_400 * SECOND
"""How long a simulation may take, in simulated microseconds; all end far earlier."""


class TimedOut(Exception):
    """What a task waited for didn't happen in time."""


class World:
    """Time, chance and the trace of a simulation.

    One task runs at a time, until it waits. `now` is in microseconds since 1970. Everything random
    comes from `rng`, so the same seed repeats every step. `trace` has a line for each step if
    `traced`; `digest` covers these lines in any case.
    """

    def __init__(self, seed: int, *, traced: bool = False) -> None:
        self.rng = Random(seed)
        self.now = START
        self.trace: list[str] = []
        self._traced = traced
        self._hash = sha256()
        self._events: list[tuple[int, int, Callable[..., object], tuple[Any, ...]]] = []
        self._order = count()
        self._hub = getcurrent()

    @property
    def digest(self) -> str:
        """The SHA-256 of the trace."""
        return self._hash.hexdigest()

    def note(self, who: str, what: str) -> None:
        """Adds a line to the trace."""
        line = f"{(self.now - START) / SECOND:.6f} {who}: {what}\n"
        self._hash.update(line.encode())
        if self._traced:
            self.trace.append(line)

    def chance(self, probability: float) -> bool:
        """Whether something happens that has this `probability`."""
        return probability > 0 and self.rng.random() < probability

    def after(self, delay: int, function: Callable[..., object], *arguments: Any) -> None:
        """Calls `function`, which must not wait, after `delay` microseconds."""
        heappush(self._events, (self.now + delay, next(self._order), function, arguments))

    def start(self, function: Callable[[], object]) -> greenlet:
        """Starts a task, which may wait. It runs once the current one waits."""
        task = greenlet(function, self._hub)
        self.after(0, self.resume, task)
        return task

    def resume(self, task: greenlet) -> None:
        """Runs a task, unless it has ended, until it waits again."""
        if not task.dead:
            task.switch()

    def pause(self) -> None:
        """Waits until something resumes the current task."""
        self._hub.switch()

    def sleep(self, delay: int) -> None:
        """Waits for `delay` microseconds."""
        self.after(delay, self.resume, getcurrent())
        self.pause()

    def run(self) -> None:
        """Lets everything happen until nothing is left to happen."""
        while self._events:
            self.now, _, function, arguments = heappop(self._events)
            assert self.now < START + LONGEST, "the simulation doesn't end"
            function(*arguments)


class Promise(Generic[ResultT]):
    """A result that one task waits for. What comes after the first result or error is ignored."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._task: greenlet | None = None
        self._result: ResultT | None = None
        self._error: Exception | None = None
        self._ended = False

    def keep(self, result: ResultT) -> None:
        """Sets the result."""
        if not self._ended:
            self._result = result
            self._end()

    def fail(self, error: Exception) -> None:
        """Sets the error."""
        if not self._ended:
            self._error = error
            self._end()

    def wait(self, timeout: int) -> ResultT:
        """Returns the result. Raises the error, or `TimedOut` after `timeout` microseconds."""
        if not self._ended:
            self._task = getcurrent()
            self._world.after(timeout, self.fail, TimedOut())
            self._world.pause()
        if self._error is not None:
            raise self._error
        return cast(ResultT, self._result)

    def _end(self) -> None:
        self._ended = True
        if self._task is not None:
            self._world.after(0, self._world.resume, self._task)
