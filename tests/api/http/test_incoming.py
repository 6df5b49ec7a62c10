"""Bodies in chunks, and inflated."""

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
    """Bodies in chunks of a byte each, far more than one packet holds, are read whole."""
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
    """What `packed` holds, read in pieces."""
    return b"".join(Body(BytesIO(packed), limit, is_gzip=True).pieces(1_000))


def test_padded_gzip() -> None:
    """Zeros behind a gzip are padding, as they are to gzip itself; anything else is not."""
    packed = gzip.compress(b"one") + bytes(600) + gzip.compress(b"two") + bytes(7)
    assert inflated(packed, 100) == b"onetwo"
    with pytest.raises(Problem) as error:
        inflated(packed + b"x", 100)
    assert error.value.status == 400


def test_gzip_of_many_members() -> None:
    """A gzip may have many members, with nothing in them or not."""
    members = (gzip.compress(b"ab") + gzip.compress(b"")) * 2_000
    assert inflated(members, 10_000) == b"ab" * 2_000


def test_gzip_of_too_many_members() -> None:
    """More than 100,000 members are a 413, even if they hold nothing: each takes some time."""
    empty = gzip.compress(b"")
    assert inflated(empty * 100_000, 10) == b""
    with pytest.raises(Problem) as error:
        inflated(empty * 100_001, 10)
    detail = "A gzip may have at most 100000 members."
    assert (error.value.status, error.value.detail) == (413, detail)


@pytest.mark.parametrize("end", [1, 9, 10, 15, 30, -8, -4, -1])
@pytest.mark.parametrize("before", [b"", gzip.compress(b"first", mtime=0)], ids=["alone", "second"])
def test_gzip_that_ends_early(before: bytes, end: int) -> None:
    """A gzip that ends within a member is a 400, wherever it ends; nothing at all is nothing."""
    member = gzip.compress(bytes(range(256)) * 300)
    assert inflated(b"", 10) == b""
    with pytest.raises(Problem) as error:
        inflated(before + member[:end], 1 << 20)
    detail = "The body ended within its gzip."
    assert (error.value.status, error.value.detail) == (400, detail)


@pytest.mark.parametrize("limit", [0, 3, 999, 5_999])
def test_gzip_over_the_limit(limit: int) -> None:
    """No more is inflated than a body may hold, and a byte."""
    packed = gzip.compress(b"abcdef" * 1_000)
    with pytest.raises(Problem) as error:
        inflated(packed, limit)
    told = f"The body may hold at most {limit} bytes."
    assert (error.value.status, error.value.detail) == (413, told)
    assert len(inflated(packed, 6_000)) == 6_000


@pytest.mark.parametrize("end", [0, 1, 9, 12, -8, -1])
def test_half_a_gzip(end: int) -> None:
    """A gzip that breaks off, wherever, is refused; nothing at all is an empty one."""
    packed = gzip.compress(b"abcdef" * 1_000)[:end]
    if end:
        with pytest.raises(Problem) as error:
            inflated(packed, 10_000)
        assert error.value.status == 400
    else:
        assert inflated(packed, 10_000) == b""
