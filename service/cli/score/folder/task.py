"""What a worker does: scores one part."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import IO

import orjson
from pyarrow.fs import FileType

from service.batch.kinds import table_game
from service.cli.command_error import CommandError, TryAgain
from service.cli.files.formats import command_errors, format_of, read_table, rows_to
from service.cli.files.places import File, Place, StoredFile
from service.cli.files.table_readers import DataTable, read_parquet
from service.cli.parts.output import FINGERPRINT, Output
from service.cli.parts.part import Done, Report
from service.cli.parts.same_game import check_worker
from service.cli.score.folder.plan import FilePart, Rules
from service.cli.score.score_file import answers, table_scorer


@dataclass(frozen=True)
class Job:
    """What all parts of a run share. `rows` are held in memory at a time."""

    source: Place
    output: Output
    rules: Rules
    rows: int


def score_part(job: Job, part: FilePart, report: Report) -> Done[FilePart] | CommandError:
    """Scores a part, and returns that it is whole, or the error. While a file changes, anything may
    seem to be wrong with it, so then that is the error.
    """
    try:
        return _score(job, part, report)
    except CommandError as error:
        try:
            _check_unchanged(job.source / part.input, part)
        except TryAgain as changed:
            return changed
        except CommandError:
            pass  # it is gone, which is what the error is about
        return error


def _score(job: Job, part: FilePart, report: Report) -> Done[FilePart]:
    """Scores a part. Raises `CommandError` if it can't."""
    rules, source, target = job.rules, job.source / part.input, job.output.place / part.name
    check_worker(rules.version, rules.variant, rules.game)
    _check_unchanged(source, part)
    variant, house_rules = table_game(rules.variant, rules.house_rules)
    form = format_of(PurePosixPath(part.name))
    table = read_table(
        StoredFile(source.system, source.path),
        source.shown,
        form.name,
        lambda file: _read(file, part, job.rows),
    )
    scorer = table_scorer(table, source.shown, form, variant, house_rules, rules.bad_rows)
    if part.first_row and scorer.settling:
        before = read_table(
            StoredFile(source.system, source.path),
            source.shown,
            form.name,
            lambda file: read_parquet(file, job.rows, columns=scorer.settling),
        )
        any(map(scorer.settle, before.batches))
    carried = scorer.carried.with_metadata(
        {FINGERPRINT: orjson.dumps({**asdict(rules), **part.as_json()})}
    )
    what = f"{target.shown} can't be written as {form.name}"

    def write(file: IO[bytes]) -> tuple[int, int]:
        seen = 0
        with rows_to(form, file, carried, scorer.answer, what) as add:
            for count, scored in answers(table, source.shown, scorer, before=part.first_row):
                seen += count
                add(scored)
                report(seen, table.part())
        _check_unchanged(source, part)
        return seen, scorer.bad

    with command_errors(what):
        return job.output.make(part, write)


def _check_unchanged(source: Place, part: FilePart) -> None:
    """Raises `CommandError` if the input isn't the one that the run was planned with."""
    with command_errors(f"{source.shown} can't be read"):
        found = source.system.get_file_info(source.path)
    if found.type == FileType.NotFound:
        raise CommandError(
            f"a worker doesn't find {source.shown}: has it been removed? It must be at the same "
            "path on every machine"
        )
    if (found.size, source.changed(found)) != (part.size, part.changed):
        raise TryAgain(f"{source.shown} has changed since the run began")


def _read(file: File, part: FilePart, rows: int) -> DataTable:
    if part.row_groups is not None:
        return read_parquet(file, rows, part.row_groups)
    return format_of(PurePosixPath(part.name)).read(file, rows)
