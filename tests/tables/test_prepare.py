"""Default tables are made after the start, or by a command; who waits for one sees the progress."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from service.advice.scorecard.scoring import EMPTY, scoring
from service.advice.scorecard.table import solve
from service.kinds.scorecard.variant import ScoreCard
from service.settings import Settings
from service.tables import prepare, serving
from service.tables.files import scoring_of
from service.tables.lock import LOCK, last_record
from service.tables.prepare import Progress, wait_for_table
from service.tables.serving import Tables
from service.variants import SETTING, own_variants
from tests.cli.commands import ran
from tests.live import running
from tests.tables.asking import is_making, maker, until
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
    assert (last_record(folder).all_made, last_record(folder).process) == (1, os.getpid())
    assert table.plain is not None
    for made, solved in zip(
        (table.array, table.plain.table.array, table.plain.shapes),
        solve(scoring(TWO_BOXES, rules)),
        strict=True,
    ):
        np.testing.assert_array_equal(made, solved)
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
    one, and further ones some seconds apart. If nobody has to wait, nothing is shown.
    """
    monkeypatch.setattr(prepare, "LINE_SECONDS", seconds)
    with Progress(stream, "two-boxes") as progress:
        assert not progress.shown
    assert stream.getvalue() == ""
    with Progress(stream, "two-boxes") as progress:
        progress.show("1% of it is done")
        progress.show("2% of it is done")
    assert stream.getvalue() == shown


@pytest.mark.proof
def test_prepare(tmp_path: Path) -> None:
    """`python -m service.tables.prepare` makes each table of default rules once."""
    games = [game for game in own_variants().values() if isinstance(game, ScoreCard)]
    ready = "".join(f"The table of {game.id} is ready.\n" for game in games)
    files: list[set[tuple[str, int]]] = []
    for _ in range(2):
        done = ran(module=prepare.__name__, DATA_DIR=str(tmp_path), **{SETTING: ""})
        said = done.stderr.splitlines()
        assert (done.returncode, done.stdout) == (0, ready)
        assert all(re.fullmatch(r"The table of \S+ is being made: .+\.", line) for line in said)
        assert bool(said) == (not files), "who waits is told why, and nothing is made again"
        found = os.scandir(tmp_path / "tables")
        files.append({(each.name, each.inode()) for each in found})
    tables = Tables(tmp_path / "tables")
    paths = [tables.path_of(scoring_of(game, game.default_rules).key) for game in games]
    assert {name for name, _ in files[0]} == {LOCK, *(path.name for path in paths)}
    assert files[0] == files[1], "nothing is made again"
    means = [tables.get(game, game.default_rules).expected(EMPTY) for game in games]
    assert means == pytest.approx([245.870774514, 251.464313448], abs=1e-8)


@pytest.mark.proof  # the service waits for five seconds first
@pytest.mark.parametrize("stop", ["Ctrl-C", "SIGKILL"])
def test_prepares_after_the_start(tmp_path: Path, stop: str) -> None:
    """The default tables are made in the background; however the service ends, that ends, too."""
    folder = tmp_path / "tables"
    with running(DATA_DIR=str(tmp_path), PREPARE_TABLES="1") as service:
        assert not is_making(folder), "not while the service starts"
        maker(folder)
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, maker(folder)) == max(own, 10)
        assert service.get("/livez").status == 200
        if stop == "Ctrl-C":  # a terminal sends it to the whole process group
            os.killpg(service.process.pid, signal.SIGINT)
        else:
            service.process.kill()
        service.process.wait(timeout=300)
        until(lambda: not is_making(folder), "the process ends")
        assert service.output.whole  # everyone who could write there has gone
