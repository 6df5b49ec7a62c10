"""Lines for the operator that are not about a request, in the format of the log."""

from __future__ import annotations

import os
import select
import sys
from datetime import UTC, datetime
from typing import Any

import orjson

from service.metrics.declared import LINES_LOST
from service.settings import IN_JSON, Settings

_MOST_BYTES = 6
"""The most bytes that a character has in JSON: those of an escape such as `\\u0001`."""


def notice(text: str) -> None:
    """Prints a line on standard error, in one write: other processes print there too.

    In JSON, a line is lost if nobody reads the log.
    """
    if Settings.from_environment().log_format == IN_JSON:
        if not takes(sys.stderr.fileno()):
            LINES_LOST.of().add()
            return
        text = encoded(log_line(datetime.now(UTC), "warning", "service", text))
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def takes(descriptor: int) -> bool:
    """Whether a file, pipe or socket takes `PIPE_BUF` bytes now: nobody may read it."""
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return bool(poll.poll(0))


def log_line(time: datetime, level: str, logger: str, message: str) -> dict[str, Any]:
    """What a line of the log in JSON says."""
    return {
        "time": time,
        "level": level,
        "logger": logger,
        "process": os.getpid(),
        "message": message,
    }


def encoded(line: dict[str, Any]) -> str:
    """A line of the log in JSON, without a line feed. Times have the zone Z.

    With its line feed it has at most `PIPE_BUF` bytes, so that a pipe takes it as a whole. If it is
    longer, the beginning of the traceback is left out, then the end of the message.
    """
    for name, rest, mark in (
        ("exception", _without_beginning, "...{}".format),
        ("message", _without_end, "{}...".format),
    ):
        kept = line.get(name, "")
        while kept and (excess := len(_dumped(line)) + 1 - select.PIPE_BUF) > 0:
            kept = rest(kept, excess // _MOST_BYTES + 1)
            line = {**line, name: mark(kept)}
    return _dumped(line).decode()


def _dumped(line: dict[str, Any]) -> bytes:
    return orjson.dumps(line, option=orjson.OPT_UTC_Z)


def _without_beginning(text: str, characters: int) -> str:
    return text[characters:]


def _without_end(text: str, characters: int) -> str:
    return text[:-characters]
