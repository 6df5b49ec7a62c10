"""What a worker does: scores one part."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import IO

import orjson

from service.batch.kinds.registry import table_game
from service.batch.record_batches.dice_columns import WrongColumns
from service.batch.record_batches.of_variant import columns_of, scorer_of
from service.batch.record_batches.scorer import BadRows
from service.cli.command_error import CommandError
from service.cli.files.formats import command_errors, format_of, read_table, rows_to
from service.cli.files.places import File, Place, StoredFile
from service.cli.files.table_readers import DataTable, read_parquet
from service.cli.parts.output import FINGERPRINT, Output
from service.cli.parts.part import Done, Report
from service.cli.parts.same_game import check_worker
from service.cli.score.folder.plan import FilePart, Rules
from service.cli.score.score_file import bad_lines


@dataclass(frozen=True)
class Job:
    """What all parts of a run share. `rows` are held in memory at a time."""

    source: Place
    target: Place
    rules: Rules
    rows: int


def score_part(job: Job, part: FilePart, report: Report) -> Done[FilePart] | list[str]:
    """Scores a part, and returns that it is whole, or the lines of what is wrong with it."""
    try:
        return _score(job, part, report)
    except CommandError as error:
        return [*error.lines]


def _score(job: Job, part: FilePart, report: Report) -> Done[FilePart]:
    """Scores a part. Raises `CommandError` if it can't."""
    rules, source, target = job.rules, job.source / part.input, job.target / part.name
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
    try:
        columns = columns_of(variant) if table.empty else table.schema
        scorer = scorer_of(variant, house_rules, columns, lists=form.lists, bad_rows=rules.bad_rows)
    except WrongColumns as error:
        raise CommandError(f"{source.shown} can't be scored: {error}") from None
    if part.first_row:
        before = read_table(
            StoredFile(source.system, source.path),
            source.shown,
            form.name,
            lambda file: form.read(file, job.rows),
        )
        any(scorer.settle(batch) for batch in before.batches)
    carried = scorer.carried.with_metadata(
        {FINGERPRINT: orjson.dumps({**asdict(rules), **part.as_json()})}
    )
    what = f"{target.shown} can't be written as {form.name}"

    def write(file: IO[bytes]) -> tuple[int, int]:
        seen = 0
        with rows_to(form, file, carried, scorer.answer, what) as add:
            for batch in table.batches:
                if len(batch):
                    seen += len(batch)
                    add(scorer.score(batch))
                    report(seen, table.part())
        _check_unchanged(source, part)
        return seen, scorer.bad

    try:
        with command_errors(what):
            return Output(job.target).make(part, write)
    except BadRows as bad:
        raise CommandError(*bad_lines(bad, source.shown, before=part.first_row)) from None


def _check_unchanged(source: Place, part: FilePart) -> None:
    """Raises `CommandError` if the input isn't the one that the run was planned with."""
    with command_errors(f"{source.shown} can't be read"):
        found = source.system.get_file_info(source.path)
    if (found.size, found.mtime_ns) != (part.size, part.changed):
        raise CommandError(f"{source.shown} has changed since the run began")


def _read(file: File, part: FilePart, rows: int) -> DataTable:
    if part.row_groups is not None:
        return read_parquet(file, rows, part.row_groups)
    return format_of(PurePosixPath(part.name)).read(file, rows)
