"""Reads tables of each format piece by piece, as Arrow record batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet
from flatbuffers.table import Table

from service.batch.arrow.messages import AFTER_END, Fields
from service.cli.files.locations import Location
from service.cli.files.text_rows import (
    check_lines,
    check_quotes,
    delimiter_of,
    lines_of,
    risky_rows,
    wrong_in,
    wrong_line,
    wrong_record,
)

_ROW_BYTES = 32
"""How many bytes of text to read for each row."""

_BUFFER = 1 << 20
"""Bytes to read at a time: the least for text, the most for a Parquet column."""

_DICTIONARIES, _BATCHES = 2, 3
"""The fields of an Arrow footer that say where data is (File.fbs)."""

_BLOCK = "<qi4xq"
"""A place there: where it begins, and the lengths of its metadata and its body."""


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


def read_csv(source: Location, rows: int) -> DataTable:
    """Reads CSV with a header; all columns are text. A value without a character is null, and so is
    an empty line if there is one column: that is how programs write it. Others are left out.

    Raises `pyarrow.ArrowInvalid` for unbalanced quotes.
    """
    check_quotes(source)
    file, block = source.open_text(), _block(rows)
    reading = pyarrow.csv.ReadOptions(block_size=block)
    parsing = pyarrow.csv.ParseOptions(newlines_in_values=True, delimiter=delimiter_of(source))
    with _in_the_file(lambda: wrong_record(source, block)):
        with pyarrow.csv.open_csv(source.open_text(), reading, parsing) as header:
            names = header.schema.names
        text = pyarrow.csv.ConvertOptions(
            column_types={name: pa.utf8() for name in names},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )
        parsing.ignore_empty_lines = len(names) > 1
        reader = pyarrow.csv.open_csv(file, reading, parsing, text)
    if reader.schema.names != names:
        raise pa.ArrowInvalid("its first line is empty, and should be the header")

    def batches() -> Iterator[pa.RecordBatch]:
        with _in_the_file(lambda: wrong_record(source, block)):
            yield from _pieces(reader, rows)

    return DataTable(reader.schema, batches(), _bytes_read(file))


@contextmanager
def _in_the_file(find: Callable[[], str | None]) -> Iterator[None]:
    """Lets an error say what `find` does, which knows the row: pyarrow counts within a block."""
    try:
        yield
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise pa.ArrowInvalid(find() or str(error)) from None


def read_ndjson(source: Location, rows: int) -> DataTable:
    """Reads NDJSON; the first piece decides the types of the columns.

    Raises `pyarrow.ArrowInvalid` for a line that isn't one object, and for a number that would be
    rounded.
    """
    block = _block(rows)
    if next(lines_of(source, block), None) is None:
        return DataTable(pa.schema([]), iter(()), lambda: 1.0, empty=True)
    check_lines(source, block)
    file = source.open_text()
    reading = pyarrow.json.ReadOptions(block_size=block)
    with (
        _in_the_file(lambda: wrong_line(source, None, block)),
        pyarrow.json.open_json(source.open_text(), reading) as first,
    ):
        schema = pa.schema([(field.name, _without_times(field.type)) for field in first.schema])
    kinds = pa.struct(list(schema))
    parsing = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    reader = pyarrow.json.open_json(file, reading, parsing)

    def batches() -> Iterator[pa.RecordBatch]:
        seen = 0
        lines = enumerate(lines_of(source, block))
        with _in_the_file(lambda: wrong_line(source, kinds, block, seen)):
            for batch in reader:
                for risky in risky_rows(batch.to_struct_array()).tolist():
                    line = next((line for row, line in lines if row == seen + risky), b"{}")
                    if wrong_in(line, kinds):
                        raise pa.ArrowInvalid("a number isn't read as it is written")
                yield from _pieces([batch], rows, seen)
                seen += len(batch)

    return DataTable(reader.schema, batches(), _bytes_read(file))


def _without_times(kind: pa.DataType) -> pa.DataType:
    """`kind` with text instead of timestamps: values that look like times stay unchanged."""
    if pa.types.is_timestamp(kind):
        return pa.utf8()
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _without_times(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(_without_times(kind.value_type))
    return kind


def read_parquet(
    source: Location,
    rows: int,
    row_groups: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
) -> DataTable:
    """Reads a Parquet file, or only some of its row groups or columns.

    Raises `pyarrow.ArrowInvalid` if it holds several files, and for a value that is invalid.
    """
    opened = source.open()
    file = pyarrow.parquet.ParquetFile(opened, pre_buffer=False, buffer_size=_BUFFER)
    footer = file.metadata
    held = [footer.row_group(at) for at in range(footer.num_row_groups)]
    sizes = [group.num_rows for group in held]
    last = [group.column(at) for group in held[-1:] for at in range(group.num_columns)]
    starts = [column.dictionary_page_offset or column.data_page_offset for column in last]
    ends = [at + column.total_compressed_size for at, column in zip(starts, last, strict=True)]
    between = opened.size() - 8 - footer.serialized_size - max(ends, default=0)
    _check_alone(opened, between, b"PAR1", b"PAR1")
    groups = range(len(sizes)) if row_groups is None else row_groups
    first, count = sum(sizes[: min(groups, default=0)]), sum(sizes[group] for group in groups)
    read = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal read
        for batch in file.iter_batches(rows, row_groups, columns):
            seen = first + read
            read += len(batch)
            yield from _pieces([batch], rows, seen)  # text may not be UTF-8

    schema = file.schema_arrow
    if columns is not None:
        schema = pa.schema([field for field in schema if field.name in columns])
    return DataTable(schema, batches(), lambda: read / max(count, 1))


def read_arrow_file(source: Location, rows: int, *, mapped: bool = False) -> DataTable:
    """Reads an Arrow file, or Feather, which is one; for `mapped`, see `Location.open`.

    Raises `pyarrow.ArrowInvalid` if it holds several files, and for a value that is invalid.
    """
    file = source.open(mapped=mapped)
    reader = pa.ipc.open_file(file)
    file.seek(file.size() - 10)
    length = int.from_bytes(file.read(4), "little")
    start = file.size() - 10 - length
    file.seek(start)
    footer = Fields(Table(file.read(length), 0)).at(0)
    blocks = [*footer.structs(_DICTIONARIES, _BLOCK), *footer.structs(_BATCHES, _BLOCK)]
    _check_alone(file, start - max(map(sum, blocks), default=0), b"ARROW1", b"ARROW1\0\0")
    count = reader.num_record_batches
    read = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal read
        for read in range(count):
            yield reader.get_batch(read)
        read = count

    return DataTable(reader.schema, _pieces(batches(), rows), lambda: read / max(count, 1))


def _check_alone(file: pa.NativeFile, between: int, end: bytes, begin: bytes) -> None:
    """Raises `pyarrow.ArrowInvalid` if the file was joined from several, as by `cat`: a file with
    `end` and one that has `begin` meet in it.

    Arrow and Parquet files are read from their end, where a footer says at which byte each part
    begins. In a joined file, these are places in the first of them: its rows would be read, or
    rubbish. So many bytes are `between` the data that the footer names and the footer itself. All
    files before the last are in it, since the footer doesn't know of them: there are no more bytes
    to look at.
    """
    file.seek(0)
    kept = b""
    left = between + len(begin)
    while left > len(begin) and (part := file.read(min(left, _BUFFER))):
        if end + begin in kept + part:
            raise pa.ArrowInvalid(
                "it holds several files, one after the other, of which only one would be read; "
                "score a folder with all of them instead"
            )
        left -= len(part)
        kept = part[-len(end + begin) :]


def read_arrow_stream(source: Location, rows: int) -> DataTable:
    """Reads an Arrow stream. Raises `pyarrow.ArrowInvalid` if something comes after it."""
    file = source.open()
    reader = pa.ipc.open_stream(file)

    def batches() -> Iterator[pa.RecordBatch]:
        yield from _pieces(reader, rows)
        if file.read(1):
            raise pa.ArrowInvalid(AFTER_END)

    return DataTable(reader.schema, batches(), _bytes_read(file))


def _block(rows: int) -> int:
    """How many bytes of text to read for `rows` rows; no line may be longer."""
    return max(rows * _ROW_BYTES, _BUFFER)


def _pieces(
    batches: Iterable[pa.RecordBatch], rows: int, seen: int = 0
) -> Iterator[pa.RecordBatch]:
    """Splits `batches` into pieces of up to `rows` rows, and validates them, which pyarrow doesn't.
    `seen` rows came before them. Raises `pyarrow.ArrowInvalid` with the row and the column.
    """
    for batch in batches:
        try:
            batch.validate(full=True)
        except pa.ArrowInvalid as error:
            raise _invalid_value(batch, seen) or error from None
        seen += len(batch)
        for start in range(0, len(batch), rows):
            yield batch.slice(start, rows)


def _invalid_value(batch: pa.RecordBatch, seen: int) -> pa.ArrowInvalid | None:
    """What is wrong with the first invalid value of `batch`."""
    for row in range(len(batch)):
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                column.slice(row, 1).validate(full=True)
            except pa.ArrowInvalid as error:
                return pa.ArrowInvalid(f"row {seen + row}, column {name}: {error}")
    return None


def _bytes_read(file: pa.NativeFile) -> Callable[[], float]:
    size = max(file.size(), 1)
    return lambda: 1.0 if file.closed else file.tell() / size
