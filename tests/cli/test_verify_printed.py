"""`dice-scoring verify` on a terminal: what it prints of names and files is escaped."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.api.sessions import answers
from service.cli.verify import main
from service.sessions.view import SessionView
from tests.sessions.sample_sessions import played, sample_terms

Printed = pytest.CaptureFixture[str]

HOSTILE = "\x1b]0;x\x07\x9b2J\u202e\r\nVerified: \u2028"
"""ESC, BEL, CSI, a mark of direction, and line breaks, with what somebody would like to be read."""

ESCAPED = r"\x1b]0;x\x07\x9b2J\u202e\r\nVerified: \u2028"


@cache
def history() -> bytes:
    """A whole game of players whose names an earlier release let pass."""
    names = (f"ann{HOSTILE}", f"ben{HOSTILE}", "cay")
    terms = replace(sample_terms("dice-poker"), players=names)
    end, events = played(terms)
    return orjson.dumps(answers.history_json(SessionView(terms, end, None, ""), events))


def printed(capsys: Printed, file: Path, *options: str) -> tuple[int, list[str]]:
    """The exit status of the command, and the lines that it printed, which hold nothing raw."""
    status = main([str(file), *options])
    *lines, rest = "".join(capsys.readouterr()).split("\n")
    assert rest == ""
    assert [line for line in lines if not line.isprintable()] == []
    return status, lines


def test_names(tmp_path: Path, capsys: Printed) -> None:
    """Names of players are escaped in the list of rolls."""
    file = tmp_path / "session.json"
    file.write_bytes(history())
    status, lines = printed(capsys, file, "--dice")
    assert status == 0
    assert lines[-1].startswith("Verified: the seed matches the commitment")
    assert {line.split("  roll  ")[0][8:] for line in lines[:-1]} == {
        f"ann{ESCAPED}",
        f"ben{ESCAPED}",
        "cay",
    }


@pytest.mark.parametrize(
    ("forged", "value", "status", "shown"),
    [
        ("version", HOSTILE, 1, f"version 2 has the number {ESCAPED}."),
        ("dice", [HOSTILE], 1, f"version 2 has the dice {ESCAPED}, but the seed gives "),
        ("player", HOSTILE, 1, f"only ann{ESCAPED} can"),
        ("variant", HOSTILE, 2, f"its variant, {ESCAPED}, is not known to this rele"),
        ("created_at", HOSTILE, 2, "it is not what GET /v1/sessions/{id}/events ret"),
    ],
)
def test_what_files_hold(
    tmp_path: Path, capsys: Printed, forged: str, value: Any, status: int, shown: str
) -> None:
    """Text from a forged file is escaped and printed on one line, and so is its path."""
    session = orjson.loads(history())
    rolled = session["events"][1]
    assert rolled["dice"]
    (session if forged in ("variant", "created_at") else rolled)[forged] = value
    file = tmp_path / "session\x1b[2J\n.json"
    file.write_bytes(orjson.dumps(session))
    found, (line,) = printed(capsys, file)
    assert (found, shown in line, r"session\x1b[2J\n.json" in line) == (status, True, True)


def test_a_path_that_is_missing(tmp_path: Path, capsys: Printed) -> None:
    """The path of a file that can't be read is escaped."""
    file = tmp_path / "none\x1b[2J"
    assert printed(capsys, file) == (
        2,
        [rf"{tmp_path}/none\x1b[2J can't be read: No such file or directory."],
    )
