"""Lines of the log in JSON that are too long for a pipe to take as a whole."""

from __future__ import annotations

import json
import select
from datetime import UTC, datetime

import pytest

from service.notices import encoded, log_line

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("character", ["x", "ü", '"', "\x01", "🎲"])
def test_a_long_traceback(character: str) -> None:
    """Of a traceback that is too long, the end is kept, and all else of the line."""
    line = {**log_line(AT, "error", "service", "It failed"), "exception": character * 9_000 + "End"}
    text = encoded(line)
    assert select.PIPE_BUF - 10 < len(text.encode()) < select.PIPE_BUF
    found = json.loads(text)
    kept = found["exception"]
    assert kept == f"...{character * (len(kept) - 6)}End"
    assert found == {**line, "time": "2026-01-02T03:04:05Z", "exception": kept}


def test_a_long_message() -> None:
    """Of a message that is too long, the beginning is kept."""
    text = encoded(log_line(AT, "error", "service", "Begin" + "x" * 9_000))
    assert select.PIPE_BUF - 10 < len(text) < select.PIPE_BUF
    message = json.loads(text)["message"]
    assert message == f"Begin{'x' * (len(message) - 8)}..."


def test_a_short_line() -> None:
    """A line that fits is as it is."""
    line = {**log_line(AT, "error", "service", "It failed"), "exception": "Traceback"}
    assert json.loads(encoded(line)) == {**line, "time": "2026-01-02T03:04:05Z"}
