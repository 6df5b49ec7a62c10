"""Request bodies that are chunked or compressed."""

from __future__ import annotations

import gzip
from io import BytesIO
from json import dumps

import pytest

from service.api.http.incoming import Body
from service.api.http.problems import Problem
from tests.api.batch.batching import (
    ARROW,
    CHUNKED,
    NDJSON,
    arrow,
    batch,
    chunked,
    head,
    parsed,
    post,
)
from tests.live import JSON, Service


def test_a_body_in_tiny_chunks(service: Service) -> None:
    """A body in chunks of one byte each, in many packets, is read completely."""
    path = batch("poker-dice")
    hands = [[1, 2, 3, 4, 6]] * 2_000
    line = b'{"dice":[1,2,3,4,6]' + b" " * 20_000 + b"}\n"
    bodies = {JSON: dumps({"hands": hands}).encode(), NDJSON: line * 2, ARROW: arrow(hands)}
    for media_type, body in bodies.items():
        single = [body[place : place + 1] for place in range(len(body))]
        reply = parsed(service.send(head(media_type, CHUNKED, path=path) + chunked(*single)))
        assert reply.status == 200
        assert reply.body == post(service, body, media_type, path).body


def inflated(packed: bytes, limit: int) -> bytes:
    """The decompressed content of `packed`, read in pieces."""
    return b"".join(Body(BytesIO(packed), limit, is_gzip=True).pieces(1_000))


def test_padded_gzip() -> None:
    """Zeros after a gzip are padding, as for gzip itself; any other bytes get a 400."""
    packed = gzip.compress(b"one") + bytes(600) + gzip.compress(b"two") + bytes(7)
    assert inflated(packed, 100) == b"onetwo"
    with pytest.raises(Problem) as error:
        inflated(packed + b"x", 100)
    assert error.value.status == 400


def test_gzip_of_many_members() -> None:
    """A gzip may have many members, even empty ones."""
    members = (gzip.compress(b"ab") + gzip.compress(b"")) * 2_000
    assert inflated(members, 10_000) == b"ab" * 2_000


def test_gzip_of_too_many_members() -> None:
    """A gzip with more than 100,000 members gets a 413, even if they are empty: each takes time."""
    empty = gzip.compress(b"")
    assert inflated(empty * 100_000, 10) == b""
    with pytest.raises(Problem) as error:
        inflated(empty * 100_001, 10)
    detail = "A gzip may have at most 100000 members."
    assert (error.value.status, error.value.detail) == (413, detail)


@pytest.mark.parametrize("end", [1, 9, 10, 15, 30, -8, -4, -1])
@pytest.mark.parametrize("before", [b"", gzip.compress(b"first", mtime=0)], ids=["alone", "second"])
def test_gzip_that_ends_early(before: bytes, end: int) -> None:
    """A gzip that ends within a member gets a 400, wherever it ends; an empty body is an empty
    gzip.
    """
    member = gzip.compress(bytes(range(256)) * 300)
    assert inflated(b"", 10) == b""
    with pytest.raises(Problem) as error:
        inflated(before + member[:end], 1 << 20)
    detail = "The body ended within its gzip."
    assert (error.value.status, error.value.detail) == (400, detail)


@pytest.mark.parametrize("limit", [0, 3, 999, 5_999])
def test_gzip_over_the_limit(limit: int) -> None:
    """A gzip is decompressed up to the limit and one byte more, however much it holds."""
    packed = gzip.compress(b"abcdef" * 1_000)
    with pytest.raises(Problem) as error:
        inflated(packed, limit)
    detail = f"The body may hold at most {limit} bytes."
    assert (error.value.status, error.value.detail) == (413, detail)
    assert len(inflated(packed, 6_000)) == 6_000


@pytest.mark.parametrize("end", [0, 1, 9, 12, -8, -1])
def test_half_a_gzip(end: int) -> None:
    """An incomplete gzip is refused wherever it ends; an empty body is an empty gzip."""
    packed = gzip.compress(b"abcdef" * 1_000)[:end]
    if end:
        with pytest.raises(Problem) as error:
            inflated(packed, 10_000)
        assert error.value.status == 400
    else:
        assert inflated(packed, 10_000) == b""
