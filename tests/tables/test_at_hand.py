"""Commands and Python wait for a table, and a terminal shows how far it has come."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from service.advice.scorecard.position import EMPTY
from service.settings import Settings
from service.tables import serving
from service.tables.at_hand import Line, table_at_hand
from tests.trial_games.two_boxes import VARIANT as TWO_BOXES


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """A DATA_DIR and a further game, which the environment doesn't name."""
    yield Settings(data_dir=str(tmp_path), variants="tests.trial_games.two_boxes")
    serving.stop()


def test_is_at_hand(settings: Settings) -> None:
    """The table is made in DATA_DIR, where a service finds it, too; from then on it is there."""
    rules = TWO_BOXES.default_rules
    table = table_at_hand(TWO_BOXES, rules, settings)
    assert table_at_hand(TWO_BOXES, rules, settings) is table
    assert len([*(Path(settings.data_dir) / "tables").glob("*.table")]) == 1
    assert 0 < table.expected(EMPTY) < 20


class Terminal(StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Says so."""
        return True


def test_line() -> None:
    """A terminal shows one line, which changes and is cleared in the end; a file gets nothing."""
    shown = []
    for stream in (Terminal(), StringIO()):
        with Line(stream) as line:
            line.show("1% of it is done.")
            line.show("2% of it is done.")
        shown.append(stream.getvalue())
    assert shown == ["\r\033[K1% of it is done.\r\033[K2% of it is done.\r\033[K", ""]


def test_nothing_to_show() -> None:
    """If nobody has to wait, a terminal shows nothing."""
    stream = Terminal()
    with Line(stream) as line:
        assert not line.shown
    assert stream.getvalue() == ""
