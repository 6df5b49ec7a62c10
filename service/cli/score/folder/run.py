"""Scores a folder in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from service.cli.command_error import CommandError
from service.cli.files.sources import is_deep
from service.cli.parts.output import check_names, folders_of
from service.cli.parts.part import Done, Listed, Summary
from service.cli.parts.run import make_parts
from service.cli.score.folder.plan import FilePart, parts_of
from service.cli.score.folder.task import Job, score_part


def score_folder(job: Job, pattern: str, *, workers: int, scheduler: str | None) -> Summary:
    """Scores all files of a folder that match `pattern`, those that aren't scored yet.

    Raises `CommandError` naming every part that can't be scored, after the others are whole.
    """
    source, target, rules = job.source, job.output.place, job.rules
    parts = parts_of(source, pattern, rules.part_rows)
    if source.system.equals(target.system):
        reading, writing = source.real(), target.real()
        deep = is_deep(pattern)
        if deep and f"{writing}/".startswith(f"{reading}/"):
            raise CommandError(f"{target.shown} must not lie in {source.shown}, which is read")
        if any(f"{reading}/{part.input}".startswith(f"{writing}/") for part in parts):
            raise CommandError(f"{source.shown} must not lie in {target.shown}, which is written")
        for folder in {each for part in parts for each in folders_of(part.input)}:
            linked = (source / folder).real()
            if deep and f"{writing}/".startswith(f"{linked}/"):
                raise CommandError(
                    f"{target.shown} must not lie in {source.shown}/{folder}, which is read"
                )
            if f"{linked}/".startswith(f"{writing}/"):
                raise CommandError(
                    f"{source.shown}/{folder} must not lie in {target.shown}, which is written"
                )
    dropped = rules.bad_rows == "drop"

    def listed(done: Iterable[Done[FilePart]]) -> Iterator[Listed]:
        for each in sorted(done, key=lambda each: each.part.name):
            yield {
                "part": each.part.name,
                "input": each.part.input,
                "rows_read": each.rows,
                "bad_rows": each.bad,
                "rows": each.rows - (each.bad if dropped else 0),
            }

    check_names(part.name for part in parts)
    return make_parts(
        job.output,
        parts,
        partial(score_part, job),
        listed,
        workers=workers,
        scheduler=scheduler,
    )
