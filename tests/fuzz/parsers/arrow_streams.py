"""Batches as Arrow streams: the response is what the contract allows, and never 500."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pyarrow as pa
import pytest

from tests.api.batch.batching import ARROW, stream
from tests.contract.openapi import operations, read_contract
from tests.fuzz.app import ask

DICTIONARY = (b"\xff" * 4, bytes(4), b"dice", b"ARROW1", b"\x08" + bytes(3), b"\x01")

UNREADABLE = (pa.ArrowException, OSError)
"""What pyarrow raises for a stream that it can't read."""


@cache
def paths() -> list[str]:
    """The paths that take Arrow streams."""
    return [
        path
        for path, _, operation in operations(read_contract())
        if ARROW in operation.get("requestBody", {}).get("content", {})
    ]


def seeds() -> Iterator[bytes]:
    """The path as one byte, then a stream."""
    hands = [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]]
    columns = [
        pa.array(hands, pa.list_(pa.uint8(), 5)),
        pa.array(hands, pa.list_(pa.int64())),
        pa.array([[1, 2, 3, 4, 5, 6, 7], [0, 9, 23, 8, 11, 12, 13]], pa.list_(pa.uint8(), 7)),
        pa.array([["9", "T", "J", "Q", "K"]], pa.list_(pa.string())),
        pa.array([["9", "9", "J", "Q", "A"]], pa.list_(pa.dictionary(pa.int8(), pa.string()), 5)),
        pa.array([None, [1, 2, 3, 4, 5]], pa.large_list(pa.uint8())),
        pa.array([[1, None, 3, 4, 5]], pa.list_(pa.uint8(), 5)),
        pa.array(["13456"]),
    ]
    for place in range(len(paths())):
        for column in columns:
            yield bytes([place]) + stream([{"dice": column}])
        yield bytes([place]) + stream([{"dice": columns[0]}, {"dice": columns[0]}])
        further = {"id": pa.array([1, None]), "who": pa.array(["a", "b"]).dictionary_encode()}
        views = {"view": pa.array(["a" * 20, "b"], pa.string_view()), "dice": columns[0]}
        yield bytes([place]) + stream([{**further, **views, "list": columns[1]}])


def check(data: bytes) -> None:
    """Sends a stream to one of the paths."""
    path = paths()[max(data[:1], default=0) % len(paths())]
    lines = (f"POST {path} HTTP/1.1", "Host: a", f"Content-Type: {ARROW}", "", "")
    for accept in ("", f"Accept: {ARROW}"):
        given = lines if not accept else (*lines[:3], accept, "", "")
        try:
            ask("\r\n".join(given).encode(), data[1:])
        except UNREADABLE:  # the response repeats what nobody can read in the request
            with pytest.raises(UNREADABLE):
                pa.ipc.open_stream(data[1:]).read_all()
