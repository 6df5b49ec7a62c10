"""What a run does: the parts that its inputs are scored in, and the rules that it scores by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from pyarrow.fs import FileInfo

from service.batch.record_batches.scorer import BadRowPolicy
from service.cli.files.formats import command_errors
from service.cli.files.places import Place
from service.cli.files.sources import files_of

_PART_BYTES = 256 << 20
"""A Parquet file with more bytes in its row groups, uncompressed, is split, too."""

_FOOTERS = 16
"""How many footers of Parquet files to read at a time."""

_END = 1 << 16
"""Bytes to read at the end of a Parquet file: most footers are shorter."""


@dataclass(frozen=True)
class Rules:
    """What decides the answers: all parts of an output have the same.

    `source` is the folder, with the pattern of its files. `game` is the digest of the variant's
    description.
    """

    source: str
    variant: str
    game: str
    house_rules: Mapping[str, Any]
    bad_rows: BadRowPolicy
    part_rows: int
    version: str


@dataclass(frozen=True)
class FilePart:
    """The rows of an input that one task scores: all, or those of some row groups.

    `input` and `name` are the paths of the input and of the part below their folders. `size` and
    `changed` (nanoseconds since 1970) show whether the input is still the same.
    """

    name: str
    input: str
    size: int
    changed: int | None
    row_groups: tuple[int, ...] | None = None
    first_row: int = 0
    share: int = 0
    """About how many bytes of the input it reads, for the progress."""

    def as_json(self) -> dict[str, Any]:
        """Its fields, as JSON has them, without its share, which only the progress needs."""
        fields = {**asdict(self), "row_groups": self.row_groups and list(self.row_groups)}
        del fields["share"]
        return fields


def parts_of(source: Place, pattern: str, part_rows: int) -> list[FilePart]:
    """All parts of the files below `source`, in the order of their names.

    Raises `CommandError` if there are no files, or one of an unknown format or that can't be read.
    """
    found = files_of(source, pattern)

    def parts(name: str) -> list[FilePart]:
        return [*_parts(source / name, name, found[name], part_rows)]

    with ThreadPoolExecutor(_FOOTERS) as readers:
        return [part for each in readers.map(parts, found) for part in each]


def _parts(file: Place, name: str, info: FileInfo, part_rows: int) -> Iterator[FilePart]:
    """The parts of a file. Raises `CommandError` if it can't be read: if it were planned as one
    part for once, those that are whole would be removed.
    """
    whole = FilePart(name, name, info.size, file.changed(info), share=info.size)
    if PurePosixPath(name).suffix.lower() != ".parquet":
        yield whole
        return
    with command_errors(f"{file.shown} can't be read"):
        end = _end(file)
    try:
        footer = pyarrow.parquet.read_metadata(pa.BufferReader(end))
    except (OSError, pa.ArrowException):
        yield whole  # it isn't Parquet: its task says so, after the other parts are whole
        return
    sizes = [footer.row_group(at) for at in range(footer.num_row_groups)]
    counts = [(group.num_rows, group.total_byte_size) for group in sizes]
    chunks = [*_chunks(counts, part_rows)]
    if len(chunks) < 2:
        yield whole
        return
    first_row = 0
    for number, groups in enumerate(chunks):
        rows = sum(counts[group][0] for group in groups)
        share = info.size * rows // max(footer.num_rows, 1)
        yield FilePart(
            f"{name}/part-{number:05}.parquet",
            name,
            info.size,
            whole.changed,
            groups,
            first_row,
            share,
        )
        first_row += rows


def _end(file: Place) -> bytes:
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
