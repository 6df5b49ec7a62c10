"""The season table of examples/season, which is kept from the feed of a real service."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.api.sessions.playing import Kept, Session, keeping
from tests.api.sessions.test_several_actions import send, typed, whole_game
from tests.live import ROOT

SCRIPT = ROOT / "examples" / "season" / "season.py"
HEAD = "variant player games wins points"


@dataclass(frozen=True)
class Season:
    """A service with a feed, and the file of the table."""

    kept: Kept
    file: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs the program."""
        line = [sys.executable, str(SCRIPT), str(self.file), *words]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    def follow(self, user: str = "") -> subprocess.CompletedProcess[str]:
        """Reads all that is in the feed."""
        path = self.kept.store.get_connection_kwargs()["path"]
        return self.run(f"unix://{user}{path}", "--once")

    def table(self) -> list[str]:
        """The lines of the table, each with single spaces."""
        printed = self.run()
        assert (printed.returncode, printed.stderr) == (0, "")
        head, *lines = [" ".join(line.split()) for line in printed.stdout.splitlines()]
        assert head == HEAD
        return lines

    def entries(self) -> list[dict[bytes, bytes]]:
        """The entries of the feed."""
        found: Any = self.kept.store.xrange("games")
        return [fields for _, fields in found]


@pytest.fixture
def season(tmp_path: Path) -> Iterator[Season]:
    """A season without games."""
    with keeping(FEED="games") as kept:
        yield Season(kept, tmp_path / "season.db")


def play(season: Season, winner: str = "ann") -> Session:
    """A game of dice-poker that `winner` wins with 13 or 19 points in chance."""
    session = typed(season.kept.service)
    actions = whole_game()
    for action in actions:
        if action.get("box") == "chance" and action.get("player", "ben") == winner:
            action["action"] = "score"
    assert send(session, actions).status == 200
    return session


def test_games_are_counted(season: Season) -> None:
    """Only games that are over count, for all who played; what follows is added."""
    assert season.follow().returncode == 0
    assert season.table() == []
    play(season)
    typed(season.kept.service)
    assert season.follow().returncode == 0
    assert season.table() == ["dice-poker ann 1 1 13", "dice-poker ben 1 0 0"]
    play(season, "ben")
    play(season, "ben")
    assert season.follow().returncode == 0
    assert season.table() == ["dice-poker ben 3 2 38", "dice-poker ann 3 1 13"]


def test_an_entry_that_comes_twice(season: Season) -> None:
    """A consumer that dies after SQLite has an entry, and before it is acknowledged, gets it again,
    and counts it once.
    """
    store = season.kept.store
    store.execute_command("ACL SETUSER", "mortal", "on", "nopass", "allkeys", "+@all", "-xack")
    play(season)
    died = season.follow("mortal:@")
    assert died.returncode == 1
    assert "xack" in died.stderr
    counted = season.table()
    pending: Any = store.xpending("games", "season")
    assert (pending["pending"], counted[0]) == (2, "dice-poker ann 1 1 13")
    assert season.follow().returncode == 0
    pending = store.xpending("games", "season")
    assert (pending["pending"], season.table()) == (0, counted)


def test_a_game_that_is_over_twice(season: Season) -> None:
    """After its last turn was taken back the game doesn't count; once it is over again, its last
    result counts, once, even if the first one comes again.
    """
    session = play(season)
    over: dict[Any, Any] = season.entries()[-1]
    version = int(over[b"version"])
    assert session.act("take_back", to=version - 1).status == 200
    assert season.follow().returncode == 0
    assert season.table() == []
    assert session.act("score", box="chance").status == 200
    season.kept.store.xadd("games", over)
    assert season.follow().returncode == 0
    assert season.table() == ["dice-poker ben 1 1 19", "dice-poker ann 1 0 13"]


def test_the_program_is_short() -> None:
    """An example is to be read: less than 150 lines."""
    assert len(SCRIPT.read_text().splitlines()) < 150
