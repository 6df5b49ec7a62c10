"""Writes tables of each format piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Protocol

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from service.batch.plain import is_list

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


def _csv_sink(delimiter: str, file: IO[bytes], schema: pa.Schema) -> Sink:
    options = pyarrow.csv.WriteOptions(delimiter=delimiter)
    sink: Sink = pyarrow.csv.CSVWriter(file, schema, write_options=options)
    return sink


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
    fits = (
        len({each.name for each in held}) == len(held)
        if held
        else types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_boolean(kind)
        or types.is_null(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
    )
    if not fits:
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
class Writing:
    """How a format is written: its sink, the columns of the input and of the answers as it can hold
    them, and what is wrong with a column of which a check says that it can't hold all values.
    """

    sink: Callable[[IO[bytes], pa.Schema], Sink]
    carried: Callable[[pa.Field], pa.Field] = lambda column: column
    answer: Callable[[pa.Field], pa.Field] = lambda column: column
    checks: Mapping[str, Callable[[pa.Array], bool]] = field(default_factory=dict)


PARQUET = Writing(ParquetSink)
ARROW_STREAM = Writing(pa.ipc.new_stream)
ARROW_FILE = Writing(  # it can't hold a dictionary that changes on the way
    pa.ipc.new_file, _without_dictionary
)
CSV = Writing(partial(_csv_sink, ","), _for_csv, _for_csv, _IN_TEXT)
TSV = Writing(partial(_csv_sink, "\t"), _for_csv, _for_csv, _IN_TEXT)
NDJSON = Writing(NdjsonSink, _for_json, _for_json, {**_IN_JSON, **_IN_TEXT})


class TableWriter:
    """Writes a table with the columns `carried` and `answer` to `file`, which is whole when the
    `with` block ends, and stays open.

    All methods may raise what those of a `Sink` may.
    """

    def __init__(
        self, how: Writing, file: IO[bytes], carried: pa.Schema, answer: pa.Schema
    ) -> None:
        columns = [*map(how.carried, carried), *map(how.answer, answer)]
        self._schema = pa.schema(columns, carried.metadata)
        self._sink = how.sink(file, self._schema)
        self._checks, self._written = how.checks, 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes more rows. Raises `pyarrow.ArrowInvalid` with row and column for the first value
        that the format can't hold.
        """
        columns = []
        for column, wanted in zip(batch.columns, self._schema, strict=True):
            if pa.types.is_dictionary(column.type) and column.type != wanted.type:
                column = column.dictionary_decode()
            for why, passes in self._checks.items():
                if not passes(column):
                    bad = (row for row in range(len(column)) if not passes(column.slice(row, 1)))
                    row = self._written + next(bad)
                    raise pa.ArrowInvalid(f"row {row}, column {wanted.name}: {why}")
            columns.append(column if column.type == wanted.type else column.cast(wanted.type))
        self._written += len(batch)
        self._sink.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Writes the end of the file; after an error, tries to."""
        # Else the sink would close itself later, when its file is closed.
        with suppress(*() if kind is None else (OSError, pa.ArrowException)):
            self._sink.close()
