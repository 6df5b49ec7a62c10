"""Reads tables of each format piece by piece, as Arrow record batches."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

from service.cli.files.places import File, TextFile

_ROW_BYTES = 32
"""How many bytes of text to read for each row."""

_BUFFER = 1 << 20
"""Bytes to read at a time: the least for text, the most for a Parquet column."""


_IGNORED = b" \t\xef\xbb\xbf"
"""What pyarrow ignores before a line: white space, and any byte of a byte order mark."""

_NULL = re.compile(rb"null(?<![^\r\n \t\xef\xbb\xbf]null)")
"""Where a line may begin with null."""

_QUOTED = re.compile(rb'"[^"]*"')
"""A name of a column, or a part of it, that may have any delimiter and line end."""

_INDENT = 1 << 10
"""The most white space to look through before such a null."""


@dataclass(frozen=True)
class DataTable:
    """A table that is being read: its columns, its rows in pieces, and the fraction that is read.

    `part()` returns the fraction, from 0 to 1; data that was read ahead counts. Iterating over
    `batches` may raise an `OSError`, `UnicodeDecodeError` or `pyarrow.ArrowException`. `empty` says
    that the file is, so that it doesn't even name its columns.
    """

    schema: pa.Schema
    batches: Iterator[pa.RecordBatch]
    part: Callable[[], float]
    empty: bool = False


def read_csv(source: File, rows: int) -> DataTable:
    """Reads CSV with a header; all columns are text.

    Raises `pyarrow.ArrowInvalid` for unbalanced quotes.
    """
    source = TextFile(source)
    _check_quotes(source)
    file = source.open()
    reading = pyarrow.csv.ReadOptions(block_size=_block(rows))
    parsing = pyarrow.csv.ParseOptions(newlines_in_values=True, delimiter=_delimiter(source))
    with pyarrow.csv.open_csv(source.open(), reading, parsing) as header:
        names = header.schema.names
    text = pyarrow.csv.ConvertOptions(column_types={name: pa.utf8() for name in names})
    reader = pyarrow.csv.open_csv(file, reading, parsing, text)
    pieces = (piece for batch in reader for piece in _slices(batch, rows))
    return DataTable(reader.schema, pieces, _bytes_read(file))


def _delimiter(source: File) -> str:
    """What is between the columns of the header: a tab, or else a comma, or else a semicolon, which
    spreadsheets write where a comma is in numbers.
    """
    with source.open() as file:
        header = _QUOTED.sub(b"", file.read(_BUFFER)).lstrip(b"\r\n").splitlines()[:1]
    return next((each for each in "\t,;" if each.encode() in b"".join(header)), ",")


def _check_quotes(source: File) -> None:
    """Raises `pyarrow.ArrowInvalid` for a quote that isn't closed, or is closed within a value.

    pyarrow would read everything after it as part of the value, and silently lose rows.
    """
    with source.open() as file:
        if not any(b'"' in part for part in iter(lambda: file.read(_BUFFER), b"")):
            return
    csv.field_size_limit(sys.maxsize)
    with io.TextIOWrapper(source.open(), "utf-8-sig", "surrogateescape", newline="") as text:
        lines = csv.reader(text, strict=True, delimiter=_delimiter(source))
        try:
            for _ in lines:
                pass
        except csv.Error as error:
            raise pa.ArrowInvalid(f"{error}, in or before line {lines.line_num}") from None


def read_ndjson(source: File, rows: int) -> DataTable:
    """Reads NDJSON; the first piece decides the types of the columns.

    Raises `pyarrow.ArrowInvalid` for a line that is null.
    """
    source = TextFile(source)
    file = source.open()
    if not any(part.strip() for part in iter(lambda: file.read(_BUFFER), b"")):
        return DataTable(pa.schema([]), iter(()), lambda: 1.0, empty=True)
    file.seek(0)
    _check_nulls(source)
    reading = pyarrow.json.ReadOptions(block_size=_block(rows))
    with pyarrow.json.open_json(source.open(), reading) as first:
        schema = pa.schema([(field.name, _without_times(field.type)) for field in first.schema])
    parsing = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    reader = pyarrow.json.open_json(file, reading, parsing)
    pieces = (piece for batch in reader for piece in _pieces(batch, rows))
    return DataTable(reader.schema, pieces, _bytes_read(file))


def _check_nulls(source: File) -> None:
    """Raises `pyarrow.ArrowInvalid` for a line that begins with null.

    pyarrow crashes if the first line that it parses at a time does so (apache/arrow#47409).
    """
    kept, offset = b"", 0  # the end of what was searched, and where it is in the file
    with source.open() as file:
        while part := file.read(_BUFFER):
            data = kept + part
            for found in _NULL.finditer(data):
                start = found.start()
                if offset and start < _INDENT:
                    continue  # it was found before, with what stands before it
                before = data[max(start - _INDENT, 0) : start].rstrip(_IGNORED)
                if before[-1:] in b"\r\n":  # or empty
                    where = offset + start
                    raise pa.ArrowInvalid(f"a line is null instead of an object, at byte {where}")
            kept = data[-_INDENT - len("nul") :]
            offset += len(data) - len(kept)


def read_parquet(
    source: File,
    rows: int,
    row_groups: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
) -> DataTable:
    """Reads a Parquet file, or only some of its row groups or columns."""
    file = pyarrow.parquet.ParquetFile(source.open(), pre_buffer=False, buffer_size=_BUFFER)
    groups = range(file.num_row_groups) if row_groups is None else row_groups
    count = sum(file.metadata.row_group(group).num_rows for group in groups)
    read = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal read
        for batch in file.iter_batches(rows, row_groups, columns):
            read += len(batch)
            batch.validate(full=True)  # text may not be UTF-8
            yield batch

    schema = file.schema_arrow
    if columns is not None:
        schema = pa.schema([field for field in schema if field.name in columns])
    return DataTable(schema, batches(), lambda: read / max(count, 1))


def read_arrow_file(source: File, rows: int) -> DataTable:
    """Reads an Arrow file, or Feather, which is one."""
    reader = pa.ipc.open_file(source.mapped())
    count = reader.num_record_batches
    read = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal read
        for place in range(count):
            yield from _pieces(reader.get_batch(place), rows)
            read = place + 1

    return DataTable(reader.schema, batches(), lambda: read / max(count, 1))


def read_arrow_stream(source: File, rows: int) -> DataTable:
    """Reads an Arrow stream."""
    file = source.open()
    reader = pa.ipc.open_stream(file)
    pieces = (piece for batch in reader for piece in _pieces(batch, rows))
    return DataTable(reader.schema, pieces, _bytes_read(file))


def _block(rows: int) -> int:
    """How many bytes of text to read for `rows` rows; no line may be longer."""
    return max(rows * _ROW_BYTES, _BUFFER)


def _pieces(batch: pa.RecordBatch, rows: int) -> Iterator[pa.RecordBatch]:
    """Splits `batch` into pieces of up to `rows` rows, and validates it, which pyarrow doesn't."""
    batch.validate(full=True)
    yield from _slices(batch, rows)


def _slices(batch: pa.RecordBatch, rows: int) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(batch), rows):
        yield batch.slice(start, rows)


def _bytes_read(file: pa.NativeFile) -> Callable[[], float]:
    size = max(file.size(), 1)
    return lambda: 1.0 if file.closed else file.tell() / size


def _without_times(kind: pa.DataType) -> pa.DataType:
    """`kind` with text instead of timestamps: values that look like times stay unchanged."""
    if pa.types.is_timestamp(kind):
        return pa.utf8()
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _without_times(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(_without_times(kind.value_type))
    return kind
