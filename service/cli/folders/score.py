"""Scores a folder: its files are parts, or the row groups of a large Parquet file are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import IO, Any

import orjson
import pyarrow as pa
import pyarrow.parquet

from service.batch.outcomes import table_game
from service.batch.record_batches import BadRowPolicy
from service.cli.command import CommandError
from service.cli.files.formats import format_of, open_table
from service.cli.files.locations import Location, State, command_errors
from service.cli.files.sources import files_of, is_deep, named, source_of
from service.cli.folders.cluster import check_worker, rules_of
from service.cli.folders.output import FINGERPRINT, Note, Output, Part, check_names, folders_of
from service.cli.folders.run import Summary, make_parts
from service.cli.score_file import Report, steady, table_scorer, write_scores
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant

_PART_BYTES = 256 << 20
"""A Parquet file with more bytes in its row groups, uncompressed, is split, too."""

_FOOTERS = 16
"""How many footers of Parquet files to read at a time."""

_END = 1 << 16
"""Bytes to read at the end of a Parquet file: most footers are shorter."""


@dataclass(frozen=True)
class Job:
    """What all parts of a run share. `rows` are held in memory at a time."""

    source: Location
    output: Output
    rows: int


@dataclass(frozen=True)
class FilePart(Part):
    """The rows of an input that one task scores: all, or those of some row groups. Its `share` is
    about how many bytes of the input it reads.

    `input` is the path of the input below its folder. `size` and `changed` (nanoseconds since 1970)
    show whether it is still the same.
    """

    input: str
    size: int
    changed: int | None
    row_groups: tuple[int, ...] | None = None
    first_row: int = 0


def score_folder(
    source: str,
    target: str,
    variant: Variant,
    house_rules: HouseRules,
    *,
    rows: int,
    bad_rows: BadRowPolicy,
    part_rows: int,
    workers: int,
    scheduler: str | None,
) -> Summary:
    """Scores the files that `source` names, those that aren't scored yet, into a folder.

    Raises `CommandError` naming every part that can't be scored, after the others are whole.
    """
    folder, pattern = source_of(source)
    rules = {
        "source": named(folder, pattern),
        **rules_of(variant, house_rules),
        "bad_rows": bad_rows,
        "part_rows": part_rows,
    }
    output = Output(Location.of(target), rules)
    parts = parts_of(folder, pattern, part_rows)
    _check_apart(folder, output.location, {part.input for part in parts}, is_deep(pattern))
    check_names(part.name for part in parts)

    def listed(part: FilePart, note: Note) -> Mapping[str, Any]:
        return {
            "part": part.name,
            "input": part.input,
            "rows_read": note.rows,
            "bad_rows": note.bad_rows,
            "rows": note.rows - (note.bad_rows if bad_rows == "drop" else 0),
        }

    return make_parts(
        output,
        sorted(parts, key=lambda part: part.name),
        partial(score_part, Job(folder, output, rows)),
        listed,
        workers=workers,
        scheduler=scheduler,
    )


def _check_apart(source: Location, target: Location, inputs: set[str], deep: bool) -> None:
    """Raises `CommandError` if a run would read what it writes, or the next one would; `deep` says
    that all folders within are read.
    """
    if not source.system.equals(target.system):
        return
    writing = target.real()
    folders = {folder for name in inputs for folder in folders_of(name)}
    for folder in ["", *sorted(folders)]:
        location = source / folder if folder else source
        if deep and f"{writing}/".startswith(f"{location.real()}/"):
            raise CommandError(f"{target.shown} must not lie in {location.shown}, which is read")
        if f"{location.real()}/".startswith(f"{writing}/"):
            raise CommandError(f"{location.shown} must not lie in {target.shown}, which is written")


def parts_of(source: Location, pattern: str, part_rows: int) -> list[FilePart]:
    """All parts of the files below `source`, in the order of their names.

    Raises `CommandError` if there are no files, or one of an unknown format or that can't be read.
    """
    found = files_of(source, pattern)

    def parts(name: str) -> list[FilePart]:
        state = source.state(found[name])
        assert state
        return [*_parts(source / name, name, state, part_rows)]

    with ThreadPoolExecutor(_FOOTERS) as readers:
        return [part for each in readers.map(parts, found) for part in each]


def _parts(file: Location, name: str, state: State, part_rows: int) -> Iterator[FilePart]:
    """The parts of a file. Raises `CommandError` if it can't be read: if it were planned as one
    part for once, those that are whole would be removed.
    """
    size = state[0]
    whole = FilePart(name, size, name, *state)
    if not name.lower().endswith(".parquet"):
        yield whole
        return
    with command_errors(f"{file.shown} can't be read"):
        end = _end(file)
    try:
        footer = pyarrow.parquet.read_metadata(pa.BufferReader(end))
    except (OSError, pa.ArrowException):
        yield whole  # it isn't Parquet: its task says so, after the other parts are whole
        return
    groups = [footer.row_group(at) for at in range(footer.num_row_groups)]
    counts = [(group.num_rows, group.total_byte_size) for group in groups]
    chunks = [*_chunks(counts, part_rows)]
    if len(chunks) < 2:
        yield whole
        return
    first_row = 0
    for number, chunk in enumerate(chunks):
        rows = sum(counts[group][0] for group in chunk)
        share = size * rows // max(footer.num_rows, 1)
        part = f"{name}/part-{number:05}.parquet"
        yield FilePart(part, share, name, *state, chunk, first_row)
        first_row += rows


def _end(file: Location) -> bytes:
    """The end of a Parquet file, with its footer; of other files, some bytes."""
    with file.system.open_input_file(file.path) as opened:
        size = opened.size()
        end: bytes = opened.read_at(min(size, _END), max(size - _END, 0))
        length = int.from_bytes(end[-8:-4], "little") + 8
        if end[-4:] == b"PAR1" and len(end) < length <= size:
            end = opened.read_at(length, size - length)
    return end


def _chunks(counts: list[tuple[int, int]], part_rows: int) -> Iterator[tuple[int, ...]]:
    """Runs of row groups with at most `part_rows` rows and `_PART_BYTES` each, if possible."""
    chunk: list[int] = []
    rows = size = 0
    for group, (more, bigger) in enumerate(counts):
        if chunk and (rows + more > part_rows or size + bigger > _PART_BYTES):
            yield tuple(chunk)
            chunk, rows, size = [], 0, 0
        chunk.append(group)
        rows, size = rows + more, size + bigger
    if chunk:
        yield tuple(chunk)


def score_part(job: Job, part: FilePart, report: Report) -> Note:
    """Scores a part on a worker, and returns what is noted of it. Raises `CommandError` if it can't
    be scored.
    """
    source, output, rules = job.source / part.input, job.output, job.output.rules
    gone = (
        f"a worker doesn't find {source.shown}: has it been removed? It must be at the same path "
        "on every machine"
    )
    with steady(source, (part.size, part.changed), "since the run began", gone) as check:
        check()
        check_worker(rules)
        variant, house_rules = table_game(rules["variant"], rules["house_rules"])
        form, first = format_of(part.name), part.first_row
        some = {} if part.row_groups is None else {"row_groups": part.row_groups}
        table = open_table(source, job.rows, mapped=True, **some)
        scorer = table_scorer(table, source, form, variant, house_rules, rules["bad_rows"])
        if first and scorer.settling:
            before = open_table(source, job.rows, columns=scorer.settling)
            any(map(scorer.settle, before.batches))
        metadata = {FINGERPRINT: orjson.dumps({**rules, **part.as_json()})}

        def write(file: IO[bytes]) -> tuple[int, int]:
            seen = write_scores(
                file, form, table, scorer, source, report, before=first, metadata=metadata
            )
            check()  # before the part is whole
            return seen, scorer.bad

        shown = f"{output.location.shown}/{part.name}"
        with command_errors(f"{shown} can't be written as {form.name}"):
            return output.make(part, write)
