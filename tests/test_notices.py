"""Lines of the log in JSON: too long for a pipe to take as a whole, or without room in it."""

from __future__ import annotations

import json
import os
import select
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest

from service.notices import encoded, log_line, write_now

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("character", ["x", "ü", '"', "\x01", "🎲"])
def test_a_long_traceback(character: str) -> None:
    """Of a traceback that is too long, the end is kept, and all else of the line."""
    line = {**log_line(AT, "error", "service", "It failed"), "exception": character * 9_000 + "End"}
    text = encoded(line)
    assert text.isascii()
    assert select.PIPE_BUF - 16 < len(text) < select.PIPE_BUF
    found = json.loads(text)
    kept = found["exception"]
    assert kept == f"...{character * (len(kept) - 6)}End"
    assert found == {**line, "time": "2026-01-02T03:04:05Z", "exception": kept}


def test_a_long_message() -> None:
    """Of a message that is too long, the beginning is kept."""
    text = encoded(log_line(AT, "error", "service", "Begin" + "x" * 9_000))
    assert select.PIPE_BUF - 16 < len(text) < select.PIPE_BUF
    message = json.loads(text)["message"]
    assert message == f"Begin{'x' * (len(message) - 8)}..."


def test_a_short_line() -> None:
    """A line that fits is as it is."""
    line = {**log_line(AT, "error", "service", "It failed"), "exception": "Traceback"}
    assert json.loads(encoded(line)) == {**line, "time": "2026-01-02T03:04:05Z"}


@pytest.mark.skipif(not hasattr(os, "RWF_NOWAIT"), reason="needs Linux: RWF_NOWAIT of pwritev")
def test_two_writers_and_room_for_one() -> None:
    """Two writers to a pipe that nobody reads, with room for one line: the other one's is lost, and
    neither waits.
    """
    line = b"x" * (select.PIPE_BUF - 1) + b"\n"
    for _ in range(100):
        read, write = os.pipe()
        try:
            while write_now(write, line):
                pass
            os.read(read, select.PIPE_BUF)
            both = Barrier(2, timeout=60)

            def written(write: int = write, both: Barrier = both) -> bool:
                both.wait()
                return write_now(write, line)

            with ThreadPoolExecutor(2) as writers:
                results = [writers.submit(written) for _ in range(2)]
                try:
                    assert sorted(each.result(10) for each in results) == [False, True]
                finally:
                    os.read(read, 1 << 20)  # ends a writer that waits
        finally:
            os.close(read)
            os.close(write)
