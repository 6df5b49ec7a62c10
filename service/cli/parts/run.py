"""Makes the parts of an output that are missing: each is a task of a Dask cluster."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

from distributed import Client, Future
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError

from service.cli.command_error import CommandError
from service.cli.parts.cluster import connected
from service.cli.parts.output import Output
from service.cli.parts.part import Done, Listed, PartT, Summary
from service.cli.parts.places import Place
from service.cli.parts.progress import TICK, Progress
from service.cli.score.files import command_errors


def make_parts(
    target: Place,
    rules: Mapping[str, Any],
    parts: Sequence[PartT],
    task: Callable[[PartT], Done[PartT] | list[str]],
    listed: Callable[[Iterable[Done[PartT]]], Iterable[Listed]],
    *,
    workers: int,
    scheduler: str | None,
    unit: str = "rows",
) -> Summary:
    """Makes the `parts` of the folder `target` that aren't there, then its manifest.

    On a worker, `task` makes a part; it returns lines for the user if it can't. `rules` decide what
    all parts hold, and `listed` says what the manifest has of them, in its order.

    Raises `CommandError` with those lines, after the other parts are whole.
    """
    output = Output(target)
    with command_errors(f"{target.shown} can't be written"):
        output.begin(rules)
        kept = output.kept(parts)
        there = {each.part for each in kept}
        missing = [part for part in parts if part not in there]
        done, seconds = [*kept], 0.0
        if missing:
            wrong: list[str] = []
            with (
                _lost_scheduler(),
                connected(min(workers, len(missing)), scheduler) as client,
            ):
                size = sum(part.share for part in missing)
                with Progress(size, lambda: _workers(client), unit) as progress:
                    for part, result in _results(client, task, missing, progress):
                        if isinstance(result, Done):
                            done.append(result)
                            progress.add(result.rows, part.share)
                        else:
                            wrong += result
                    seconds = progress.seconds()
            if wrong:
                whole = f"{len(done)} of {len(parts)} parts are whole, in {target.shown}"
                raise CommandError(*wrong, f"{whole}; the same command goes on from there")
        output.finish(rules, listed(done))
    return Summary(
        len(parts),
        len(kept),
        sum(each.rows for each in done),
        sum(each.bad for each in done),
        seconds,
    )


def _results(
    client: Client,
    task: Callable[[PartT], Done[PartT] | list[str]],
    parts: Sequence[PartT],
    progress: Progress,
) -> Iterator[tuple[PartT, Done[PartT] | list[str]]]:
    """Each part and what became of it, as they end."""
    ended: SimpleQueue[Future] = SimpleQueue()
    futures = client.map(task, parts, pure=False, batch_size=1000, retries=0)
    by_key = {future.key: part for future, part in zip(futures, parts, strict=True)}
    for future in futures:
        future.add_done_callback(ended.put)
    while by_key:
        try:
            future = ended.get(timeout=TICK)
        except Empty:
            progress.tick()
            if client.status in ("closing", "closed"):
                raise CommClosedError from None
            continue
        if future.status == "cancelled":
            raise CommClosedError
        part = by_key.pop(future.key)
        if future.status == "error":
            yield part, [f"{part.name} can't be made: {future.exception()!r}"]
        else:
            yield part, future.result()
        progress.tick()


@contextmanager
def _lost_scheduler() -> Iterator[None]:
    """Says that the scheduler is gone, however Dask notices."""
    try:
        yield
    except (CommClosedError, CancelledError, FutureCancelledError):
        said = "the scheduler is gone; whole parts are kept, and the same command goes on"
        raise CommandError(said) from None


def _workers(client: Client) -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])
