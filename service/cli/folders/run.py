"""Makes the parts of an output that are missing: each is a task of a Dask cluster."""

from __future__ import annotations

import secrets
import sys
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from click import progressbar
from distributed import Client, as_completed, get_worker
from distributed.client import ClosedClientError, FutureCancelledError
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from service.cli.command import CommandError, TryAgain
from service.cli.files.locations import command_errors
from service.cli.folders.cluster import connected
from service.cli.folders.output import Note, Output, Part
from service.cli.score_file import Report
from service.cli.text import counted, say

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

TICK = 1.0
"""About how many seconds there are between two reports of a worker, and two looks at a run."""

_LINE = 10.0
"""Seconds between two lines, where there is no terminal."""

_POLL = 0.1
"""The most seconds until a part that has ended is noticed."""

_ROWS = 1_000
"""How many lines about bad rows a run shows in all: each of many files may have a hundred."""

PartT = TypeVar("PartT", bound=Part)

Task = Callable[[PartT, Report], Note]
"""Makes a part on a worker, and reports how far it is. Raises `CommandError` if it can't."""


@dataclass(frozen=True)
class Summary:
    """What a run did: the folder, the parts in all, how many of them were there before, rows, and
    time.
    """

    folder: str
    parts: int
    kept: int
    rows: int
    bad: int
    seconds: float

    def sentence(self, what: str, done: str, bad: str = "") -> str:
        """What a command prints at its end. `what` was `done`, as in "9 hands" and "scored"; `bad`
        says what became of bad rows.
        """
        were = "was" if self.kept == 1 else "were"
        kept = f"; {self.kept:,} of the parts {were} there before" if self.kept else ""
        spent = f"; {self.seconds:,.1f} s" if self.kept < self.parts else ""
        return f"{what} in {counted(self.parts, 'part')} {done}, in {self.folder}{kept}{bad}{spent}"


def make_parts(
    output: Output,
    parts: Sequence[PartT],
    task: Task[PartT],
    listed: Callable[[PartT, Note], Mapping[str, Any]],
    *,
    workers: int,
    scheduler: str | None,
    unit: str = "rows",
    check: Callable[[Mapping[str, Note]], None] = lambda _: None,
) -> Summary:
    """Makes the `parts` of the folder that aren't there, then its manifest.

    `listed` says what the manifest has of a part. Before anything is made or removed, `check` gets
    what is noted of the parts that are there, and may raise a `CommandError`. That is planned
    twice: other runs may write the folder until a cluster has started.

    Raises `CommandError` with the lines of what can't be made, after the other parts are whole;
    `TryAgain` if all of it may pass.
    """
    shown = output.location.shown

    def plan() -> tuple[Mapping[str, Note], dict[str, Note]]:
        """What is noted, and the parts that are whole."""
        with command_errors(f"{shown} can't be read"):
            notes = output.notes()
        check(notes)
        return notes, output.kept(parts, notes)

    notes, kept = plan()
    client = None
    failed, seconds = Failed(), 0.0
    with ExitStack() as run:
        if len(kept) < len(parts):
            run.enter_context(_lost_scheduler())
            needed = min(workers, len(parts) - len(kept))
            client = run.enter_context(connected(needed, scheduler))
        with command_errors(f"{shown} can't be written"):
            run.enter_context(output.locked())
        if client:
            notes, kept = plan()
        with command_errors(f"{shown} can't be written"):
            output.begin(kept, notes, complete=len(kept) == len(parts))
        made = {**kept}
        if client:
            missing = [part for part in parts if part.name not in kept]
            shares = {part.name: part.share for part in missing}
            with Progress(shares, partial(_workers, client), unit) as progress:
                for part, result in _results(client, task, missing, progress):
                    if isinstance(result, Note):
                        made[part.name] = result
                    else:
                        failed.add(part.name, result)
                seconds = progress.seconds()
        if failed.errors:
            whole = f"{len(made)} of {len(parts)} parts are whole, in {shown}"
            lines = failed.lines(part.name for part in parts)
            raise failed.kind(*lines, f"{whole}; the same command goes on from there")
        with command_errors(f"{shown} can't be written"):
            output.finish(made, [listed(part, made[part.name]) for part in parts])
    rows = sum(note.rows for note in made.values())
    bad = sum(note.bad_rows for note in made.values())
    return Summary(shown, len(parts), len(kept), rows, bad, seconds)


class Failed:
    """The `errors` of the parts that failed, by their names, with their rows as long as there is
    room for all of a part's. `kind` is that of the whole: an error to be fixed outweighs one that
    may pass.
    """

    def __init__(self) -> None:
        self.errors: dict[str, Sequence[str]] = {}
        self.kind: type[CommandError] = TryAgain
        self._room, self._cut = _ROWS, 0

    def add(self, name: str, error: CommandError) -> None:
        """Adds a part. The first line of its error says what is wrong, others are about rows."""
        if not isinstance(error, TryAgain):
            self.kind = CommandError
        rows = len(error.lines) - 1
        fits = rows <= self._room
        self._room -= rows if fits else 0
        self._cut += not fits
        self.errors[name] = error.lines if fits else error.lines[:1]

    def lines(self, names: Iterable[str]) -> list[str]:
        """All lines to print, with the parts in the order of these `names`."""
        found = [line for name in names for line in self.errors.get(name, [])]
        if self._cut:
            parts = counted(self._cut, "part")
            found.append(f"the bad rows of {parts} aren't shown: there were too many lines")
        return found


def _results(
    client: Client, task: Task[PartT], parts: Sequence[PartT], progress: Progress
) -> Iterator[tuple[PartT, Note | CommandError]]:
    """Each part and what became of it, as they end. Shows the progress.

    Results aren't left on the workers: Dask would make a part again if the worker died that has it.
    """
    topic = f"dice-scoring-{secrets.token_hex(8)}"
    client.subscribe_topic(topic, lambda event: progress.reached(*event[1]))
    futures = client.map(partial(_make, task, topic), parts, pure=False, batch_size=1000, retries=0)
    by_key = {future.key: part for future, part in zip(futures, parts, strict=True)}
    ended = as_completed(futures, loop=client.loop)
    del futures
    while by_key:
        for future in ended.next_batch(block=False):
            if future.status == "cancelled":
                raise CommClosedError
            if future.status not in ("finished", "error"):
                ended.add(future)  # its worker has died since: it is made again
                continue
            part = by_key.pop(future.key)
            failed = future.status == "error"
            result = _died(part.name, future.exception()) if failed else future.result()
            future.release()
            progress.ended(part.name, result.rows if isinstance(result, Note) else 0)
            yield part, result
        progress.tick()
        if client.status in ("closing", "closed"):
            raise CommClosedError
        time.sleep(_POLL)


def _workers(client: Client) -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])


def _died(name: str, error: BaseException | None) -> CommandError:
    """Why the cluster couldn't make a part."""
    what = f"{name} can't be made: "
    if isinstance(error, KilledWorker):
        workers = counted(error.allowed_failures + 1, "worker")
        return TryAgain(f"{what}{workers} died that worked on it, so it may need more memory")
    return CommandError(f"{what}{error!r}")


def _make(task: Task[PartT], topic: str, part: PartT) -> Note | CommandError:
    """Makes a part on a worker, and reports how far it is about every `TICK` seconds. Returns the
    error if it can't: Dask would print those that are raised.
    """
    worker = get_worker()
    said = time.monotonic()

    def report(rows: int, fraction: float) -> None:
        nonlocal said
        if time.monotonic() - said >= TICK:
            said = time.monotonic()
            worker.log_event(topic, (part.name, rows, fraction))

    try:
        return task(part, report)
    except CommandError as error:
        return error


@contextmanager
def _lost_scheduler() -> Iterator[None]:
    """Says that the scheduler is gone, however Dask notices."""
    try:
        yield
    except (CancelledError, ClosedClientError, CommClosedError, FutureCancelledError, TimeoutError):
        said = "the scheduler is gone; whole parts are kept, and the same command goes on"
        raise TryAgain(said) from None


class Progress:
    """Shows how far a run is whose parts have these `shares`: a bar on a terminal, a line every ten
    seconds elsewhere. Their rows are called `unit`, and `workers` counts the workers.
    """

    def __init__(self, shares: Mapping[str, int], workers: Callable[[], int], unit: str) -> None:
        self._shares, self._workers, self._unit = shares, workers, unit
        self._size = max(sum(shares.values()), 1)
        self._reached: dict[str, tuple[int, float]] = dict.fromkeys(shares, (0, 0.0))
        self._began = self._said = time.monotonic()
        self._bar: ProgressBar[int] = progressbar(
            length=self._size,
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

    def reached(self, name: str, rows: int, fraction: float) -> None:
        """Counts what a worker has made of a part; another thread may say so, and late."""
        if self._reached[name][1] < self._shares[name]:
            self._reached[name] = rows, fraction * self._shares[name]

    def ended(self, name: str, rows: int) -> None:
        """Counts a part that is whole, or one that failed, of which no `rows` are there."""
        self._reached[name] = rows, self._shares[name]

    def tick(self) -> None:
        """Shows how far it is, if it is time to."""
        if time.monotonic() - self._said >= (_LINE if self._bar.hidden else TICK):
            self._said = time.monotonic()
            self._show()

    def seconds(self) -> float:
        """How long the run has taken."""
        return time.monotonic() - self._began

    def _show(self) -> None:
        if self._bar.hidden:
            say(f"{100 * self._done() // self._size}%: {self._counts()}", sys.stderr)
        else:
            self._bar.pos = self._done()  # steps would count twice after Ctrl-C while shown
            self._bar.update(0)

    def _done(self) -> int:
        """The shares that are done, of parts that have ended and of those under way."""
        return int(sum(share for _, share in self._reached.values()))

    def _counts(self) -> str:
        rows, done = sum(rows for rows, _ in self._reached.values()), self._done()
        spent = max(self.seconds(), 0.001)
        count = self._workers()
        workers = counted(count, "worker") if count else "no workers"
        left = f", about {spent * (self._size - done) / done:,.0f} s left" if done else ""
        return f"{rows:,} {self._unit}, {rows / spent:,.0f} {self._unit}/s, {workers}{left}"
