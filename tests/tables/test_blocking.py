"""Commands and Python wait for a table, and standard error says how far it has come."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.table import solve
from service.settings import Settings
from service.tables import blocking, serving
from service.tables.blocking import Progress, wait_for_table
from service.tables.lock import last_record
from tests.trial_games.two_boxes import VARIANT as TWO_BOXES


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """A DATA_DIR that the environment doesn't name."""
    yield Settings(data_dir=str(tmp_path))
    serving.stop()


def test_waits(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    """The table is made in DATA_DIR, where a service finds it, too, and that is said; from then on
    it is there. It has exactly the figures of the solver, and can't be changed. This process makes
    it, so at its own priority.
    """
    rules = TWO_BOXES.default_rules
    table = wait_for_table(TWO_BOXES, rules, settings)
    said = "The table of two-boxes is being made: it has just been begun.\n"
    assert capsys.readouterr().err.startswith(said)
    assert wait_for_table(TWO_BOXES, rules, settings) is table
    assert capsys.readouterr().err == ""
    folder = Path(settings.data_dir) / "tables"
    assert len([*folder.glob("*.table")]) == 1
    assert last_record(folder).all_made == 1
    np.testing.assert_array_equal(table.array, solve(scoring(TWO_BOXES, rules)))
    assert not table.array.flags.writeable


class Terminal(StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Says so."""
        return True


FIRST, SECOND = (f"The table of two-boxes is being made: {n}% of it is done." for n in (1, 2))


@pytest.mark.parametrize(
    ("stream", "seconds", "shown"),
    [
        (Terminal(), 1e9, f"\r\033[K{FIRST}\r\033[K{SECOND}\r\033[K"),
        (StringIO(), 1e9, f"{FIRST}\n"),
        (StringIO(), 0, f"{FIRST}\n{SECOND}\n"),
    ],
)
def test_progress(
    stream: StringIO, seconds: float, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal shows one line, which changes and is cleared in the end. A file gets the first
    one, and further ones some seconds apart.
    """
    monkeypatch.setattr(blocking, "LINE_SECONDS", seconds)
    with Progress(stream, "two-boxes") as progress:
        progress.show("1% of it is done")
        progress.show("2% of it is done")
    assert stream.getvalue() == shown


def test_nothing_to_show() -> None:
    """If nobody has to wait, a terminal shows nothing."""
    stream = Terminal()
    with Progress(stream, "two-boxes") as progress:
        assert not progress.shown
    assert stream.getvalue() == ""
