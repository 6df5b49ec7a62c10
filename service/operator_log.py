"""Lines for the operator. In JSON, each is an object, and nobody waits for whoever reads them."""

from __future__ import annotations

import logging
import os
import select
import stat
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from json import JSONEncoder
from typing import IO, Any

from service.metrics.declared import LINES_LOST
from service.settings import IN_JSON

_MOST_BYTES = 12
"""The most bytes that a character has in a log: those of two escapes such as `\\ud83c\\udfb2`."""

_encode = JSONEncoder(separators=(",", ":")).encode

_NO_WAIT: int = getattr(os, "RWF_NOWAIT", 0)  # only Linux has it


def notice(text: str, log_format: str) -> None:
    """Prints a warning on standard error, in one write: other processes print there too."""
    if log_format == IN_JSON:
        record = {"name": "service", "levelname": "WARNING", "msg": text}
        line = JsonFormatter().format(logging.makeLogRecord(record))
        LogStream(sys.stderr).write(f"{line}\n")
        return
    now = time.strftime("[%Y-%m-%d %H:%M:%S %z]")
    with suppress(OSError):  # nobody may read it
        sys.stderr.write(f"{now} [{os.getpid()}] [WARNING] {text}\n")
        sys.stderr.flush()


class JsonFormatter(logging.Formatter):
    """A record as JSON, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without a line feed.

        With its line feed it has at most `PIPE_BUF` bytes, so that a pipe takes it as a whole. If
        it is longer, the beginning of the traceback is left out, then the end of the message.
        """
        line = {
            "time": timestamp(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        for name, mark in ("exception", "...{}"), ("message", "{}..."):
            kept = str(line.get(name, ""))
            while kept and (excess := len(escaped(line)) + 1 - select.PIPE_BUF) > 0:
                cut = excess // _MOST_BYTES + 1
                kept = kept[cut:] if name == "exception" else kept[:-cut]
                line[name] = mark.format(kept)
        return escaped(line)


class LogStream:
    """Writes lines to the file of a `stream`, each at once.

    It never waits for a reader: a line that nobody reads, or that a full disk doesn't take, is lost
    and counted.

    A handler of `logging` can have it. A pipe takes a line of `PIPE_BUF` bytes as a whole, so lines
    of several processes don't mix.
    """

    def __init__(self, stream: IO[Any]) -> None:
        self.fileno, self.close = stream.fileno, stream.close
        regular = stat.S_ISREG(os.fstat(self.fileno()).st_mode)
        self._write = os.write if regular else _write_if_room

    def write(self, line: str) -> None:
        """Writes a line with its line feed."""
        data = line.encode()
        try:
            while data:
                data = data[self._write(self.fileno(), data) :]
        except OSError:
            LINES_LOST.of().add()

    def flush(self) -> None:
        """Does nothing: no line waits."""


def _write_if_room(descriptor: int, data: bytes) -> int:
    """Writes `data` to a pipe or socket, and returns how many bytes of it.

    Raises `BlockingIOError` if there is no room. Other processes may write to the same pipe, so it
    isn't enough to ask for room first; but some systems, and kinds of files, have nothing better.
    """
    if _NO_WAIT:
        try:
            return os.pwritev(descriptor, [data], -1, _NO_WAIT)
        except BlockingIOError:
            raise
        except OSError:  # this kind of file can't, or the write below fails, too
            pass
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    if not poll.poll(0):
        raise BlockingIOError
    return os.write(descriptor, data)


def timestamp(seconds: float) -> str:
    """A time in UTC, given in seconds since 1970."""
    at = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
    return at.replace("+00:00", "Z")


def escaped(value: object) -> str:
    """`value` as JSON in printable ASCII.

    Every log has what a client sent in this form only, so that it can't end its field or its line,
    or control a terminal.
    """
    return _encode(value).replace("\x7f", "\\u007f")
