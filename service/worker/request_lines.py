"""The lines of requests in a log in JSON, which are written several at a time."""

from __future__ import annotations

import logging
import re
import select
import time
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from service.notices import escaped, write_now
from service.worker.counting import Outcome

WRITE_SECONDS = 0.05
"""How long a line may wait for others, which are then written with it."""

_TRACEPARENT = re.compile(
    r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
    r"|(?!00|ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?"
).fullmatch
"""W3C Trace Context, 2.2.1; later versions may be longer."""

Line = tuple[float, str, Outcome, int, float, str]
"""When a request ended, its id, its outcome, the bytes and the seconds of the response, and the
`traceparent` that the client sent.
"""


class RequestLines:
    """Lines that wait to be written by `handlers`.

    Several lines in one write take a third of the time. Any thread may `add` a line; the worker's
    loop calls `write_due` after that, and `close` at the end.
    """

    def __init__(self, handlers: Sequence[logging.Handler]) -> None:
        self.waiting: deque[Line] = deque()
        self._handlers = handlers
        self._due = 0.0
        self._closed = False

    def add(self, id_: str, outcome: Outcome, sent: int, seconds: float, traceparent: str) -> None:
        """Adds the line of a request."""
        self.waiting.append((time.time(), id_, outcome, sent, seconds, traceparent))
        if self._closed:
            self.write()

    def write_due(self, now: float) -> None:
        """Writes all lines, unless some were written less than `WRITE_SECONDS` ago."""
        if now >= self._due:
            self._due = now + WRITE_SECONDS
            self.write()

    def write(self) -> None:
        """Writes all lines now; any thread may call this."""
        if not self._handlers:
            self.waiting.clear()
        if not self.waiting:
            return
        first = self._handlers[0]
        first.acquire()  # unlike a lock of our own, it is free after a fork
        try:
            texts = list(_taken(self.waiting))
            for handler in self._handlers:
                if isinstance(handler, logging.StreamHandler):
                    _write(handler, texts)
                else:
                    for text in texts:
                        handler.handle(_record(text))
        finally:
            first.release()

    def close(self) -> None:
        """Writes all lines now, and from then on each at once."""
        self._closed = True
        self.write()


def _taken(waiting: deque[Line]) -> Iterator[str]:
    """The text of each line, which is taken from those that wait."""
    while waiting:
        ended, id_, outcome, sent, seconds, traceparent = waiting.popleft()
        second, micro = divmod(int(ended * 1e6), 1_000_000)
        trace = ""
        if traceparent and _TRACEPARENT(traceparent):
            trace = f',"traceparent":{escaped(traceparent)}'
        yield (
            f'{{"time":"{_time(second)}.{str(micro + 1_000_000)[1:]}Z","level":"info",'
            f'"message":"request","id":{escaped(id_)},{_fields(outcome)},"bytes":{sent},'
            f'"seconds":{seconds:.6f}{trace}}}\n'
        )


@lru_cache(1)
def _time(seconds: int) -> str:
    """A time up to its second; most lines have that of the line before."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


@lru_cache(1024)
def _fields(outcome: Outcome) -> str:
    """The fields of a line that have few values, as JSON without its braces."""
    fields = {
        "method": outcome.method,
        "route": outcome.route.path,
        "variant": outcome.route.variant or None,
        "status": int(outcome.status) if outcome.status.isdigit() else None,
    }
    return escaped(fields)[1:-1]


def _write(handler: logging.StreamHandler[Any], texts: Sequence[str]) -> None:
    """Writes lines at once, which takes a fraction of the time of the handler.

    No more are written at a time than a pipe takes as a whole, so lines of several processes don't
    mix. A pipe or socket that nobody reads takes none: then lines are lost, since a write would
    block the worker's loop.
    """
    place = handler.stream.fileno()
    for text in _pieces(texts):
        try:
            write_now(place, text.encode())
        except OSError:
            handler.handleError(_record(text))


def _pieces(texts: Sequence[str]) -> Iterator[str]:
    """The lines, joined as long as they are no longer than `PIPE_BUF`."""
    piece: list[str] = []
    length = 0
    for text in texts:
        length += len(text)
        if length > select.PIPE_BUF:
            yield "".join(piece)
            piece, length = [], len(text)
        piece.append(text)
    yield "".join(piece)


def _record(text: str) -> logging.LogRecord:
    attributes = {"name": "gunicorn.access", "levelno": logging.INFO, "levelname": "INFO"}
    return logging.makeLogRecord({**attributes, "msg": text.removesuffix("\n")})
