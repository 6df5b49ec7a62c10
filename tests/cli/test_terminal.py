"""The output of commands: no text from a file or a session can control the terminal."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from service.cli.text import printable, say
from tests.cli.commands import ran


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ann \U0001f3b2 Zoë 安 \\ '", "ann \U0001f3b2 Zoë 安 \\ '"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("a\r\nb\tc\x00\x7f", r"a\r\nb\tc\x00\x7f"),
        ("\u202eabc\u2066\u200f", r"\u202eabc\u2066\u200f"),
        ("\u2028\u2029\u0085", r"\u2028\u2029\x85"),
        ("\ufeff\u200b\U000e0041", r"\ufeff\u200b\U000e0041"),
        ("caf\udce9", r"caf\udce9"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    """Control characters, separators, marks of direction and invisible characters are escaped;
    what can be seen, spaces included, stays as it is.
    """
    assert printable(text) == shown


def test_one_line_whatever_the_encoding() -> None:
    """A text is one line, and characters that the stream can't encode are escaped."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    say("Zoë\n\x1b[2J \U0001f3b2", stream)
    stream.flush()
    assert raw.getvalue() == rb"Zo\xeb\n\x1b[2J \U0001f3b2" + b"\n"


def test_a_stream_without_an_encoding() -> None:
    """A stream in memory has no encoding, so no character is escaped for it."""
    stream = io.StringIO()
    say("Zoë\x07", stream)
    assert stream.getvalue() == "Zoë\\x07\n"


@pytest.mark.parametrize("command", ["verify", "review", "summary", "advise"])
def test_no_output(command: str, tmp_path: Path) -> None:
    """A command whose standard output is closed says so, and does nothing."""
    program = "import os, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"
    done = ran(sys.executable, "-m", "service", command, tmp_path / "none", program=program)
    closed = "The output can't be written: standard output is closed.\n"
    assert (done.returncode, done.stderr) == (74, closed)
