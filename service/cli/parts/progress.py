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
    """Shows how far the parts of a run are. Their shares are `size` in all, `workers` counts the
    workers, and `unit` is what their rows are.
    """

    def __init__(self, size: int, workers: Callable[[], int], unit: str = "rows") -> None:
        self._workers, self._unit = workers, unit
        self._size, self._ended_share, self._ended_rows = size, 0, 0
        self._under_way: dict[str, tuple[int, float]] = {}
        self._began = self._said = time.monotonic()
        self._bar: ProgressBar[int] = progressbar(
            length=max(size, 1),
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
            show_eta=False,  # it takes days before anything is done
            item_show_func=lambda _: self._counts(),
            update_min_steps=0,
        )

    def __enter__(self) -> Progress:
        self._bar.__enter__()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and not self._bar.hidden:
            self._show()
        self._bar.__exit__(None, None, None)

    def ended(self, name: str, rows: int, share: int) -> None:
        """Counts a part that is whole, or one that failed, of which no `rows` are there."""
        self._under_way.pop(name, None)
        self._ended_rows += rows
        self._ended_share += share

    def reached(self, name: str, rows: int, share: float) -> None:
        """Counts what a worker has made of a part."""
        self._under_way[name] = rows, share

    def tick(self) -> None:
        """Shows how far it is, if it is time to: called as often as anything is known."""
        if time.monotonic() - self._said >= (_LINE if self._bar.hidden else TICK):
            self._said = time.monotonic()
            self._show()

    def seconds(self) -> float:
        """How long the run has taken."""
        return time.monotonic() - self._began

    def _show(self) -> None:
        done = self._done()
        if self._bar.hidden:
            say(f"{100 * done // max(self._size, 1)}%: {self._counts()}", sys.stderr)
        else:
            self._bar.pos = done  # steps would count twice after Ctrl-C while they are shown
            self._bar.update(0, self._rows())

    def _done(self) -> int:
        """The shares that are done, of parts that have ended and of those under way."""
        return int(self._ended_share + sum(share for _, share in self._under_way.values()))

    def _rows(self) -> int:
        return self._ended_rows + sum(rows for rows, _ in self._under_way.values())

    def _counts(self) -> str:
        made, done, spent = self._rows(), self._done(), max(self.seconds(), 0.001)
        rate = made / spent
        count = self._workers()
        workers = "1 worker" if count == 1 else f"{count or 'no'} workers"
        left = f", about {spent * (self._size - done) / done:,.0f} s left" if done else ""
        return f"{made:,} {self._unit}, {rate:,.0f} {self._unit}/s, {workers}{left}"
