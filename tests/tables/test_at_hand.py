"""Commands and Python wait for a table, and standard error says how far it has come."""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from service.advice.scorecard.position import EMPTY
from service.settings import Settings
from service.tables import at_hand, serving
from service.tables.at_hand import Line, table_at_hand
from service.tables.tables import Tables
from tests.tables.asking import QUICK, ask, made, maker
from tests.trial_games.two_boxes import VARIANT as TWO_BOXES


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """A DATA_DIR and a further game, which the environment doesn't name."""
    yield Settings(data_dir=str(tmp_path), variants="tests.trial_games.two_boxes")
    serving.stop()


def test_is_at_hand(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    """The table is made in DATA_DIR, where a service finds it, too, and that is said; from then on
    it is there.
    """
    rules = TWO_BOXES.default_rules
    table = table_at_hand(TWO_BOXES, rules, settings)
    said = "The table of two-boxes is being made: it has just been begun.\n"
    assert capsys.readouterr().err.startswith(said)
    assert table_at_hand(TWO_BOXES, rules, settings) is table
    assert capsys.readouterr().err == ""
    assert len([*(Path(settings.data_dir) / "tables").glob("*.table")]) == 1
    assert 0 < table.expected(EMPTY) < 20


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
