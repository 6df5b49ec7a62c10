"""Bodies as they come: cut anywhere by the network, inflated, given way to."""

from __future__ import annotations

import gzip
from json import dumps
from typing import Any

import pytest
from gunicorn.http.body import Body, ChunkedReader
from gunicorn.http.unreader import IterUnreader

from service.api.http.incoming import Incoming, inflated
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


def test_a_chunked_body_that_comes_in_any_two_parts() -> None:
    """Wherever the network cuts a body in chunks, all of it is read."""
    body = chunked(b'{"dice":[1,2,3,4,6]}\n', b"x" * 20)
    for cut in range(1, len(body)):
        request: Any = None
        reader = ChunkedReader(request, IterUnreader(iter([body[:cut], body[cut:]])))
        environ: Any = {"wsgi.input": Body(reader), "wsgi.input_terminated": True}
        received = b"".join(Incoming(environ, 1000))
        assert received == b'{"dice":[1,2,3,4,6]}\n' + b"x" * 20, body[:cut]


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


def test_padded_gzip() -> None:
    """Zeros behind a gzip are padding, as they are to gzip itself; anything else is not."""
    packed = gzip.compress(b"one") + bytes(600) + gzip.compress(b"two") + bytes(7)
    for size in (1, 100, 10_000):
        pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
        assert b"".join(inflated(pieces, 100)) == b"onetwo"
    with pytest.raises(Problem) as error:
        list(inflated([packed + b"x"], 100))
    assert error.value.status == 400


def test_gzip_of_many_members() -> None:
    """A gzip may have many members, in pieces of any size, but not without end."""
    members = gzip.compress(b"ab") * 2_000
    for size in (1, 7, 20_000):
        pieces = [members[start : start + size] for start in range(0, len(members), size)]
        assert b"".join(inflated(pieces, 10_000)) == b"ab" * 2_000
    with pytest.raises(Problem) as error:
        list(inflated([gzip.compress(b"") * 100_001], 10_000))
    assert (error.value.status, error.value.detail) == (
        413,
        "The gzip may have at most 100000 members.",
    )
