"""Formats of tables: how files of each are read, and written piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import IO, Any, Protocol

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from service.batch.plain import is_list, is_text, plain_batch, plain_schema
from service.cli.command import CommandError
from service.cli.files import readers
from service.cli.files.locations import Location, command_errors
from service.cli.files.readers import DataTable

_LINES = 1 << 13
"""How many rows to convert to Python objects at a time."""

_GROUP = 4 << 20
"""The least bytes of a row group of Parquet. Smaller pieces, such as layouts, are collected."""

_DICTIONARY = 1 << 16
"""The most bytes of a dictionary in Parquet. Columns with more different values, such as numbers of
rows, have none: it would take half of the time to write a file, and make the file larger."""


class Sink(Protocol):
    """What writes record batches to a file, and leaves that open.

    Both methods may raise an `OSError`, a `pyarrow.ArrowException` or an `orjson.JSONEncodeError`.
    """

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Writes more rows."""

    def close(self) -> None:
        """Writes the end of the file."""


class ParquetSink:
    """Writes a Parquet file. Its row groups are pieces, or several small ones together."""

    def __init__(self, file: IO[bytes], schema: pa.Schema) -> None:
        self._schema = schema
        self._writer = pyarrow.parquet.ParquetWriter(
            file, schema, dictionary_pagesize_limit=_DICTIONARY
        )
        self._pieces: list[pa.RecordBatch] = []
        self._bytes = 0

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Writes more rows, or keeps them until there are enough."""
        self._pieces.append(batch)
        self._bytes += batch.nbytes
        if self._bytes >= _GROUP:
            self._write_group()

    def close(self) -> None:
        """Writes the end of the file."""
        try:
            self._write_group()
        finally:
            self._writer.close()

    def _write_group(self) -> None:
        if self._pieces:
            group = pa.Table.from_batches(self._pieces, self._schema)
            self._pieces.clear()
            self._bytes = 0
            self._writer.write_table(group, row_group_size=max(len(group), 1))


class NdjsonSink:
    """Writes one object a line."""

    def __init__(self, file: IO[bytes], _: pa.Schema) -> None:
        self._file = file

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Writes more rows."""
        for start in range(0, len(batch), _LINES):
            rows = batch.slice(start, _LINES).to_pylist()
            self._file.writelines(
                orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows
            )

    def close(self) -> None:
        """Does nothing: NDJSON has no end marker."""


def _without_dictionary(column: pa.Field) -> pa.Field:
    """`column` with the values themselves if it has them in a dictionary."""
    kind = column.type
    return column.with_type(kind.value_type) if pa.types.is_dictionary(kind) else column


def _for_csv(column: pa.Field) -> pa.Field:
    """`column` as CSV can hold it. Raises `pyarrow.ArrowInvalid` if it can't."""
    column = _without_dictionary(column)
    if column.type.num_fields or isinstance(column.type, pa.BaseExtensionType):
        raise _unsupported(column.name, column.type)
    return column


def _for_json(column: pa.Field) -> pa.Field:
    """`column` as JSON can hold it: values that it has no type for, such as times, become text.
    Raises `pyarrow.ArrowInvalid` if it can't.
    """
    column = _without_dictionary(column)
    if pa.types.is_temporal(column.type) or pa.types.is_decimal(column.type):
        return column.with_type(pa.utf8())
    _check_json(column.type, column.name)
    return column


def _check_json(kind: pa.DataType, column: str) -> None:
    """Raises `pyarrow.ArrowInvalid` if JSON has no values of `kind`, which is in a `column`."""
    types = pa.types
    held = [kind.field(place) for place in range(kind.num_fields)]
    plain = (types.is_integer, types.is_floating, types.is_boolean, types.is_null, is_text)
    if len({each.name for each in held}) < len(held) or not (held or any(f(kind) for f in plain)):
        raise _unsupported(column, kind)
    for each in held:
        _check_json(each.type, column)


def _unsupported(column: str, kind: pa.DataType) -> pa.ArrowInvalid:
    """Says that a format can't hold `kind`."""
    return pa.ArrowInvalid(
        f"it has no type for {kind}, which the column {column} holds; write Parquet"
    )


def _all_finite(array: pa.Array) -> bool:
    """Whether no number in `array`, however deep, is NaN or infinite."""
    if pa.types.is_floating(array.type):
        return bool(pc.all(pc.is_finite(array), min_count=0).as_py())
    if pa.types.is_struct(array.type):
        return all(map(_all_finite, array.flatten()))
    if pa.types.is_map(array.type):
        array = array.cast(pa.list_(array.type.field(0)))
    return not is_list(array.type) or _all_finite(array.flatten())


def _all_in_range(array: pa.Array) -> bool:
    """Whether Arrow has a text for each date and time in `array`; far years have none."""
    if not pa.types.is_temporal(array.type) or pa.types.is_duration(array.type):
        return True
    ends = pc.min_max(array)
    texts = pa.array([ends["min"], ends["max"]], array.type).cast(pa.utf8())
    return not pc.any(pc.starts_with(texts, "<value out of range"), min_count=0).as_py()


_IN_TEXT = {"a date or time out of range can't be written as text; write Parquet": _all_in_range}

_IN_JSON = {  # null in place of NaN would be another value
    "NaN and infinity are no JSON numbers; make them null, or write Parquet": _all_finite
}


@dataclass(frozen=True)
class Format:
    """A file format: its name, how some rows are read at a time, and what writes them.

    `carried` and `answer` say how it holds columns of the input and of the answers; `checks`, what
    is wrong with a column that doesn't pass; `lists`, whether a column can hold lists.
    """

    name: str
    read: Callable[..., DataTable]
    sink: Callable[[IO[bytes], pa.Schema], Sink]
    carried: Callable[[pa.Field], pa.Field] = lambda column: column
    answer: Callable[[pa.Field], pa.Field] = lambda column: column
    checks: Mapping[str, Callable[[pa.Array], bool]] = field(default_factory=dict)
    lists: bool = True


def _separated(name: str, delimiter: str) -> Format:
    options = pyarrow.csv.WriteOptions(delimiter=delimiter)
    sink = partial(pyarrow.csv.CSVWriter, write_options=options)
    return Format(name, readers.read_csv, sink, _for_csv, _for_csv, _IN_TEXT, lists=False)


_ARROW = Format(  # it can't hold a dictionary that changes on the way
    "an Arrow file", readers.read_arrow_file, pa.ipc.new_file, _without_dictionary
)
_NDJSON = Format(
    "NDJSON", readers.read_ndjson, NdjsonSink, _for_json, _for_json, {**_IN_JSON, **_IN_TEXT}
)

FORMATS = {
    ".csv": _separated("CSV", ","),
    ".tsv": _separated("TSV", "\t"),
    ".ndjson": _NDJSON,
    ".jsonl": _NDJSON,
    ".parquet": Format("Parquet", readers.read_parquet, ParquetSink),
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".arrows": Format("an Arrow stream", readers.read_arrow_stream, pa.ipc.new_stream),
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
def table_writer(
    form: Format, file: IO[bytes], carried: pa.Schema, answer: pa.Schema
) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """Yields a function that writes rows with the columns `carried` and `answer` to `file`, which
    is whole when the `with` block ends, and stays open.

    Both may raise what those of a `Sink` may. The function raises `pyarrow.ArrowInvalid` with row
    and column for the first value that the format can't hold.
    """
    columns = [*map(form.carried, carried), *map(form.answer, answer)]
    schema = pa.schema(columns, carried.metadata)
    sink, written = form.sink(file, schema), 0

    def write(batch: pa.RecordBatch) -> None:
        nonlocal written
        columns = []
        for column, wanted in zip(batch.columns, schema, strict=True):
            if pa.types.is_dictionary(column.type) and column.type != wanted.type:
                column = column.dictionary_decode()
            for why, passes in form.checks.items():
                if not passes(column):
                    bad = (row for row in range(len(column)) if not passes(column.slice(row, 1)))
                    row = written + next(bad)
                    raise pa.ArrowInvalid(f"row {row}, column {wanted.name}: {why}")
            columns.append(column if column.type == wanted.type else column.cast(wanted.type))
        written += len(batch)
        sink.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))

    try:
        yield write
    except BaseException:
        with suppress(OSError, pa.ArrowException):
            sink.close()  # else it would close itself later, when its file is closed
        raise
    sink.close()
