"""What a run does: the parts that its inputs are scored in, and the rules that it scores by."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from glob import escape
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from pyarrow.fs import FileInfo

from service.batch.record_batches.scorer import BadRowPolicy
from service.cli.command_error import CommandError
from service.cli.parts.places import Place, split_options
from service.cli.score.files import command_errors, format_of

_PART_BYTES = 256 << 20
"""A Parquet file with more bytes than this is split, too."""

_FOOTERS = 16
"""How many footers of Parquet files to read at a time."""


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
        """Its fields, as JSON has them."""
        return {**asdict(self), "row_groups": self.row_groups and list(self.row_groups)}


def source_of(text: str) -> tuple[Place, str]:
    """The folder that a source names, and the pattern of the files in it, `` for all of them.

    In a URI, options of the file system may follow, such as `?region=eu-west-1`.
    """
    path, options = split_options(text)
    steps = path.split("/")
    glob = not os.path.exists(path)  # a name on this machine may have brackets
    fixed = next(
        (at for at, step in enumerate(steps) if glob and set(step) & set("*?[")), len(steps)
    )
    folder, pattern = "/".join(steps[:fixed]), "/".join(steps[fixed:])
    if pattern:
        return place_of((folder or ("/" if fixed else ".")) + options), pattern
    place = place_of(text)
    with command_errors(f"{text} can't be read"):
        if place.system.get_file_info(place.path).is_file:
            folder, _, name = path.rpartition("/")
            return place_of((folder or ("/" if fixed > 1 else ".")) + options), escape(name)
    return place, ""


def named(source: Place, pattern: str) -> str:
    """What `source_of` found, in the same words wherever the command is typed."""
    folder = source.shown if "://" in source.shown else source.path
    return f"{folder}/{pattern}" if pattern else folder


def place_of(text: str) -> Place:
    """The place that `text` names. Raises `CommandError` for a URI that no file system knows."""
    if not text:
        raise CommandError("the name of a folder is empty")
    with command_errors(f"{text} can't be used"):
        try:
            return Place.of(text)
        except ValueError as error:
            raise CommandError(f"{text} can't be used: {error}") from None


def parts_of(source: Place, pattern: str, part_rows: int) -> list[FilePart]:
    """All parts of the files below `source`, in the order of their names.

    Names that begin with a dot or an underscore are left out. Raises `CommandError` if there are no
    files, or one of an unknown format.
    """
    with command_errors(f"{source.shown} can't be read"):
        if not source.exists():
            raise CommandError(f"{source.shown} is missing")
        found = {
            name: file for name, file in sorted(source.files().items()) if _wanted(name, pattern)
        }
    if not found:
        raise CommandError(f"{source.shown} has no files{pattern and f' like {pattern}'}")
    for name in found:
        format_of(PurePosixPath(name))

    def parts(name: str) -> list[FilePart]:
        return [*_parts(source / name, name, found[name], part_rows)]

    with ThreadPoolExecutor(_FOOTERS) as readers:
        return [part for each in readers.map(parts, found) for part in each]


def _wanted(name: str, pattern: str) -> bool:
    steps, wanted = name.split("/"), pattern.split("/")
    if any(step[0] in "._" for step in steps):
        return False
    return not pattern or (
        len(steps) == len(wanted)
        and all(fnmatchcase(step, like) for step, like in zip(steps, wanted, strict=True))
    )


def _parts(file: Place, name: str, info: FileInfo, part_rows: int) -> Iterator[FilePart]:
    whole = FilePart(name, name, info.size, info.mtime_ns, share=info.size)
    if PurePosixPath(name).suffix.lower() != ".parquet":
        yield whole
        return
    try:
        with file.system.open_input_file(file.path) as opened:
            footer = pyarrow.parquet.read_metadata(opened)
    except (OSError, pa.ArrowException):
        yield whole  # whose task says why, after the other parts are whole
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
            info.mtime_ns,
            groups,
            first_row,
            share,
        )
        first_row += rows


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
