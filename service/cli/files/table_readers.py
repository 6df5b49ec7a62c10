"""Reads tables of each format piece by piece, as Arrow record batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

from service.batch.arrow.messages import AFTER_END
from service.cli.files.csv_rows import check_quotes, delimiter_of, wrong_record
from service.cli.files.joined import check_arrow_file, check_parquet
from service.cli.files.json_rows import check_lines, lines_of, risky_rows, wrong_in, wrong_line
from service.cli.files.places import File, TextFile

_ROW_BYTES = 32
"""How many bytes of text to read for each row."""

_BUFFER = 1 << 20
"""Bytes to read at a time: the least for text, the most for a Parquet column."""


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
    """Reads CSV with a header; all columns are text. A value without a character is null, and so is
    an empty line if there is one column: that is how programs write it. Others are left out.

    Raises `pyarrow.ArrowInvalid` for unbalanced quotes.
    """
    source = TextFile(source)
    check_quotes(source)
    file = source.open()
    reading = pyarrow.csv.ReadOptions(block_size=_block(rows))
    parsing = pyarrow.csv.ParseOptions(newlines_in_values=True, delimiter=delimiter_of(source))
    with (
        _in_the_file(lambda: wrong_record(source, _block(rows))),
        pyarrow.csv.open_csv(source.open(), reading, parsing) as header,
    ):
        names = header.schema.names
    text = pyarrow.csv.ConvertOptions(
        column_types={name: pa.utf8() for name in names},
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    parsing.ignore_empty_lines = len(names) > 1
    with _in_the_file(lambda: wrong_record(source, _block(rows))):
        reader = pyarrow.csv.open_csv(file, reading, parsing, text)
    if reader.schema.names != names:
        raise pa.ArrowInvalid("its first line is empty, and should be the header")

    def batches() -> Iterator[pa.RecordBatch]:
        with _in_the_file(lambda: wrong_record(source, _block(rows))):
            for batch in reader:
                yield from _slices(batch, rows)

    return DataTable(reader.schema, batches(), _bytes_read(file))


@contextmanager
def _in_the_file(find: Callable[[], str | None]) -> Iterator[None]:
    """Lets an error say what `find` does, which knows the row: pyarrow counts within a block."""
    try:
        yield
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise pa.ArrowInvalid(find() or str(error)) from None


def read_ndjson(source: File, rows: int) -> DataTable:
    """Reads NDJSON; the first piece decides the types of the columns.

    Raises `pyarrow.ArrowInvalid` for a line that isn't one object, and for a number that would be
    rounded.
    """
    source = TextFile(source)
    block = _block(rows)
    if next(lines_of(source, block), None) is None:
        return DataTable(pa.schema([]), iter(()), lambda: 1.0, empty=True)
    check_lines(source, block)
    file = source.open()
    reading = pyarrow.json.ReadOptions(block_size=block)
    with (
        _in_the_file(lambda: wrong_line(source, None, block)),
        pyarrow.json.open_json(source.open(), reading) as first,
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
                yield from _pieces(batch, rows, seen)
                seen += len(batch)

    return DataTable(reader.schema, batches(), _bytes_read(file))


def read_parquet(
    source: File,
    rows: int,
    row_groups: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
) -> DataTable:
    """Reads a Parquet file, or only some of its row groups or columns.

    Raises `pyarrow.ArrowInvalid` if it holds several files, and for a value that is invalid.
    """
    opened = source.open()
    file = pyarrow.parquet.ParquetFile(opened, pre_buffer=False, buffer_size=_BUFFER)
    check_parquet(opened, file.metadata)
    groups = range(file.num_row_groups) if row_groups is None else row_groups
    sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    first = sum(sizes[: min(groups, default=0)])
    count = sum(sizes[group] for group in groups)
    read = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal read
        for batch in file.iter_batches(rows, row_groups, columns):
            _validate(batch, first + read)  # text may not be UTF-8
            read += len(batch)
            yield batch

    schema = file.schema_arrow
    if columns is not None:
        schema = pa.schema([field for field in schema if field.name in columns])
    return DataTable(schema, batches(), lambda: read / max(count, 1))


def read_arrow_file(source: File, rows: int) -> DataTable:
    """Reads an Arrow file, or Feather, which is one.

    Raises `pyarrow.ArrowInvalid` if it holds several files, and for a value that is invalid.
    """
    file = source.mapped()
    reader = pa.ipc.open_file(file)
    check_arrow_file(file)
    count = reader.num_record_batches
    read = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal read
        seen = 0
        for place in range(count):
            batch = reader.get_batch(place)
            yield from _pieces(batch, rows, seen)
            seen += len(batch)
            read = place + 1

    return DataTable(reader.schema, batches(), lambda: read / max(count, 1))


def read_arrow_stream(source: File, rows: int) -> DataTable:
    """Reads an Arrow stream. Raises `pyarrow.ArrowInvalid` if something comes after it."""
    file = source.open()
    reader = pa.ipc.open_stream(file)

    def batches() -> Iterator[pa.RecordBatch]:
        seen = 0
        for batch in reader:
            yield from _pieces(batch, rows, seen)
            seen += len(batch)
        if file.read(1):
            raise pa.ArrowInvalid(AFTER_END)

    return DataTable(reader.schema, batches(), _bytes_read(file))


def _block(rows: int) -> int:
    """How many bytes of text to read for `rows` rows; no line may be longer."""
    return max(rows * _ROW_BYTES, _BUFFER)


def _pieces(batch: pa.RecordBatch, rows: int, seen: int) -> Iterator[pa.RecordBatch]:
    """Splits `batch` into pieces of up to `rows` rows, and validates it, which pyarrow doesn't.
    `seen` rows came before it.
    """
    _validate(batch, seen)
    yield from _slices(batch, rows)


def _validate(batch: pa.RecordBatch, seen: int) -> None:
    """Raises `pyarrow.ArrowInvalid` if a value is invalid, with the row and the column. `seen` rows
    came before those of `batch`.
    """
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid:
        for row in range(len(batch)):
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                try:
                    column.slice(row, 1).validate(full=True)
                except pa.ArrowInvalid as error:
                    why = f"row {seen + row}, column {name}: {error}"
                    raise pa.ArrowInvalid(why) from None
        raise


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
