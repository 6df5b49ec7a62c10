"""`python -m service verify` on a terminal: what it prints of names and files is escaped."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.api.sessions import answers
from service.cli.verify import UNVERIFIABLE, VERIFIED, WRONG
from service.sessions.view import SessionView
from tests.live import ROOT
from tests.sessions.sample_sessions import played, sample_terms

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


def ran(file: Path, *options: str) -> tuple[int, list[str]]:
    """The exit status of the command, and the lines that it printed, which hold nothing raw."""
    done = subprocess.run(
        [sys.executable, "-m", "service", "verify", str(file), *options],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=300,
    )
    *lines, rest = (done.stdout + done.stderr).decode().split("\n")
    assert rest == ""
    assert [line for line in lines if not line.isprintable()] == []
    return done.returncode, lines


def test_names(tmp_path: Path) -> None:
    """Names of players are escaped in the list of rolls."""
    file = tmp_path / "session.json"
    file.write_bytes(history())
    status, lines = ran(file, "--dice")
    assert status == VERIFIED
    assert lines[-1].startswith("Verified: the seed matches the commitment")
    assert {line.split("  roll  ")[0][8:] for line in lines[:-1]} == {
        f"ann{ESCAPED}",
        f"ben{ESCAPED}",
        "cay",
    }


def _version(forged: dict[str, Any]) -> None:
    forged["events"][1]["version"] = HOSTILE


def _dice(forged: dict[str, Any]) -> None:
    next(event for event in forged["events"] if event.get("dice"))["dice"] = [HOSTILE]


def _player(forged: dict[str, Any]) -> None:
    next(event for event in forged["events"] if event.get("dice"))["player"] = HOSTILE


def _variant(forged: dict[str, Any]) -> None:
    forged["variant"] = HOSTILE


def _created_at(forged: dict[str, Any]) -> None:
    forged["created_at"] = HOSTILE


@pytest.mark.parametrize(
    ("forge", "status", "shown"),
    [
        (_version, WRONG, f"version 2 has the number {ESCAPED}."),
        (_dice, WRONG, f"version 2 has the dice {ESCAPED}, but the seed gives "),
        (_player, WRONG, f"only ann{ESCAPED} can"),
        (_variant, UNVERIFIABLE, f"its variant, {ESCAPED}, is not known to this release."),
        (_created_at, UNVERIFIABLE, "it is not what GET /v1/sessions/{id}/events returns"),
    ],
    ids=lambda value: getattr(value, "__name__", "")[1:],
)
def test_what_files_hold(tmp_path: Path, forge: Any, status: int, shown: str) -> None:
    """Text from a forged file is escaped and printed on one line, and so is its path."""
    forged = orjson.loads(history())
    forge(forged)
    file = tmp_path / "session\x1b[2J\n.json"
    file.write_bytes(orjson.dumps(forged))
    found, (line,) = ran(file)
    assert (found, shown in line, r"session\x1b[2J\n.json" in line) == (status, True, True)


def test_a_path_that_is_missing(tmp_path: Path) -> None:
    """The path of a file that can't be read is escaped."""
    file = tmp_path / "none\x1b[2J"
    assert ran(file) == (
        UNVERIFIABLE,
        [rf"{tmp_path}/none\x1b[2J can't be read: No such file or directory."],
    )
