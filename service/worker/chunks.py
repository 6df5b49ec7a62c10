"""Decodes chunked bodies (RFC 9112, 7.1)."""

from __future__ import annotations

import re
from collections.abc import Callable

LINE_BYTES = 4096
"""The longest line with the size of a chunk, or with a trailer."""

TRAILER_BYTES = 1 << 16
"""The longest trailers, all together."""

_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(;[^\r\n\0]*)?").fullmatch
_TRAILER = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*").fullmatch
_LINE_END = b"\r\n"


class BrokenChunks(ValueError):
    """The chunked encoding of a body is invalid."""


class Chunks:
    """Removes the framing of a body, and passes the content to `write`, piece by piece.

    `ended` says whether the last chunk and the trailers have arrived, or nothing more is wanted;
    `count` is how many chunks have begun. Each byte is scanned once.
    """

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._missing = 0  # bytes of the chunk, then of the line end behind it
        self._in_trailers = False
        self._trailer_bytes = 0
        self.count = 0
        self.ended = False

    @property
    def missing_bytes(self) -> int:
        """How many bytes of the current chunk are missing; 0 between chunks."""
        return max(self._missing - len(_LINE_END), 0)

    def take(self, data: bytes) -> bytes:
        """Decodes `data` as far as possible, and returns the rest.

        The rest belongs to the next request, or is part of a line. Raises `BrokenChunks`.
        """
        at = 0
        while not self.ended:
            if self._missing > len(_LINE_END):
                piece = data[at : at + self._missing - len(_LINE_END)]
                if not piece:
                    break
                self._write(piece)
                self._missing -= len(piece)
                at += len(piece)
                continue
            end = data.find(b"\n", at, at + LINE_BYTES + len(_LINE_END)) + 1
            if not end:
                if len(data) - at > LINE_BYTES:
                    raise BrokenChunks("a line is too long")
                break
            line = data[at:end]
            if not line.endswith(_LINE_END):
                raise BrokenChunks("a line ends without a carriage return")
            self._take_line(line.removesuffix(_LINE_END))
            at = end
        return data[at:]

    def stop(self) -> None:
        """Ends the decoding: `write` calls it to get nothing more."""
        self.ended = True

    def _take_line(self, line: bytes) -> None:
        if self._missing:  # the end of a chunk
            self._missing = 0
            if line:
                raise BrokenChunks("a chunk is longer than its size")
        elif self._in_trailers:
            self._trailer_bytes += len(line)
            self.ended = not line
            if line and (not _TRAILER(line) or self._trailer_bytes > TRAILER_BYTES):
                raise BrokenChunks("the trailers can't be parsed")
        else:
            size = _SIZE(line)
            if size is None:
                raise BrokenChunks("the size of a chunk can't be parsed")
            length = int(size[1], 16)
            self.count += 1
            self._in_trailers = not length
            self._missing = length + len(_LINE_END) if length else 0
