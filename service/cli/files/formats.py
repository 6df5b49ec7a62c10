"""Files of tables: their formats, and how they are read, and written completely or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa

from service.batch.plain import plain_batch, plain_schema
from service.cli.command import CommandError
from service.cli.files import readers, writers
from service.cli.files.locations import Location, command_errors
from service.cli.files.readers import DataTable
from service.cli.files.writers import TableWriter, Writing


@dataclass(frozen=True)
class Format:
    """A file format: its name, how to read some rows at a time, and how to write them.

    `lists` says whether a column can hold lists.
    """

    name: str
    read: Callable[..., DataTable]
    writing: Writing
    lists: bool = True


_ARROW = Format("an Arrow file", readers.read_arrow_file, writers.ARROW_FILE)
_NDJSON = Format("NDJSON", readers.read_ndjson, writers.NDJSON)

FORMATS = {
    ".csv": Format("CSV", readers.read_csv, writers.CSV, lists=False),
    ".tsv": Format("TSV", readers.read_csv, writers.TSV, lists=False),
    ".ndjson": _NDJSON,
    ".jsonl": _NDJSON,
    ".parquet": Format("Parquet", readers.read_parquet, writers.PARQUET),
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".arrows": Format("an Arrow stream", readers.read_arrow_stream, writers.ARROW_STREAM),
}
"""The formats by file extension."""

_COMPRESSED = {".bz2", ".gz", ".xz", ".zip", ".zst"}
"""Extensions of files that another program must unpack."""


def format_of(path: str, remedy: str = "") -> Format:
    """The format of `path` by its extension. Raises `CommandError` for an unknown one, with what
    else is a `remedy`.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix in _COMPRESSED:
        raise CommandError(
            f"{path} is compressed, which is neither read nor written: unpack it, or use Parquet, "
            "which compresses by itself"
        )
    if suffix not in FORMATS:
        known = " ".join(FORMATS)
        raise CommandError(f"the extension of {path} must be one of {known}{remedy}")
    return FORMATS[suffix]


def open_table(source: Location, rows: int, *, mapped: bool = False, **some: Any) -> DataTable:
    """Opens a table, which is read about `rows` rows at a time, or `some` of it (see
    `read_parquet`). An Arrow file may be `mapped` (see `Location.open`).

    Raises `CommandError`, also while it is read, if the file isn't what its name says.
    """
    form = format_of(source.shown)
    if mapped and form is _ARROW:
        some["mapped"] = True
    what = f"{source.shown} can't be read as {form.name}"

    def batches() -> Iterator[pa.RecordBatch]:
        with command_errors(what, parsing=source.local):
            for batch in table.batches:
                yield batch if schema is table.schema else plain_batch(batch, schema)

    with command_errors(what, parsing=source.local):
        table = form.read(source, rows, **some)
        names = Counter(table.schema.names)
        schema = plain_schema(table.schema)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise CommandError(f"{source.shown} has two columns {twice[0]!r}")
    return replace(table, schema=schema, batches=batches())


@contextmanager
def new_table(
    path: str, carried: pa.Schema, answer: pa.Schema
) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """Yields a function that writes rows to a file on this machine, which appears, or is replaced,
    only at the end.

    The rows go to a temporary file beside it, which is removed after an error. Raises
    `CommandError` if the file can't be written, or not in that format.
    """
    form = format_of(path)
    with command_errors(f"{path} can't be written as {form.name}"):
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise CommandError(f"{path} is not a file")
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        part = target.with_name(f".{secrets.token_hex(8)}.part")
        file = part.open("xb")
        try:
            with TableWriter(form.writing, file, carried, answer) as writer:
                yield writer.write
            file.flush()
            os.fsync(file.fileno())
            if mode is not None:
                part.chmod(mode)
            part.replace(target)
        finally:
            with suppress(OSError):
                file.close()
            part.unlink(missing_ok=True)
