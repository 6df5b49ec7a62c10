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


def notice(text: str) -> None:
    """Prints a line on standard error, in one write: other processes print there too.

    In JSON, a line is lost if nobody reads the log.
    """
    if Settings.from_environment().log_format == IN_JSON:
        if not takes(sys.stderr.fileno()):
            LINES_LOST.add()
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
    """A line of the log in JSON, without a line feed. Times have the zone Z."""
    return orjson.dumps(line, option=orjson.OPT_UTC_Z).decode()
