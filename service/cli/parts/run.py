"""Makes the parts of an output that are missing: each is a task of a Dask cluster."""

from __future__ import annotations

import secrets
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from queue import Empty, SimpleQueue
from typing import NamedTuple

from distributed import Client, Future, get_worker
from distributed.client import ClosedClientError, FutureCancelledError
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from service.cli.command_error import CommandError, NoScheduler, TryAgain
from service.cli.files.formats import command_errors
from service.cli.parts.cluster import connected
from service.cli.parts.output import Note, Output
from service.cli.parts.part import Done, Listed, PartT, Summary, Task
from service.cli.parts.progress import TICK, Progress
from service.cli.parts.wrong import Wrong


def make_parts(
    output: Output,
    parts: Sequence[PartT],
    task: Task[PartT],
    listed: Callable[[Iterable[Done[PartT]]], Iterable[Listed]],
    *,
    workers: int,
    scheduler: str | None,
    unit: str = "rows",
    check: Callable[[Mapping[str, Note]], None] | None = None,
) -> Summary:
    """Makes the `parts` of the folder that aren't there, then its manifest.

    `listed` says what the manifest has of the parts, in its order. Before anything is made or
    removed, `check` gets what is noted of the parts that are there, and may raise a `CommandError`.
    That is planned twice: other runs may write the folder until a cluster has started.

    Raises `CommandError` with the lines of what can't be made, after the other parts are whole;
    `TryAgain` if all of it may pass.
    """
    shown = output.place.shown

    def plan() -> tuple[Mapping[str, Note], list[Done[PartT]], list[PartT]]:
        """What is noted, the parts that are whole, and those that are missing."""
        with command_errors(f"{shown} can't be read"):
            notes = output.notes()
        if check:
            check(notes)
        kept = output.kept(parts, notes)
        there = {each.part for each in kept}
        return notes, kept, [part for part in parts if part not in there]

    def begin() -> None:
        with command_errors(f"{shown} can't be written"):
            output.begin(kept, notes, complete=not missing)

    notes, kept, missing = plan()
    seconds = 0.0
    wrong = Wrong()
    if not missing:
        begin()
        done = [*kept]
    else:
        with _lost_scheduler(), connected(min(workers, len(missing)), scheduler) as client:
            notes, kept, missing = plan()
            begin()
            done = [*kept]
            size = sum(part.share for part in missing)
            with Progress(size, lambda: _workers(client), unit) as progress:
                for part, result in _results(client, task, missing, progress):
                    if isinstance(result, Done):
                        done.append(result)
                        progress.ended(part.name, result.rows, part.share)
                    else:
                        wrong.add(part.name, result)
                        progress.ended(part.name, 0, part.share)
                seconds = progress.seconds()
    if wrong:
        whole = f"{len(done)} of {len(parts)} parts are whole, in {shown}"
        lines = wrong.lines(part.name for part in parts)
        raise wrong.kind(*lines, f"{whole}; the same command goes on from there")
    with command_errors(f"{shown} can't be written"):
        output.finish(done, listed(done))
    return Summary(
        len(parts),
        len(kept),
        sum(each.rows for each in done),
        sum(each.bad for each in done),
        seconds,
    )


class _Reached(NamedTuple):
    """How far a worker is with a part: its rows, and the fraction of its work."""

    name: str
    rows: int
    fraction: float


def _results(
    client: Client, task: Task[PartT], parts: Sequence[PartT], progress: Progress
) -> Iterator[tuple[PartT, Done[PartT] | CommandError]]:
    """Each part and what became of it, as they end.

    Results aren't left on the workers: Dask would make a part again if the worker died that has it.
    """
    news: SimpleQueue[Future | _Reached] = SimpleQueue()
    topic = f"dice-scoring-{secrets.token_hex(8)}"
    client.subscribe_topic(topic, lambda event: news.put(_Reached(*event[1])))
    made = partial(_made, task, topic)
    futures = client.map(made, parts, pure=False, batch_size=1000, retries=0)
    by_key = {future.key: part for future, part in zip(futures, parts, strict=True)}
    under_way = {part.name: part.share for part in parts}
    for future in futures:
        future.add_done_callback(news.put)
    while by_key:
        try:
            new = news.get(timeout=TICK)
        except Empty:
            progress.tick()
            if client.status in ("closing", "closed"):
                raise CommClosedError from None
            continue
        if isinstance(new, _Reached):
            if new.name in under_way:
                progress.reached(new.name, new.rows, new.fraction * under_way[new.name])
        elif new.status == "cancelled":
            raise CommClosedError
        elif new.status not in ("finished", "error"):
            # Lost: its worker has died since it was made. A callback would come at once, again and
            # again, until it is made anew.
            client.loop.add_callback(client.loop.call_later, TICK, news.put, new)
        else:
            part = by_key.pop(new.key)
            del under_way[part.name]
            failed = new.status == "error"
            result = _died(part.name, new.exception()) if failed else new.result()
            new.release()
            yield part, result
        progress.tick()


def _died(name: str, error: BaseException | None) -> CommandError:
    """Why the cluster couldn't make a part."""
    what = f"{name} can't be made: "
    if isinstance(error, KilledWorker):
        count = error.allowed_failures + 1
        workers = "1 worker" if count == 1 else f"{count} workers"
        return TryAgain(f"{what}{workers} died that worked on it, so it may need more memory")
    return CommandError(f"{what}{error!r}")


def _made(task: Task[PartT], topic: str, part: PartT) -> Done[PartT] | CommandError:
    """Makes a part on a worker, and reports how far it is about every `TICK` seconds."""
    worker = get_worker()
    said = time.monotonic()

    def report(rows: int, fraction: float) -> None:
        nonlocal said
        if time.monotonic() - said >= TICK:
            said = time.monotonic()
            worker.log_event(topic, _Reached(part.name, rows, fraction))

    return task(part, report)


@contextmanager
def _lost_scheduler() -> Iterator[None]:
    """Says that the scheduler is gone, however Dask notices."""
    try:
        yield
    except (
        CancelledError,
        ClosedClientError,
        CommClosedError,
        FutureCancelledError,
        TimeoutError,
    ):
        said = "the scheduler is gone; whole parts are kept, and the same command goes on"
        raise NoScheduler(said) from None


def _workers(client: Client) -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])
