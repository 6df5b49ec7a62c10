"""Finds the row of a CSV file that is wrong, and why.

pyarrow counts rows within a block, and reads on after a quote that isn't closed.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import deque
from collections.abc import Iterator

import pyarrow as pa

from service.cli.files.json_rows import too_long
from service.cli.files.places import File

_PIECE = 1 << 20
"""Bytes to look through at a time; no header has more."""

_QUOTED = re.compile(rb'"[^"]*"')
"""A name of a column, or a part of it, that may have any delimiter and line end."""

_SURROGATE = re.compile("[\udc80-\udcff]")
"""What Python reads for a byte that isn't UTF-8."""


def delimiter_of(source: File) -> str:
    """What is between the columns of the header: a tab, or else a comma, or else a semicolon, which
    spreadsheets write where a comma is in numbers.
    """
    with source.open() as file:
        header = _QUOTED.sub(b"", file.read(_PIECE)).lstrip(b"\r\n").splitlines()[:1]
    return next((each for each in "\t,;" if each.encode() in b"".join(header)), ",")


def check_quotes(source: File) -> None:
    """Raises `pyarrow.ArrowInvalid` for a quote that isn't closed, or is closed within a value.

    pyarrow would read everything after it as part of the value, and silently lose rows.
    """
    with source.open() as file:
        quoted = any(b'"' in part for part in iter(lambda: file.read(_PIECE), b""))
    if quoted:
        deque(_records(source), maxlen=0)


def wrong_record(source: File, block: int) -> str | None:
    """The first row that has other columns than the header or can't be read, and why."""
    records = _records(source)
    names = next(records)
    if any(map(_SURROGATE.search, names)):
        return "the header: it isn't UTF-8"
    for row, values in enumerate(records):
        if values and len(values) != len(names):
            return f"row {row}: it has {len(values)} values, and the header {len(names)}"
        for name, value in zip(names, values, strict=False):
            if _SURROGATE.search(value):
                return f"row {row}, column {name}: it isn't UTF-8"
        if sum(map(len, values)) > block:
            return f"row {row}: {too_long(block)}"
    return None


def _records(source: File) -> Iterator[list[str]]:
    """The header of a CSV file, and its rows. Raises `pyarrow.ArrowInvalid` for a wrong quote."""
    csv.field_size_limit(sys.maxsize)
    read = 0
    with io.TextIOWrapper(source.open(), "utf-8-sig", "surrogateescape", newline="") as text:
        lines = csv.reader(text, strict=True, delimiter=delimiter_of(source))
        try:
            header = next(filter(None, lines), [])
            yield header
            read += 1
            for values in lines:
                if values or len(header) == 1:
                    yield values
                    read += 1
        except csv.Error as error:
            where = f"row {read - 1}" if read else "the header"
            raise pa.ArrowInvalid(f"{where}: {error}") from None
