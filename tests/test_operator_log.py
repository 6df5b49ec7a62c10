"""Lines of the log in JSON: too long for a pipe to take as a whole, or without room in it."""

from __future__ import annotations

import json
import logging
import os
import select
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from gunicorn.config import Config

from service.access_log import JsonLogger
from service.metrics.declared import LINES_LOST
from service.metrics.instruments import totals
from service.operator_log import JsonFormatter, LogStream

LINE = "x" * (select.PIPE_BUF - 1) + "\n"


def formatted(message: str, exception: str = "") -> str:
    """The line of an error."""
    record = {"name": "service", "levelname": "ERROR", "msg": message, "created": 1767323045}
    if exception:
        record["exc_info"] = (ValueError, ValueError(exception), None)
    return JsonFormatter().format(logging.makeLogRecord(record))


def line(**fields: str) -> dict[str, Any]:
    """What such a line says."""
    at = {"time": "2026-01-02T03:04:05.000000Z", "level": "error", "logger": "service"}
    return {**at, "process": os.getpid(), **fields}


@pytest.mark.parametrize("character", ["x", "ü", '"', "\x01", "🎲"])
def test_a_long_traceback(character: str) -> None:
    """Of a traceback that is too long, the end is kept, and all else of the line."""
    text = formatted("It failed", character * 9_000 + "End")
    assert text.isascii()
    assert select.PIPE_BUF - 16 < len(text) < select.PIPE_BUF
    found = json.loads(text)
    kept = found["exception"]
    assert kept == f"...{character * (len(kept) - 6)}End"
    assert found == line(message="It failed", exception=kept)


def test_a_long_message() -> None:
    """Of a message that is too long, the beginning is kept."""
    text = formatted("Begin" + "x" * 9_000)
    assert select.PIPE_BUF - 16 < len(text) < select.PIPE_BUF
    message = json.loads(text)["message"]
    assert message == f"Begin{'x' * (len(message) - 8)}..."


def test_a_short_line() -> None:
    """A line that fits is as it is."""
    expected = line(message="It failed", exception="ValueError: why")
    assert json.loads(formatted("It failed", "why")) == expected


def test_one_write_a_line() -> None:
    """A line is written at once, so that lines of several processes don't mix in a pipe."""
    own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with own, other, own.makefile("w") as stream:
        handler = logging.StreamHandler(LogStream(stream))
        for message in ("first", "second"):
            handler.handle(logging.makeLogRecord({"msg": message}))
        assert [other.recv(1 << 16) for _ in range(2)] == [b"first\n", b"second\n"]


@contextmanager
def own_loggers() -> Iterator[None]:
    """The loggers that gunicorn sets up have no handlers, such as pytest's, and keep none."""
    names = (None, "gunicorn.access", "gunicorn.error")  # the first is the root
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.handlers for logger in loggers]
    for logger in loggers:
        logger.handlers = []
    yield
    for logger, handlers in zip(loggers, before, strict=True):
        for handler in logger.handlers:
            handler.close()
        logger.handlers = handlers


@pytest.mark.parametrize("name", ["errorlog", "accesslog"])
def test_a_pipe_that_nobody_reads(tmp_path: Path, name: str) -> None:
    """While nobody reads a log, lines are lost and counted, rather than have the worker or the
    master wait; later ones are written again. So it is once the log was opened again.
    """
    pipe = tmp_path / "log"
    os.mkfifo(pipe)
    config = Config()
    config.set(name, str(pipe))
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as log, own_loggers():
        logger = JsonLogger(config)
        write = logger.warning if name == "errorlog" else logger.access_log.info
        for _ in range(2):
            fill(pipe)
            before = lost()
            write("nobody reads this")
            assert lost() == before + 1
            assert set(log.read(1 << 20)) == {ord("\n")}
            write("somebody reads this")
            assert b"somebody reads this" in log.read(1 << 20)
            logger.reopen_files()


def fill(pipe: Path) -> None:
    """Writes to `pipe` until it takes no more."""
    descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    with suppress(BlockingIOError):
        while True:
            os.write(descriptor, b"\n" * select.PIPE_BUF)
    os.close(descriptor)


def lost() -> float:
    """How many lines this process has lost."""
    return sum(map(sum, totals().get(LINES_LOST.name, {}).values()))


@pytest.mark.skipif(not hasattr(os, "RWF_NOWAIT"), reason="needs Linux: RWF_NOWAIT of pwritev")
def test_two_writers_and_room_for_one() -> None:
    """Two writers to a pipe that nobody reads, with room for one line: the other one's is lost, and
    neither waits.
    """
    for _ in range(100):
        read, write = os.pipe()
        with open(read, "rb", buffering=0) as log, open(write, "w") as file:
            stream = LogStream(file)
            before = lost()
            while lost() == before:
                stream.write(LINE)
            log.read(select.PIPE_BUF)
            both = Barrier(2, timeout=60)

            def written(stream: LogStream = stream, both: Barrier = both) -> None:
                both.wait()
                stream.write(LINE)

            with ThreadPoolExecutor(2) as writers:
                results = [writers.submit(written) for _ in range(2)]
                try:
                    for each in results:
                        each.result(10)
                finally:
                    log.read(1 << 20)  # ends a writer that waits
            assert lost() == before + 2
