"""Bodies as they come: cut anywhere by the network, inflated, given way to."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from gunicorn.http.body import Body, ChunkedReader
from gunicorn.http.unreader import IterUnreader

from service.api.incoming import Incoming, inflated
from service.api.problems import Problem
from tests.api.batching import chunked


def test_a_chunked_body_that_comes_in_any_two_parts() -> None:
    """Wherever the network cuts a body in chunks, all of it is read."""
    body = chunked(b'{"dice":[1,2,3,4,6]}\n', b"x" * 20)
    for cut in range(1, len(body)):
        request: Any = None
        reader = ChunkedReader(request, IterUnreader(iter([body[:cut], body[cut:]])))
        environ: Any = {"wsgi.input": Body(reader), "wsgi.input_terminated": True}
        received = b"".join(Incoming(environ, 1000))
        assert received == b'{"dice":[1,2,3,4,6]}\n' + b"x" * 20, body[:cut]


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
