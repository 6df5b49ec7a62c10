"""Chunked bodies, decoded from pieces of any size."""

from __future__ import annotations

import pytest

from service.worker.chunks import LINE_BYTES, TRAILER_BYTES, BrokenChunks, Chunks

WHOLE = b"5\r\nhello\r\n00B;a=b\r\n\r\n\r\n\r\n worl\r\n0 ;last\r\nSome: trailer\r\n\r\n"
BODY = b"hello\r\n\r\n\r\n worl"


def taken(*pieces: bytes) -> tuple[bytes, bytes, bool]:
    """The decoded body, the bytes left over, and whether the body has ended."""
    found: list[bytes] = []
    chunks = Chunks(found.append)
    rest = b""
    for piece in pieces:
        rest = chunks.take(rest + piece)
    return b"".join(found), rest, chunks.ended


def test_cut_anywhere() -> None:
    """A chunked body can be cut anywhere: it is decoded completely, and what follows is left."""
    for size in range(1, len(WHOLE) + 1):
        pieces = [WHOLE[place : place + size] for place in range(0, len(WHOLE), size)]
        assert taken(*pieces) == (BODY, b"", True)
    assert taken(WHOLE + b"GET /") == (BODY, b"GET /", True)


def test_each_byte_is_looked_at_once() -> None:
    """Each byte is scanned once: a chunk that holds lines is passed on in the pieces it came in."""
    found: list[bytes] = []
    chunks = Chunks(found.append)
    lines = b"\r\n" * 32_000
    assert chunks.take(b"%x\r\n" % (10 * len(lines))) == b""
    for _ in range(10):
        assert chunks.take(lines) == b""
    assert chunks.take(b"\r\n0\r\n\r\n") == b""
    assert found == [lines] * 10
    assert chunks.ended


def test_counted() -> None:
    """The chunks that have begun are counted, the last one too, and what the current one misses."""
    chunks = Chunks(lambda _: None)
    chunks.take(b"1\r\na\r\n" * 3)
    assert (chunks.count, chunks.missing_bytes) == (3, 0)
    chunks.take(b"a\r\nhello")
    assert (chunks.count, chunks.missing_bytes) == (4, 5)
    chunks.take(b"world")
    assert (chunks.count, chunks.missing_bytes) == (4, 0)
    chunks.take(b"\r\n0\r\n\r\n")
    assert (chunks.count, chunks.missing_bytes) == (5, 0)


def test_stopped() -> None:
    """Once stopped, by the function that gets the pieces, it decodes nothing more of the same data.

    What is behind that place may even be invalid.
    """
    found: list[bytes] = []

    def write(piece: bytes) -> None:
        found.append(piece)
        chunks.stop()

    chunks = Chunks(write)
    assert chunks.take(b"5\r\nhello, not a line end\n") == b", not a line end\n"
    assert (found, chunks.ended) == ([b"hello"], True)


@pytest.mark.parametrize(
    "broken",
    [
        b"\r\n",
        b"g\r\n",
        b"0x5\r\nhello\r\n",
        b"-5\r\nhello\r\n",
        b"+5\r\nhello\r\n",
        b" 5\r\nhello\r\n",
        b"5_0\r\nhello\r\n",
        b"\xd9\xa5\r\nhello\r\n",
        b"5 5\r\nhello\r\n",
        b"5\nhello\r\n",
        b"5;a\nb\r\nhello\r\n",
        b"5\r\nhello!\r\n",
        b"5\r\nhello0\r\n\r\n",
        b"1000000000000000\r\n",
        b"0\r\nno trailer\r\n\r\n",
        b"0\r\n: empty\r\n\r\n",
        b"0\r\nA: b\nC: d\r\n\r\n",
        b"0\r\n" + b"A: b\r\n" * (TRAILER_BYTES // 4 + 1),
        b"5;" + b"a" * LINE_BYTES,
        b"5\r\nhello" + b"!" * (LINE_BYTES + 1),
    ],
)
def test_broken_framing(broken: bytes) -> None:
    """Invalid chunked encodings (RFC 9112, 7.1) are refused, in one piece or byte by byte."""
    with pytest.raises(BrokenChunks):
        taken(broken)
    with pytest.raises(BrokenChunks):
        taken(*[broken[place : place + 1] for place in range(len(broken))])
