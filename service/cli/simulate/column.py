"""Counts the values of a column of whole numbers, in files of any format."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

import numpy as np
import pyarrow as pa
import pyarrow.compute

from service.cli.command_error import CommandError
from service.cli.files.formats import command_errors, format_of, read_table
from service.cli.files.places import Place, StoredFile
from service.cli.files.sources import files_of, source_of
from service.cli.files.table_readers import DataTable
from service.cli.parts.output import RUN, SUCCESS
from service.cli.simulate.summary import MAX_VALUES
from service.cli.terminal import say

_ROWS = 1 << 17
"""How many rows to read at a time."""


def counted(source: str, column: str) -> tuple[Counter[int], int]:
    """How often each value occurs in `column`, and how many rows have none.

    Raises `CommandError` if that can't be found out.
    """
    counts: Counter[int] = Counter()
    empty = 0
    for shown, values in _columns(source, column):
        empty += values.null_count
        numbers, often = np.unique(values.drop_null().to_numpy(), return_counts=True)
        counts.update(dict(zip(numbers.tolist(), often.tolist(), strict=True)))
        if len(counts) > MAX_VALUES:
            raise CommandError(f"{shown} has more than {MAX_VALUES:,} different values in {column}")
    return counts, empty


def _columns(source: str, column: str) -> Iterator[tuple[str, pa.Array]]:
    """The values, in pieces, each with the name of its file."""
    place, pattern = source_of(source)
    _warn_of_missing_parts(place)
    for name in files_of(place, pattern):
        file = place / name
        table = _table(file)
        if column not in table.schema.names:
            has = ", ".join(table.schema.names)
            raise CommandError(f"{file.shown} has no column {column}; it has {has}")
        for batch in table.batches:
            with command_errors(f"the column {column} of {file.shown} must hold whole numbers"):
                yield file.shown, pyarrow.compute.cast(batch.column(column), pa.int64())


def _warn_of_missing_parts(place: Place) -> None:
    """Says so if a run of these commands hasn't made all parts of the folder yet."""
    with command_errors(f"{place.shown} can't be read"):
        begun, ended = ((place / name).exists() for name in (RUN, SUCCESS))
    if begun and not ended:
        say(f"{place.shown} isn't complete: parts of it are missing.", sys.stderr)


def _table(file: Place) -> DataTable:
    form = format_of(PurePosixPath(file.path))
    stored = StoredFile(file.system, file.path)
    return read_table(stored, file.shown, form.name, lambda opened: form.read(opened, _ROWS))
