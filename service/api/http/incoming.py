"""The body of a request as a file, inflated where it is a gzip."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from http import HTTPStatus
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, Any, Protocol

from service.api.http.problems import Problem

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


_MEMBERS = 100_000
"""The most members of a gzip: each takes some time, even if it holds nothing."""

_COMPRESSED = 1 << 14
"""How much of a gzip is inflated at a time: what is behind a member is copied for each member."""

_PIECE = 1 << 20
"""How much of a body is read at a time where all of it is asked for."""


class Readable(Protocol):
    """A binary file, as far as it is read here."""

    def read(self, size: int, /) -> bytes:
        """The next `size` bytes, fewer at the end."""

    def seek(self, offset: int, /) -> object:
        """Goes to `offset`."""


def too_large(limit: int) -> Problem:
    """The problem for a body over `limit` bytes."""
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The body may hold at most {limit} bytes.")


def check_length(environ: WSGIEnvironment, limit: int) -> int:
    """How many bytes to read of a body: `limit` and one more where it doesn't say how long it is.

    Raises `Problem` 413 if it says that it is longer.
    """
    length = environ.get("CONTENT_LENGTH", "")
    if not length.isdecimal():
        return limit + 1
    if int(length) > limit:
        raise too_large(limit)
    return int(length)


class Body:
    """A body of at most `limit` bytes, once it is inflated if it is a gzip.

    Reading raises `Problem` 413 if there are more, 400 if it is no gzip, or breaks off.
    """

    closed = False

    def __init__(self, sent: Readable, limit: int, *, is_gzip: bool) -> None:
        self._limit = self._left = limit
        self._read = self._read_some = sent.read
        if is_gzip:
            file = BufferedReader(_Gzip(sent))
            self._read, self._read_some = file.read, file.read1

    def read(self, size: int = -1) -> bytes:
        """The next `size` bytes, fewer at the end; all of them if it is negative."""
        if size < 0:
            return b"".join(self.pieces(_PIECE))
        return self._next(self._read, min(size, self._left + 1))

    def pieces(self, size: int) -> Iterator[bytes]:
        """All of it, in pieces of at most `size` bytes; all there is before it raises."""
        while piece := self._next(self._read_some, min(size, self._left) or 1):
            yield piece

    def close(self) -> None:
        """There is nothing to close: the file is the server's."""

    def _next(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            data = read(size)
        except EOFError:
            raise Problem(HTTPStatus.BAD_REQUEST, "The body ended within its gzip.") from None
        except zlib.error:
            detail = "The body is not the gzip that Content-Encoding says."
            raise Problem(HTTPStatus.BAD_REQUEST, detail) from None
        if len(data) > self._left:
            raise too_large(self._limit)
        self._left -= len(data)
        return data


class _Gzip(RawIOBase):
    """What the gzip `sent` holds: its members one after the other (RFC 1952, 2.2).

    The `gzip` module has no limit of members, hence this on `zlib`. Reading raises `zlib.error` for
    what is no gzip, `EOFError` if it ends within a member, and `Problem` 413 for too many members.
    """

    def __init__(self, sent: Readable) -> None:
        super().__init__()
        self._sent = sent
        self._compressed = b""
        self._member: zlib._Decompress | None = None
        self._members = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fills `buffer` as far as one read allows, and returns how many bytes that are."""
        data = self._some(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _some(self, most: int) -> bytes:
        """Up to `most` bytes, none at the end."""
        while True:
            member = self._member = self._member or self._next_member()
            if member is None:
                return b""
            compressed = self._compressed or self._sent.read(_COMPRESSED)
            data = member.decompress(compressed, most)
            if member.eof:
                self._member, self._compressed = None, member.unused_data
            else:
                self._compressed = member.unconsumed_tail
            if data:
                return data
            if not compressed and not member.eof:
                raise EOFError

    def _next_member(self) -> zlib._Decompress | None:
        """What inflates the next member, None at the end; zeros may fill the place before it."""
        while True:
            if self._members:
                self._compressed = self._compressed.lstrip(b"\0")
            if self._compressed:
                break
            self._compressed = self._sent.read(_COMPRESSED)
            if not self._compressed:
                return None
        self._members += 1
        if self._members > _MEMBERS:
            raise Problem(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A gzip may have at most {_MEMBERS} members."
            )
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
