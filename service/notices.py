"""Lines for the operator that are not about a request, in the format of the log."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
import time
from datetime import UTC, datetime
from json import JSONEncoder
from typing import Any

from service.metrics.declared import LINES_LOST
from service.settings import IN_JSON

_MOST_BYTES = 12
"""The most bytes that a character has in a log: those of two escapes such as `\\ud83c\\udfb2`."""

_encode = JSONEncoder(separators=(",", ":")).encode

_NO_WAIT: int = getattr(os, "RWF_NOWAIT", 0)  # only Linux has it

_NO_SUCH_CALL = (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.ESPIPE)
"""The errors of systems, and of kinds of files, that can't write without waiting."""


def notice(text: str, log_format: str) -> None:
    """Prints a line on standard error, in one write: other processes print there too.

    In JSON, a line is lost if nobody reads the log. The plain format is that of gunicorn's log.
    """
    if log_format == IN_JSON:
        line = encoded(log_line(datetime.now(UTC), "warning", "service", text))
        write_now(sys.stderr.fileno(), f"{line}\n".encode())
        return
    now = time.strftime("[%Y-%m-%d %H:%M:%S %z]")
    sys.stderr.write(f"{now} [{os.getpid()}] [WARNING] {text}\n")
    sys.stderr.flush()


def write_now(descriptor: int, data: bytes) -> bool:
    """Writes lines, `PIPE_BUF` bytes at most, to a file, pipe or socket. Raises `OSError`.

    If it would have to wait, since nobody reads, they are lost and counted, and it returns False.
    Other processes may write to the same pipe, so it isn't enough to ask whether there is room.
    """
    lines = data.count(b"\n")
    write = os.write if stat.S_ISREG(os.fstat(descriptor).st_mode) else _write_if_room
    try:
        while data:
            data = data[write(descriptor, data) :]
    except BlockingIOError:
        LINES_LOST.of().add(lines)
        return False
    return True


def _write_if_room(descriptor: int, data: bytes) -> int:
    """Writes `data` to a pipe or socket, and returns how many bytes of it.

    Raises `BlockingIOError` if there is no room. Where the system has no call that doesn't wait,
    this asks for room first.
    """
    if _NO_WAIT:
        try:
            return os.pwritev(descriptor, [data], -1, _NO_WAIT)
        except OSError as error:
            if error.errno not in _NO_SUCH_CALL:
                raise
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    if not poll.poll(0):
        raise BlockingIOError
    return os.write(descriptor, data)


def log_line(at: datetime, level: str, logger: str, message: str) -> dict[str, Any]:
    """What a line of the log in JSON says; `at` is in UTC."""
    return {
        "time": at.isoformat().replace("+00:00", "Z"),
        "level": level,
        "logger": logger,
        "process": os.getpid(),
        "message": message,
    }


def encoded(line: dict[str, Any]) -> str:
    """A line of the log in JSON, without a line feed.

    With its line feed it has at most `PIPE_BUF` bytes, so that a pipe takes it as a whole. If it is
    longer, the beginning of the traceback is left out, then the end of the message.
    """
    for name, rest, mark in (
        ("exception", _without_beginning, "...{}".format),
        ("message", _without_end, "{}...".format),
    ):
        kept = line.get(name, "")
        while kept and (excess := len(escaped(line)) + 1 - select.PIPE_BUF) > 0:
            kept = rest(kept, excess // _MOST_BYTES + 1)
            line = {**line, name: mark(kept)}
    return escaped(line)


def escaped(value: object) -> str:
    """`value` as JSON in printable ASCII.

    Every log has what a client sent in this form only, so that it can't end its field or its line,
    or control a terminal.
    """
    return _encode(value).replace("\x7f", "\\u007f")


def _without_beginning(text: str, characters: int) -> str:
    return text[characters:]


def _without_end(text: str, characters: int) -> str:
    return text[:-characters]
