"""How far a long command has come, on a terminal."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self, TextIO

_WIDTH = 24
"""Characters of the bar."""

_BETWEEN = 0.1
"""Seconds from one drawing to the next."""


class Progress:
    """A line that is drawn over and over while in a `with`, if `screen` is a terminal; else none.

    It is gone afterwards.
    """

    def __init__(self, screen: TextIO) -> None:
        self._screen = screen
        self._shown = screen.isatty()
        self._begun = monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def tell(self, rows: int, part: float) -> None:
        """Draws that `rows` rows are done, and what `part` of all that is, from 0 to 1."""
        now = monotonic()
        if not self._shown or (now - self._drawn < _BETWEEN and part < 1):
            return
        self._drawn = now
        bar = ("#" * int(part * _WIDTH)).ljust(_WIDTH)
        rate = rows / max(now - self._begun, 1e-3) / 1e6
        self._draw(f"{part:4.0%} [{bar}] {rows:,} rows, {rate:.1f} million a second")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._draw("")

    def _draw(self, line: str) -> None:
        """Puts `line` in place of the one before."""
        self._screen.write(f"\r\x1b[K{line}")
        self._screen.flush()
