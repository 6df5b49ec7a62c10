"""The body of a request as it comes, for operations that answer while they still read."""

from __future__ import annotations

import select
import socket
import zlib
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, Protocol

from gunicorn.http.body import ChunkedReader, LengthReader

from service.api.http.problems import READ_ERRORS, Problem, read_rest

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_PIECE = 1 << 16
"""Bytes that are read at a time where the server doesn't say what has come."""

_INFLATED = 1 << 20
"""Bytes that are inflated at a time."""

_DEFLATED = 1 << 14
"""Bytes of gzip that are looked at at a time: what stands behind a member is copied for each."""

_MEMBERS = 100_000
"""The most members of a gzip; each takes some time, even if it holds nothing."""

_IN_MEMORY = 1 << 20
"""Bytes that are kept in memory; more go to a file in the folder for temporary files."""

STALL_SECONDS = 5
"""How long a client may stall within its request or its answer before it is given up."""

CONNECTION = "dice_scoring.connection"
"""Where the WSGI environment holds the client's `Connection`."""


class Connection(Protocol):
    """The connection of a client, of which a thread may wait for either direction."""

    sock: socket.socket

    def wait(self, events: int) -> int:
        """Waits until the socket is ready for one of `events`, as in `select.poll`.

        Returns for which; raises `TimeoutError` if the client stalls.
        """


def too_large(limit: int) -> Problem:
    """The problem for a body over `limit` bytes."""
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The body may hold at most {limit} bytes.")


def broken_off(error: Exception) -> Problem:
    """The problem for a body that can't be read to its end, because of `error`."""
    if isinstance(error, TimeoutError):
        detail = (
            f"The body stalled for {STALL_SECONDS} seconds, or came slower than a KiB a second."
        )
        return Problem(HTTPStatus.REQUEST_TIMEOUT, detail)
    told = "The body broke off, or its chunks are not as they should."
    return Problem(HTTPStatus.BAD_REQUEST, told)


def ended_early(received: int, expected: int) -> Problem:
    """The problem for a body shorter than it said."""
    told = f"The body ended after {received} of {expected} bytes."
    return Problem(HTTPStatus.BAD_REQUEST, told)


class Incoming:
    """The body of one request, of at most `limit` bytes, in pieces as they come.

    A client that sends a line and waits for its answer gets one: WSGI's own reading would wait
    until a whole block is there, so under gunicorn its reader is asked itself.
    """

    def __init__(self, environ: WSGIEnvironment, limit: int) -> None:
        """Raises `Problem` 413 if the body says that it is over the limit."""
        self._limit = limit
        self._input: Any = environ["wsgi.input"]
        self._connection: Connection | None = environ.get(CONNECTION)
        length = environ.get("CONTENT_LENGTH", "")
        self._expected = int(length) if length.isdecimal() else None
        if self._expected is None and not environ.get("wsgi.input_terminated"):
            self._expected = 0
        if (self._expected or 0) > limit:
            raise too_large(limit)
        self._received = 0
        self._ended = False
        self._broken: Problem | None = None
        self._kept: IO[bytes] | None = None
        self._kept_end = self._kept_read = 0

    def __iter__(self) -> Iterator[bytes]:
        """All pieces. Raises `Problem` 400 if the body breaks off, 413 if it is over the limit."""
        while piece := self._kept_piece() or self._receive():
            yield piece

    def answered_by(self, parts: Iterable[bytes]) -> Iterator[bytes]:
        """`parts` of an answer that is made while the body is read, so that neither side is stuck.

        A client that sends its whole body before it reads would wait for the service, and
        the service for the client. So a part is only sent when the client takes it; what
        the client sends until then is kept in a file. An answer that ends before the body does is
        followed by reading the rest, so that the client isn't cut off before it sees the answer.
        """
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as self._kept:
            yield b""  # sends the head: some clients send nothing more until they have it
            size = self._sendable()
            for part in parts:
                for start in range(0, len(part), size):
                    self._keep_until_writable()
                    yield part[start : start + size]
        if not self._ended:
            read_rest(self._read)

    def _sendable(self) -> int:
        """How many bytes can be sent without waiting once the socket takes any.

        It does when a third of its buffer is free; this is a quarter.
        """
        if self._connection is None:
            return _PIECE
        return max(self._connection.sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) // 4, 4096)

    def _keep_until_writable(self) -> None:
        """Waits until the client takes something, and keeps what it sends until then."""
        while self._connection is not None and self._kept is not None:
            ready = self._connection.wait(select.POLLOUT | (0 if self._ended else select.POLLIN))
            if ready & ~select.POLLIN:
                return  # it takes something, or is gone, as sending will tell
            try:
                piece = self._receive()
            except Problem as problem:
                self._broken = problem
            else:
                self._kept.seek(self._kept_end)
                self._kept_end += self._kept.write(piece)

    def _kept_piece(self) -> bytes:
        """The next piece of what was kept, empty if there is none."""
        if self._kept is None or self._kept_read == self._kept_end:
            return b""
        self._kept.seek(self._kept_read)
        piece = self._kept.read(_PIECE)
        self._kept_read += len(piece)
        return piece

    def _receive(self) -> bytes:
        """The next piece from the client, empty at the end."""
        if self._broken is not None:
            raise self._broken
        if self._ended:
            return b""
        try:
            piece = self._read()
        except READ_ERRORS as error:
            self._ended = self._input.failed = True
            raise broken_off(error) from None
        self._received += len(piece)
        self._ended = not piece
        if self._ended and self._expected and self._received < self._expected:
            raise ended_early(self._received, self._expected)
        if self._received > self._limit:
            self._ended = True
            raise too_large(self._limit)
        return piece

    def _read(self, most: int = _PIECE) -> bytes:
        """What has come: at least a byte, none at the end.

        Of a server other than gunicorn, at most so many bytes, once all of them have come.

        Of gunicorn's readers it is taken as given that `parser` yields what one `recv` brought,
        sometimes nothing, that `buf` holds what `read` left, and that `unreader` does as it says.
        """
        reader = getattr(self._input, "reader", None)
        piece: bytes
        if isinstance(reader, ChunkedReader) and reader.parser and not reader.buf.tell():
            piece = next(filter(None, reader.parser), b"")
        elif isinstance(reader, LengthReader) and reader.length:
            unreader: Any = reader.unreader
            piece = unreader.read(None, read_ahead=reader.length)
            piece, next_request = piece[: reader.length], piece[reader.length :]
            unreader.unread(next_request)
            reader.length -= len(piece)
        else:
            piece = self._input.read(most)
        return piece


class PieceFile:
    """A file to read, made of pieces."""

    closed = False

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._rest = memoryview(b"")

    def read(self, size: int = -1) -> bytes | memoryview:
        """The next `size` bytes, fewer at the end; all of them if it is negative."""
        if not size:
            return b""
        first = self._part(size)
        if not first or len(first) == size:
            return first
        data = bytearray(first)
        while len(data) != size and (part := self._part(size - len(data) if size > 0 else -1)):
            data += part
        return bytes(data)

    def _part(self, size: int) -> memoryview:
        """What can be had without another piece, at most `size` bytes if that isn't negative."""
        self._rest = self._rest or memoryview(next(self._pieces, b""))
        part = self._rest[: max(size, 0) or None]
        self._rest = self._rest[len(part) :]
        return part

    def close(self) -> None:
        """There is nothing to close."""


def cut(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    """`pieces`, none of them larger than `size`."""
    for piece in pieces:
        for start in range(0, len(piece), size):
            yield piece[start : start + size]


def inflated(pieces: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The bytes that gzip `pieces` hold, of one member or several, at most `limit`.

    Raises `Problem` 413 if there are more, 400 if it is no gzip, or breaks off.
    """
    total = 0
    member = _member()
    begun = False
    members = 0
    try:
        for piece in cut(pieces, _DEFLATED):
            piece = piece if begun else piece.lstrip(b"\0")  # padding, as gzip itself allows it
            begun = more = begun or bool(piece)
            while more:
                data = member.decompress(piece, _INFLATED)
                total += len(data)
                if total > limit:
                    raise too_large(limit)
                if data:
                    yield data
                if member.eof:
                    piece = member.unused_data.lstrip(b"\0")
                    member = _member()
                    members += 1
                    begun = more = bool(piece)
                else:
                    piece = member.unconsumed_tail
                    more = bool(piece) or len(data) == _INFLATED
                if members > _MEMBERS:
                    told = f"The gzip may have at most {_MEMBERS} members."
                    raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told)
    except zlib.error as error:
        told = f"The body is not the gzip that Content-Encoding says: {error}."
        raise Problem(HTTPStatus.BAD_REQUEST, told) from None
    if begun:
        raise Problem(HTTPStatus.BAD_REQUEST, "The body ended within its gzip.")


def _member() -> zlib._Decompress:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
