"""Finds the row of a CSV or NDJSON file that is wrong, and why.

pyarrow counts rows within a block. In CSV, it reads on after a quote that isn't closed. In NDJSON,
it rounds numbers in a column of fractions, reads NaN, and takes several objects in a line, and one
in several.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from service.batch.plain import is_list, is_text
from service.cli.files.locations import Location
from service.strict_json import InvalidJson, decode

_LAST_WHOLE = 2**53
"""Up to here, each whole number has a float of its own."""

_ROWS = re.compile(rb"(?:[ \t]*+(?:\{[^\r\n]*\}[ \t]*+)?[\r\n])*+")
"""Lines that are objects, or several in one line, or blank."""

_TWO = re.compile(rb"\}[ \t]*\{")
"""Where a second object in a line may begin; it may also be within a text."""

_PIECE = 1 << 20
"""Bytes of CSV to look through at a time; no header has more."""

_QUOTED = re.compile(rb'"[^"]*"')
"""A name of a column, or a part of it, that may have any delimiter and line end."""

_SURROGATE = re.compile("[\udc80-\udcff]")
"""What Python reads for a byte that isn't UTF-8."""


def delimiter_of(source: Location) -> str:
    """What is between the columns of the header: a tab, or else a comma, or else a semicolon, which
    spreadsheets write where a comma is in numbers.
    """
    with source.open_text() as file:
        header = _QUOTED.sub(b"", file.read(_PIECE)).lstrip(b"\r\n").splitlines()[:1]
    return next((each for each in "\t,;" if each.encode() in b"".join(header)), ",")


def check_quotes(source: Location) -> None:
    """Raises `pyarrow.ArrowInvalid` for a quote that isn't closed, or is closed within a value.

    pyarrow would read everything after it as part of the value, and silently lose rows.
    """
    with source.open_text() as file:
        quoted = any(b'"' in part for part in iter(lambda: file.read(_PIECE), b""))
    if quoted:
        deque(_records(source), maxlen=0)


def wrong_record(source: Location, block: int) -> str | None:
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


def _records(source: Location) -> Iterator[list[str]]:
    """The header of a CSV file, and its rows. Raises `pyarrow.ArrowInvalid` for a wrong quote."""
    csv.field_size_limit(sys.maxsize)
    read = 0
    with io.TextIOWrapper(source.open_text(), "utf-8", "surrogateescape", newline="") as text:
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


def risky_rows(array: pa.Array) -> NDArray[np.integer]:
    """The rows with a float that may not be what was written: whole numbers beyond `_LAST_WHOLE`
    are rounded, and NaN and infinity aren't JSON.
    """
    if pa.types.is_floating(array.type):
        values = array.fill_null(0).to_numpy(zero_copy_only=False)
        return np.flatnonzero(~(np.abs(values) < _LAST_WHOLE))
    if is_list(array.type):
        rows: NDArray[np.integer] = pc.list_parent_indices(array).to_numpy()
        return np.unique(rows[risky_rows(array.flatten())])
    if pa.types.is_struct(array.type):
        return np.unique(np.concatenate([[], *map(risky_rows, array.flatten())]).astype(np.int64))
    return np.empty(0, np.int64)


class _Number(str):
    """A number as it is written."""


_WRITTEN = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=_Number)


def wrong_in(line: bytes, columns: pa.StructType | None) -> str | None:
    """What is wrong with a `line`, where `columns` has the types of all columns, if they are known.

    It goes on after "row 7": with the column, and what is wrong.
    """
    line = line.strip()
    with suppress(ValueError, RecursionError):  # which `decode` explains
        row = _WRITTEN.decode(line.decode())
        if not isinstance(row, dict):
            return f": it must be an object, not {_shown(row)}"
        if columns is not None and (wrong := _misfit(row, columns, "")):
            return wrong
    try:
        decode(line)
    except InvalidJson as error:
        return f": {error}"
    return None


def wrong_line(
    source: Location, columns: pa.StructType | None, block: int, seen: int = 0
) -> str | None:
    """What is wrong with the first wrong line after those of `seen` rows."""
    for row, line in enumerate(lines_of(source, block)):
        if row >= seen:
            if len(line) > block:
                return f"row {row}: {too_long(block)}"
            if wrong := wrong_in(line, columns):
                return f"row {row}{wrong}"
    return None


def lines_of(source: Location, block: int) -> Iterator[bytes]:
    """The lines of a text that aren't blank. Those that are longer than pyarrow reads in a `block`
    are cut.
    """
    with io.TextIOWrapper(source.open_text(), "latin-1", newline="") as text:
        for line in iter(partial(text.readline, 2 * block), ""):
            if line.strip(" \t\r\n"):
                yield line.encode("latin-1")


def check_lines(source: Location, block: int) -> None:
    """Raises `pyarrow.ArrowInvalid` for a line that isn't one object.

    pyarrow also crashes if the first line that it parses at a time is null (apache/arrow#47409).
    """
    rest = b""
    with source.open_text() as file:
        while part := file.read(block):
            lines, end, rest = (rest + part).rpartition(b"\n")
            if not _are_rows(lines + end) or len(rest) > 2 * block:
                break
        else:
            if _are_rows(rest + b"\n"):
                return
    if wrong := wrong_line(source, None, block):
        raise pa.ArrowInvalid(wrong)


def _are_rows(lines: bytes) -> bool:
    """Whether each of `lines` is one object, or blank. May also be False for a text with braces."""
    usual = lines[:1] + lines[-2:] == b"{}\n" and lines.count(b"\n") == lines.count(b"}\n{") + 1
    return (usual or bool(_ROWS.fullmatch(lines))) and not _TWO.search(lines)


def too_long(block: int) -> str:
    """What is wrong with a line that doesn't fit into a `block` of bytes."""
    return f"it has more than {block:,} bytes, which are read at a time; more --rows read more"


def _misfit(value: object, kind: pa.DataType, name: str) -> str | None:
    """Why a column of `kind` doesn't hold `value` as it is; None if it does."""
    if value is None:
        return None
    if isinstance(value, dict) and pa.types.is_struct(kind):
        parts = [
            (each, f"{name}.{key}" if name else key, kind.get_field_index(key))
            for key, each in value.items()
        ]
        for each, inner, at in parts:
            if at < 0:
                return f", column {inner}: it is new; the first lines decide the columns"
            if wrong := _misfit(each, kind.field(at).type, inner):
                return wrong
        return None
    if isinstance(value, list) and is_list(kind):
        held = (_misfit(each, kind.value_type, f"{name}[{at}]") for at, each in enumerate(value))
        return next(filter(None, held), None)
    if isinstance(value, _Number):
        if value[-1] in "Ny":
            return f", column {name}: {value} is not a JSON number"
        if pa.types.is_floating(kind):
            if _is_float(value):
                return None
            return f", column {name}: {_shown(value)} doesn't fit a float; write it as text"
        fits = pa.types.is_integer(kind) and _is_int64(value)
    elif isinstance(value, bool):
        fits = pa.types.is_boolean(kind)
    else:
        fits = isinstance(value, str) and is_text(kind)
    if fits:
        return None
    return f", column {name}: {_shown(value)} isn't {kind}, as the first lines have it"


def _is_int64(written: str) -> bool:
    with suppress(ValueError):  # a fraction, or too many digits for Python
        return -(2**63) <= int(written) < 2**63
    return False


def _is_float(written: str) -> bool:
    """Whether a float has the value of a number: each whole one, and the nearest to a fraction."""
    if written.lstrip("-").isdigit():
        return _is_int64(written) and abs(int(written)) <= _LAST_WHOLE
    return math.isfinite(float(written))


def _shown(value: object) -> str:
    """A value as it is written, or the beginning of it."""
    text = value if isinstance(value, _Number) else json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
