"""Commands and Python wait for a table, and standard error says how far it has come."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from service.advice.scorecard.position import EMPTY
from service.tables import at_hand, serving
from service.tables.at_hand import Line, cache_folder, table_at_hand
from service.tables.tables import Tables
from service.variants import SETTING
from tests.tables.asking import QUICK, ask, made, maker
from tests.trial_games.two_boxes import VARIANT as TWO_BOXES


@pytest.fixture
def nothing_needed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It is as if nothing had needed a table in this process."""
    serving.stop()
    monkeypatch.delenv("DATA_DIR", raising=False)
    monkeypatch.setenv(SETTING, "tests.trial_games.two_boxes")
    yield
    serving.stop()


@pytest.mark.parametrize(
    ("setting", "folder"), [("XDG_CACHE_HOME", "dice-scoring/tables"), ("DATA_DIR", "tables")]
)
@pytest.mark.usefixtures("nothing_needed")
def test_is_at_hand(
    setting: str,
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The table is made in the user's cache, or in DATA_DIR, where a service finds it, too. Making
    it is said; from then on it is there.
    """
    monkeypatch.setenv(setting, str(tmp_path))
    rules = TWO_BOXES.default_rules
    table = table_at_hand(TWO_BOXES, rules)
    said = "The table of two-boxes is being made: it has just been begun.\n"
    assert capsys.readouterr().err.startswith(said)
    assert table_at_hand(TWO_BOXES, rules) is table
    assert capsys.readouterr().err == ""
    assert len([*(tmp_path / folder).glob("*.table")]) == 1
    assert 0 < table.expected(EMPTY) < 20


@pytest.mark.parametrize(
    ("system", "caches", "home", "folder"),
    [
        ("linux", "", "/home/ann", "/home/ann/.cache/dice-scoring"),
        ("linux", "here", "/home/ann", "/home/ann/.cache/dice-scoring"),
        ("linux", "/caches", "/home/ann", "/caches/dice-scoring"),
        ("darwin", "", "/Users/ann", "/Users/ann/Library/Caches/dice-scoring"),
        ("linux", "", "~", "/~/.cache/dice-scoring"),
    ],
)
def test_cache_folder(
    system: str, caches: str, home: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is where the system has the user's caches, and never where one stands."""
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("XDG_CACHE_HOME", caches)
    monkeypatch.setenv("HOME", home)
    assert cache_folder() == Path(folder)


@pytest.mark.parametrize("foreground", [True, False])
def test_priority(tmp_path: Path, gate: Path, foreground: bool) -> None:
    """A table that somebody waits for is made at the waiter's own priority, others at a low one."""
    tables = Tables(tmp_path, QUICK, foreground=foreground)
    ask(tables)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    making = os.getpriority(os.PRIO_PROCESS, maker(tmp_path))
    gate.touch()
    made(tables)
    assert making == (own if foreground else max(own, 10))


class Terminal(StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Says so."""
        return True


@pytest.mark.parametrize(
    ("stream", "seconds", "shown"),
    [
        (Terminal(), 1e9, "\r\033[K1% of it is done.\r\033[K2% of it is done.\r\033[K"),
        (StringIO(), 1e9, "1% of it is done.\n"),
        (StringIO(), 0, "1% of it is done.\n2% of it is done.\n"),
    ],
)
def test_line(
    stream: StringIO, seconds: float, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal shows one line, which changes and is cleared in the end. A file gets the first
    one, and further ones some seconds apart.
    """
    monkeypatch.setattr(at_hand, "LINE_SECONDS", seconds)
    with Line(stream) as line:
        line.show("1% of it is done.")
        line.show("2% of it is done.")
    assert stream.getvalue() == shown


def test_nothing_to_show() -> None:
    """If nobody has to wait, a terminal shows nothing."""
    stream = Terminal()
    with Line(stream) as line:
        assert not line.shown
    assert stream.getvalue() == ""
