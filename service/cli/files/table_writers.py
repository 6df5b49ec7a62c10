"""Writes tables of each format piece by piece."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import IO

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from service.batch.record_batches.plain import is_list

_LINES = 1 << 13
"""How many rows to convert to Python objects at a time."""


_GROUP = 4 << 20
"""The least bytes of a row group of Parquet. Smaller pieces, such as layouts, are collected."""

_Check = Callable[[pa.Array], bool]
"""Whether a format can hold all values of a column."""

_NO_NUMBER = "NaN and infinity are no JSON numbers; make them null, or write Parquet"

_NO_TEXT = "a date or time out of range can't be written as text; write Parquet"

_DICTIONARY = 1 << 16
"""The most bytes of a dictionary in Parquet. Columns with more different values, such as numbers of
rows, have none: it would take half of the time to write a file, and make the file larger."""


class Writer(ABC):
    """Writes a table with the columns `carried` and `answer` to `file`, and leaves that open.

    All methods may raise an `OSError` or `pyarrow.ArrowException`.
    """

    def __init__(self, file: IO[bytes], carried: pa.Schema, answer: pa.Schema) -> None:
        self._file = file
        self._schema = pa.schema([*self._as_written(carried, answer)], carried.metadata)
        self._checked = 0

    def _as_written(self, carried: pa.Schema, answer: pa.Schema) -> Iterable[pa.Field]:
        """The columns as this format can hold them."""
        return [*carried, *answer]

    @abstractmethod
    def write(self, batch: pa.RecordBatch) -> None:
        """Writes more rows."""

    @abstractmethod
    def close(self) -> None:
        """Writes the end of the file."""

    def _check_each(self, batch: pa.RecordBatch, checks: Mapping[str, _Check]) -> None:
        """Raises `pyarrow.ArrowInvalid` with row, column and the name of the check, for the first
        value in a column that doesn't pass.
        """
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if pa.types.is_dictionary(column.type):
                column = column.dictionary_decode()
            for why, passes in checks.items():
                if passes(column):
                    continue
                row = next(row for row in range(len(column)) if not passes(column.slice(row, 1)))
                raise pa.ArrowInvalid(f"row {self._checked + row}, column {name}: {why}")
        self._checked += len(batch)


class _Arrow(Writer):
    """A format that pyarrow writes."""

    def __init__(self, file: IO[bytes], carried: pa.Schema, answer: pa.Schema) -> None:
        super().__init__(file, carried, answer)
        self._writer = self._make_writer()

    @abstractmethod
    def _make_writer(self) -> pa.ipc.RecordBatchStreamWriter:
        """Creates pyarrow's writer."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes more rows."""
        self._writer.write_batch(_decoded(batch, self._schema))

    def close(self) -> None:
        """Writes the end of the file."""
        self._writer.close()


class ArrowStreamWriter(_Arrow):
    """Writes an Arrow stream."""

    def _make_writer(self) -> pa.ipc.RecordBatchStreamWriter:
        return pa.ipc.new_stream(self._file, self._schema)


class ParquetWriter(_Arrow):
    """Writes a Parquet file. Its row groups are pieces, or several small ones together."""

    def __init__(self, file: IO[bytes], carried: pa.Schema, answer: pa.Schema) -> None:
        super().__init__(file, carried, answer)
        self._pieces: list[pa.RecordBatch] = []
        self._bytes = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes more rows."""
        piece = _decoded(batch, self._schema)
        self._pieces.append(piece)
        self._bytes += piece.nbytes
        if self._bytes >= _GROUP:
            self._write_group()

    def close(self) -> None:
        """Writes the end of the file."""
        try:
            self._write_group()
        finally:
            super().close()

    def _write_group(self) -> None:
        if self._pieces:
            group = pa.Table.from_batches(self._pieces, self._schema)
            self._pieces.clear()
            self._bytes = 0
            self._writer.write_table(group, row_group_size=max(len(group), 1))

    def _make_writer(self) -> pyarrow.parquet.ParquetWriter:
        return pyarrow.parquet.ParquetWriter(
            self._file, self._schema, dictionary_pagesize_limit=_DICTIONARY
        )


class ArrowFileWriter(_Arrow):
    """Writes an Arrow file.

    It can't hold a dictionary that changes on the way, so dictionaries are written as values.
    """

    def _as_written(self, carried: pa.Schema, answer: pa.Schema) -> Iterable[pa.Field]:
        return [*map(_without_dictionary, carried), *answer]

    def _make_writer(self) -> pa.ipc.RecordBatchFileWriter:
        return pa.ipc.new_file(self._file, self._schema)


class CsvWriter(_Arrow):
    """Writes comma-separated values with a header."""

    delimiter = ","

    def _as_written(self, carried: pa.Schema, answer: pa.Schema) -> Iterable[pa.Field]:
        fields = [*map(_without_dictionary, [*carried, *answer])]
        for field in fields:
            if field.type.num_fields or isinstance(field.type, pa.BaseExtensionType):
                raise _unsupported(field.name, field.type)
        return fields

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes more rows."""
        self._check_each(batch, {_NO_TEXT: _all_in_range})
        super().write(batch)

    def _make_writer(self) -> pyarrow.csv.CSVWriter:
        options = pyarrow.csv.WriteOptions(delimiter=self.delimiter)
        return pyarrow.csv.CSVWriter(self._file, self._schema, write_options=options)


class TsvWriter(CsvWriter):
    """The same with tabs."""

    delimiter = "\t"


class NdjsonWriter(Writer):
    """Writes one object a line; values that JSON has no type for, such as times, become text.

    NaN and infinity are refused: null in their place would be another value.
    """

    def _as_written(self, carried: pa.Schema, answer: pa.Schema) -> Iterable[pa.Field]:
        return map(_for_json, [*carried, *answer])

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes more rows."""
        self._check_each(batch, {_NO_NUMBER: _all_finite, _NO_TEXT: _all_in_range})
        batch = batch.cast(self._schema)
        for start in range(0, len(batch), _LINES):
            rows = batch.slice(start, _LINES).to_pylist()
            self._file.writelines(
                orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows
            )

    def close(self) -> None:
        """Does nothing: NDJSON has no end marker."""


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


def _for_json(field: pa.Field) -> pa.Field:
    """`field` as JSON can hold it. Raises `pyarrow.ArrowInvalid` if it can't."""
    field = _without_dictionary(field)
    if pa.types.is_temporal(field.type) or pa.types.is_decimal(field.type):
        return field.with_type(pa.utf8())
    _check_json(field.type, field.name)
    return field


def _check_json(kind: pa.DataType, column: str) -> None:
    """Raises `pyarrow.ArrowInvalid` if JSON has no values of `kind`, which is in a `column`."""
    held = [kind.field(place) for place in range(kind.num_fields)]
    if not (held or _in_json(kind)) or len({field.name for field in held}) < len(held):
        raise _unsupported(column, kind)
    for field in held:
        _check_json(field.type, column)


def _unsupported(column: str, kind: pa.DataType) -> pa.ArrowInvalid:
    """Says that a format can't hold `kind`."""
    return pa.ArrowInvalid(
        f"it has no type for {kind}, which the column {column} holds; write Parquet"
    )


def _in_json(kind: pa.DataType) -> bool:
    """Whether JSON has values of `kind`."""
    types = pa.types
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_boolean(kind)
        or types.is_null(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
    )


def _without_dictionary(field: pa.Field) -> pa.Field:
    """`field` with the values themselves if it has them in a dictionary."""
    kind = field.type
    return field.with_type(kind.value_type) if pa.types.is_dictionary(kind) else field


def _decoded(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """`batch` with the types of `schema`: dictionaries that it lacks are decoded."""
    columns = [
        column if column.type == field.type else column.dictionary_decode()
        for column, field in zip(batch.columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
