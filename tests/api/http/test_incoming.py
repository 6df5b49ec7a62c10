"""Request bodies that are chunked or compressed."""

from __future__ import annotations

import gzip
from io import BytesIO
from json import dumps

import pytest

from service.api.http.bodies import Body
from service.api.http.problem_details import Problem
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
    """Zeros behind a gzip are padding, as for gzip itself."""
    assert inflated(gzip.compress(b"one") + bytes(20_000), 100) == b"one"
    assert inflated(gzip.compress(b""), 100) == b""


@pytest.mark.parametrize("end", [30, -8, -1])
def test_a_gzip_cut_short(end: int) -> None:
    """A gzip that ends early gets a 400: in its first piece, before its checksum or within it."""
    packed = gzip.compress(b"".join(number.to_bytes(3) for number in range(25_600)))
    with pytest.raises(Problem) as error:
        inflated(packed[:end], 100_000)
    detail = "The body ended within its gzip."
    assert (error.value.cause.status, str(error.value)) == (400, detail)


@pytest.mark.parametrize("zeros", [0, 7, 20_000])
@pytest.mark.parametrize(
    "behind",
    [b"x", gzip.compress(b""), gzip.compress(b"two")],
    ids=["byte", "empty member", "member"],
)
def test_more_than_a_gzip(zeros: int, behind: bytes) -> None:
    """Anything else behind a gzip gets a 400, a second member, too; what comes before is read."""
    body = Body(BytesIO(gzip.compress(b"one") + bytes(zeros) + behind), 100, is_gzip=True)
    assert body.read(3) == b"one"
    with pytest.raises(Problem) as error:
        body.read(1)
    detail = "The body must be one gzip member, with nothing after it."
    assert (error.value.cause.status, str(error.value)) == (400, detail)


@pytest.mark.parametrize("limit", [0, 3, 999, 5_999])
def test_gzip_over_the_limit(limit: int) -> None:
    """A gzip is decompressed up to the limit and one byte more, however much it holds."""
    packed = gzip.compress(b"abcdef" * 1_000)
    with pytest.raises(Problem) as error:
        inflated(packed, limit)
    detail = f"The body may hold at most {limit} bytes."
    assert (error.value.cause.status, str(error.value)) == (413, detail)
    assert len(inflated(packed, 6_000)) == 6_000
