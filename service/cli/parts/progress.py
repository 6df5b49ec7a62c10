"""How far a run is: a bar on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from click import progressbar

from service.cli.terminal import say

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

TICK = 1.0
"""Seconds between two looks at a run."""

_LINE = 10.0
"""Seconds between two lines."""


class Progress:
    """Shows parts as they become whole. Their shares are `size` in all, `workers` counts the
    workers, and `unit` is what their rows are.
    """

    def __init__(self, size: int, workers: Callable[[], int], unit: str = "rows") -> None:
        self._workers, self._unit = workers, unit
        self._size, self._read, self._rows = size, 0, 0
        self._began = self._said = time.monotonic()
        self._bar: ProgressBar[int] = progressbar(
            length=max(size, 1),
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
            show_eta=True,
            item_show_func=lambda _: self._counts(),
            update_min_steps=0,
        )

    def __enter__(self) -> Progress:
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__(None, None, None)

    def add(self, rows: int, share: int) -> None:
        """Counts one more part."""
        self._rows += rows
        self._read += share
        self._bar.update(share, self._rows)

    def tick(self) -> None:
        """Shows what it is time to show; called about every `TICK` seconds."""
        if not self._bar.hidden:
            self._bar.update(0, self._rows)
            return
        now = time.monotonic()
        if now - self._said >= _LINE:
            self._said = now
            spent = now - self._began
            left = spent * (self._size - self._read) / self._read if self._read else None
            remaining = "" if left is None else f", about {left:,.0f} s left"
            percent = 100 * self._read // max(self._size, 1)
            say(f"{percent}%: {self._counts()}{remaining}", sys.stderr)

    def seconds(self) -> float:
        """How long the run has taken."""
        return time.monotonic() - self._began

    def _counts(self) -> str:
        rate = self._rows / max(self.seconds(), 0.001)
        count = self._workers()
        workers = "worker" if count == 1 else "workers"
        return f"{self._rows:,} {self._unit}, {rate:,.0f} {self._unit}/s, {count} {workers}"
