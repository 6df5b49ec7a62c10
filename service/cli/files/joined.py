"""Finds out whether a file was joined from several, as by `cat`.

Arrow and Parquet files are read from their end, where a footer says at which byte each part begins.
In a joined file, these are places in the first of them: its rows would be read, or rubbish.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet
from flatbuffers.table import Table

from service.batch.arrow.messages import Fields

_PIECE = 1 << 20
"""Bytes to look through at a time."""

_DICTIONARIES, _BATCHES = 2, 3
"""The fields of an Arrow footer that say where data is (File.fbs)."""

_BLOCK = "<qi4xq"
"""A place there: where it begins, and the lengths of its metadata and its body."""


def check_arrow_file(file: pa.NativeFile) -> None:
    """Raises `pyarrow.ArrowInvalid` if other files come before the last. `file` must be an Arrow
    file; raises `BrokenStream` if it isn't.
    """
    file.seek(file.size() - 10)
    length = int.from_bytes(file.read(4), "little")
    start = file.size() - 10 - length
    file.seek(start)
    footer = Fields(Table(file.read(length), 0)).at(0)
    blocks = [
        block for field in (_DICTIONARIES, _BATCHES) for block in footer.structs(field, _BLOCK)
    ]
    _check(file, start - max(map(sum, blocks), default=0), b"ARROW1", b"ARROW1\0\0")


def check_parquet(file: pa.NativeFile, footer: pyarrow.parquet.FileMetaData) -> None:
    """Raises `pyarrow.ArrowInvalid` if other files come before the one of the `footer`."""
    ends = [0]
    if footer.num_row_groups:
        last = footer.row_group(footer.num_row_groups - 1)
        for place in range(last.num_columns):
            column = last.column(place)
            start = column.dictionary_page_offset or column.data_page_offset
            ends.append(start + column.total_compressed_size)
    _check(file, file.size() - 8 - footer.serialized_size - max(ends), b"PAR1", b"PAR1")


def _check(file: pa.NativeFile, between: int, end: bytes, begin: bytes) -> None:
    """Raises `pyarrow.ArrowInvalid` if a file with `end` and one that has `begin` meet.

    So many bytes are `between` the data that a footer names and the footer itself. All files before
    the last are in it, since the footer doesn't know of them: there are no more bytes to look at.
    """
    file.seek(0)
    kept = b""
    left = between + len(begin)
    while left > len(begin) and (part := file.read(min(left, _PIECE))):
        if end + begin in kept + part:
            raise pa.ArrowInvalid(
                "it holds several files, one after the other, of which only one would be read; "
                "score a folder with all of them instead"
            )
        left -= len(part)
        kept = part[-len(end + begin) :]
