"""Scores a folder: each part is a task of a Dask cluster."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from distributed import Client, Future
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError

from service.cli.command_error import CommandError
from service.cli.score.files import command_errors
from service.cli.score.folder.cluster import connected
from service.cli.score.folder.output import Done, Output
from service.cli.score.folder.plan import Part, parts_of
from service.cli.score.folder.progress import TICK, Progress
from service.cli.score.folder.task import Job, score_part


@dataclass(frozen=True)
class Summary:
    """What a run did: the parts in all, how many of them were there before, rows, and time."""

    parts: int
    kept: int
    rows: int
    bad: int
    seconds: float


def score_folder(job: Job, pattern: str, *, workers: int, scheduler: str | None) -> Summary:
    """Scores all files of a folder that match `pattern`, those that aren't scored yet.

    Raises `CommandError` naming every part that can't be scored, after the others are whole.
    """
    source, target = job.source, job.target
    if source.system.equals(target.system) and f"{target.path}/".startswith(f"{source.path}/"):
        raise CommandError(f"{target.shown} must not lie in {source.shown}, which is read")
    parts = parts_of(source, pattern, job.rules.part_rows)
    output = Output(target)
    with command_errors(f"{target.shown} can't be written"):
        output.begin(job.rules)
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
                with Progress(size, lambda: _workers(client)) as progress:
                    for part, result in _results(client, job, missing, progress):
                        if isinstance(result, Done):
                            done.append(result)
                            progress.add(result.rows, part.share)
                        else:
                            wrong += result
                    seconds = progress.seconds()
            if wrong:
                whole = f"{len(done)} of {len(parts)} parts are whole, in {target.shown}"
                raise CommandError(*wrong, f"{whole}; the same command goes on from there")
        output.finish(job.rules, done)
    return Summary(
        len(parts),
        len(kept),
        sum(each.rows for each in done),
        sum(each.bad for each in done),
        seconds,
    )


def _results(
    client: Client, job: Job, parts: Sequence[Part], progress: Progress
) -> Iterator[tuple[Part, Done | list[str]]]:
    """Each part and what became of it, as they end."""
    ended: SimpleQueue[Future] = SimpleQueue()
    futures = client.map(
        score_part, [job] * len(parts), parts, pure=False, batch_size=1000, retries=0
    )
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
            failed = f"{job.source.shown}/{part.input} can't be scored: {future.exception()!r}"
            yield part, [failed]
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
