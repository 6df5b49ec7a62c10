"""Parts of an output, as runs of all commands have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from service.cli.command_error import CommandError
from service.cli.files.places import Place


class Part(Protocol):
    """What one task makes: a file `name` in the output. It is one of `share` in all, which is for
    the progress.
    """

    @property
    def name(self) -> str:
        """The path of its file below the output."""

    @property
    def share(self) -> int:
        """How much of the work it is, in any unit."""

    def as_json(self) -> dict[str, Any]:
        """All that decides what is in it, beside the rules of the run."""


PartT = TypeVar("PartT", bound=Part)


@dataclass(frozen=True)
class Done(Generic[PartT]):
    """A part that is whole: the bytes of its file, the `rows` it was made of, and how many of them
    were `bad`.
    """

    part: PartT
    size: int
    rows: int
    bad: int = 0


@dataclass(frozen=True)
class Summary:
    """What a run did: the parts in all, how many of them were there before, rows, and time."""

    parts: int
    kept: int
    rows: int
    bad: int
    seconds: float

    def sentence(self, what: str, done: str, target: Place, bad: str = "") -> str:
        """What a command prints at its end. `what` was `done`, as in "9 hands" and "scored"; `bad`
        says what became of bad rows.
        """
        parts = "part" if self.parts == 1 else "parts"
        were = "was" if self.kept == 1 else "were"
        kept = f"; {self.kept:,} of the parts {were} there before" if self.kept else ""
        spent = f"; {self.seconds:,.1f} s" if self.kept < self.parts else ""
        return f"{what} in {self.parts:,} {parts} {done}, in {target.shown}{kept}{bad}{spent}"


Report = Callable[[int, float], None]
"""Takes how many rows of a part are made, and what fraction of its work that is, from 0 to 1."""

Task = Callable[[PartT, Report], Done[PartT] | CommandError]
"""Makes a part on a worker, and reports how far it is. Returns the error if it can't: Dask would
print those that are raised."""

Listed = Mapping[str, Any]
"""What a manifest says of a part; `rows` are those in its file."""
