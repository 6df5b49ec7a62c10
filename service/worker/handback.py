"""The connections that threads hand to the loop."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator

from service.worker.connection import Connection


class Handback:
    """Connections for the loop to go on with. Any thread may add to them; the loop takes them.

    A byte in the pipe of the loop wakes it, one for all that it hasn't collected yet.
    """

    def __init__(self, pipe: int) -> None:
        """`pipe` is the end to write to."""
        self._pipe = pipe
        self._finished: deque[Connection] = deque()
        self._woken: deque[Connection] = deque()
        self._woke_loop = False

    def finish(self, connection: Connection) -> None:
        """Hands back a connection that a thread has worked on."""
        self._finished.append(connection)
        self._wake_loop()

    def wake(self, connection: Connection) -> None:
        """Has the loop look at a connection whose request waits, or is about to."""
        self._woken.append(connection)
        self._wake_loop()

    def collect(self, pipe: int) -> None:
        """Empties the pipe, at its end to read from, before the loop takes what it announces."""
        os.read(pipe, 4096)
        self._woke_loop = False

    def finished(self) -> Iterator[Connection]:
        """Takes the connections that threads have worked on."""
        while self._finished:
            yield self._finished.popleft()

    def woken(self) -> Iterator[Connection]:
        """Takes the connections that were woken."""
        while self._woken:
            yield self._woken.popleft()

    def _wake_loop(self) -> None:
        if not self._woke_loop:
            self._woke_loop = True
            os.write(self._pipe, b".")
