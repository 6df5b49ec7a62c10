"""What a run says of the parts that can't be made."""

from __future__ import annotations

from collections.abc import Iterable

from service.cli.command_error import CommandError, TryAgain

_ROWS = 1_000
"""How many lines about rows a run shows in all: each of many files may have a hundred."""


class Wrong:
    """The parts that failed, each with its error; their rows, as long as there is room for all of
    a part's. `kind` is that of the whole: what must be mended first outweighs what may pass.
    """

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}
        self.kind: type[CommandError] = TryAgain
        self._room = _ROWS
        self._cut = 0

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, name: str, error: CommandError) -> None:
        """Adds a part. The first line of its error says what is wrong, others are about rows."""
        lines = [*error.lines]
        if not isinstance(error, TryAgain):
            self.kind = CommandError
        rows = len(lines) - 1
        if rows > self._room:
            self._cut += 1
            self._lines[name] = lines[:1]
        else:
            self._room -= rows
            self._lines[name] = lines

    def lines(self, names: Iterable[str]) -> list[str]:
        """All lines to print, with the parts in the order of these `names`."""
        found = [line for name in names for line in self._lines.get(name, [])]
        if self._cut:
            parts = "1 part aren't" if self._cut == 1 else f"{self._cut:,} parts aren't"
            found.append(f"the bad rows of {parts} shown: there were too many lines")
        return found
