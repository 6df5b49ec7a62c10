"""Files of tables: their formats, and how they are written completely or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import IO

import orjson
import pyarrow as pa

from service.batch.record_batches.plain import plain_batch, plain_schema
from service.cli.command_error import CommandError, TryAgain
from service.cli.files import table_readers, table_writers
from service.cli.files.places import File, LocalFile
from service.cli.files.table_readers import DataTable
from service.cli.files.table_writers import Writer


@dataclass(frozen=True)
class Format:
    """A file format: its name, how to read some rows at a time, and how to write them.

    `lists` says whether a column can hold lists.
    """

    name: str
    read: Callable[[File, int], DataTable]
    writer: Callable[[IO[bytes], pa.Schema, pa.Schema], Writer]
    lists: bool = True


_ARROW = Format("an Arrow file", table_readers.read_arrow_file, table_writers.ArrowFileWriter)
_NDJSON = Format("NDJSON", table_readers.read_ndjson, table_writers.NdjsonWriter)

FORMATS = {
    ".csv": Format("CSV", table_readers.read_csv, table_writers.CsvWriter, lists=False),
    ".tsv": Format("TSV", table_readers.read_csv, table_writers.TsvWriter, lists=False),
    ".ndjson": _NDJSON,
    ".jsonl": _NDJSON,
    ".parquet": Format("Parquet", table_readers.read_parquet, table_writers.ParquetWriter),
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".arrows": Format(
        "an Arrow stream", table_readers.read_arrow_stream, table_writers.ArrowStreamWriter
    ),
}
"""The formats by file extension."""

_LASTING = {
    errno.EACCES,
    errno.EEXIST,
    errno.EFBIG,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}
"""Errors of the system that stay until someone mends something; others, as of a disk, may pass."""


_COMPRESSED = {".bz2", ".gz", ".xz", ".zip", ".zst"}
"""Extensions of files that another program must unpack."""


def format_of(path: PurePath, remedy: str = "") -> Format:
    """The format of `path` by its extension. Raises `CommandError` for an unknown one, with what
    else is a `remedy`.
    """
    suffix = path.suffix.lower()
    if suffix in _COMPRESSED:
        raise CommandError(
            f"{path} is compressed, which is neither read nor written: unpack it, or use Parquet, "
            "which compresses by itself"
        )
    if suffix not in FORMATS:
        known = " ".join(FORMATS)
        raise CommandError(f"the extension of {path} must be one of {known}{remedy}")
    return FORMATS[suffix]


def open_table(path: Path, rows: int) -> DataTable:
    """Opens the table in `path`, which is read about `rows` rows at a time.

    Raises `CommandError`, also while it is read, for a missing file, one of another format, or one
    that changes meanwhile.
    """
    form = format_of(path)
    what = f"{path} can't be read as {form.name}"
    with command_errors(what):
        if not path.is_file():
            raise CommandError(f"{path} is {'not a file' if path.exists() else 'missing'}")
        before = _changed(path)
    table = read_table(LocalFile(path), str(path), form.name, lambda file: form.read(file, rows))

    def batches() -> Iterator[pa.RecordBatch]:
        yield from table.batches
        with command_errors(what):
            if _changed(path) != before:
                raise TryAgain(f"{path} has changed while it was read")

    return replace(table, batches=batches())


def _changed(path: Path) -> tuple[int, int]:
    """What differs once a file has changed: its bytes, and when it was changed."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def read_table(file: File, shown: str, form: str, read: Callable[[File], DataTable]) -> DataTable:
    """The table that `read` finds in `file`, which messages call `shown`.

    Raises `CommandError`, also while it is read, if the file doesn't hold what `form` names.
    """
    what = f"{shown} can't be read as {form}"

    def batches() -> Iterator[pa.RecordBatch]:
        with command_errors(what, parsing=not file.stored):
            for batch in table.batches:
                yield batch if schema is table.schema else plain_batch(batch, schema)

    with command_errors(what, parsing=not file.stored):
        table = read(file)
        names = Counter(table.schema.names)
        schema = plain_schema(table.schema)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise CommandError(f"{shown} has two columns {twice[0]!r}")
    return replace(table, schema=schema, batches=batches())


def same_file(source: Path, target: Path) -> bool:
    """Whether `target` is the file `source`. Raises `CommandError` if that can't be found out."""
    with command_errors(f"{target} can't be written"):
        return target.exists() and target.samefile(source)


@contextmanager
def new_table(
    path: Path, carried: pa.Schema, answer: pa.Schema
) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """Yields a function that writes rows; `path` appears, or is replaced, only after the last row.

    The rows go to a temporary file beside it, which is removed after an error. Raises
    `CommandError` if the file can't be written, or not in that format.
    """
    form = format_of(path)
    what = f"{path} can't be written as {form.name}"
    with command_errors(what):
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise CommandError(f"{path} is not a file")
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        part = target.with_name(f".{secrets.token_hex(8)}.part")
        file = part.open("xb")
    try:
        with rows_to(form, file, carried, answer, what) as write:
            yield write
        with command_errors(what):
            file.flush()
            os.fsync(file.fileno())
            if mode is not None:
                part.chmod(mode)
            part.replace(target)
    finally:
        with suppress(OSError):
            file.close()
        part.unlink(missing_ok=True)


@contextmanager
def rows_to(
    form: Format, file: IO[bytes], carried: pa.Schema, answer: pa.Schema, what: str
) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """Yields a function that writes rows to `file`, which is whole afterwards and stays open.

    Errors become a `CommandError` that begins with `what`.
    """
    with command_errors(what):
        writer = form.writer(file, carried, answer)

    def write(batch: pa.RecordBatch) -> None:
        with command_errors(what):
            writer.write(batch)

    try:
        yield write
    except BaseException:
        with suppress(OSError, pa.ArrowException):
            writer.close()  # otherwise it would close itself later, when its file is closed
        raise
    with command_errors(what):
        writer.close()


@contextmanager
def command_errors(what: str, *, parsing: bool = False) -> Iterator[None]:
    """Turns errors of files and formats into a `CommandError` of one line; those that may pass into
    `TryAgain`.

    Errors of stores have no number. Neither have those of a file that isn't what its format says,
    so with `parsing`, it is one of these.
    """
    kind = CommandError
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        lasts = parsing if error.errno is None else error.errno in _LASTING
        kind = CommandError if lasts else TryAgain
    except (pa.ArrowException, orjson.JSONEncodeError, UnicodeError, RecursionError) as error:
        why = str(error)
    else:
        return
    raise kind(f"{what}: {' '.join(why.split())}")
