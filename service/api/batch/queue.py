"""The queue of the batches of a worker, which leaves processor time to all other requests.

The threads of a worker take turns at one interpreter lock. Batches that all compute at once would
leave next to nothing to single requests, which give up the lock at each system call and then wait
for every batch.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT")

STRETCH = 0.005
"""Seconds after which a batch hands over what it has computed so far."""

RESTS = 3
"""The length of a rest, as a multiple of the processor time of the last turn."""

LONGEST_REST = 0.5
"""The longest rest in seconds."""


class BatchQueue:
    """Lets one batch of a worker compute at a time, first come, first served.

    If other requests arrived during a turn, batches rest after it, and so take only a quarter of
    the time. No batch computes during a rest.
    """

    def __init__(
        self, requests: Callable[[], int], sleep: Callable[[float], object] = time.sleep
    ) -> None:
        """`requests` returns how many requests the worker has had so far, batches included."""
        self._requests = requests
        self._sleep = sleep
        self._batches = 0
        self._others = 0
        self._lock = Lock()
        self._taken = False
        self._queue: deque[Lock] = deque()

    def count_batch(self) -> None:
        """Counts a batch among the requests."""
        with self._lock:
            self._batches += 1

    def parts(self, parts: Iterable[PartT]) -> Iterator[PartT]:
        """Yields `parts`, each computed in its own turn."""
        source = iter(parts)
        while True:
            with self.turn():
                try:
                    part = next(source)
                except StopIteration:
                    return
            yield part

    def result(self, steps: Generator[None, None, ResultT]) -> ResultT:
        """What `steps` returns, computed in turns of `STRETCH`, or of a step that takes longer."""
        while True:
            with self.turn():
                until = time.monotonic() + STRETCH
                try:
                    while time.monotonic() < until:
                        next(steps)
                except StopIteration as ended:
                    found: ResultT = ended.value
                    return found

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Waits for a turn, which lasts as long as the `with` block."""
        ours = Lock()
        with self._lock:
            if self._taken:
                ours.acquire()  # until the turn before is over
                self._queue.append(ours)
            self._taken = True
        ours.acquire()
        begun = time.thread_time()
        try:
            yield
        finally:
            if self._requests() - self._batches != self._others:
                self._sleep(min(RESTS * (time.thread_time() - begun), LONGEST_REST))
                self._others = self._requests() - self._batches
            with self._lock:
                if self._queue:
                    self._queue.popleft().release()
                else:
                    self._taken = False


def in_stretches(parts: Iterable[PartT]) -> Iterator[list[PartT]]:
    """Yields lists of `parts`, each with those that are computed within `STRETCH`."""
    made: list[PartT] = []
    until = time.monotonic() + STRETCH
    for part in parts:
        made.append(part)
        if time.monotonic() > until:
            yield made
            made = []
            until = time.monotonic() + STRETCH
    yield made
