"""Tables with the real solver: the same figures, mapped from a file that all processes share."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from service.advice.scorecard.position import EMPTY
from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.table import solve
from service.kinds.scorecard.variant import ScoreCard
from service.tables.at_hand import wait_for
from service.tables.tables import Tables
from service.variants import SETTING, own_variants
from tests.live import ROOT, plain_environment
from tests.trial_games.two_boxes import VARIANT as TWO_BOXES


def test_is_that_of_the_solver(tmp_path: Path) -> None:
    """A table from a file has exactly the figures of the solver, and can't be changed."""
    tables = Tables(tmp_path, further="tests.trial_games.two_boxes")
    rules = TWO_BOXES.default_rules
    said: list[str] = []
    table = wait_for(tables, TWO_BOXES, rules, said.append)
    assert said[0] == "The table of two-boxes is being made: it has just been begun."
    np.testing.assert_array_equal(table.array, solve(scoring(TWO_BOXES, rules)))
    assert not table.array.flags.writeable


@pytest.mark.proof
def test_prepare(tmp_path: Path) -> None:
    """`python -m service.tables.prepare` makes each table of default rules once."""
    environment = {**plain_environment(), "DATA_DIR": str(tmp_path), SETTING: ""}
    games = [game for game in own_variants().values() if isinstance(game, ScoreCard)]
    ready = "".join(f"The table of {game.id} is ready.\n" for game in games)
    files: list[set[tuple[str, int]]] = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-m", "service.tables.prepare"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        said = done.stderr.splitlines()
        assert done.stdout == ready
        assert all(re.fullmatch(r"The table of \S+ is being made: .+\.", line) for line in said)
        assert bool(said) == (not files), "who waits is told why, and nothing is made again"
        found = os.scandir(tmp_path / "tables")
        files.append({(each.name, each.inode()) for each in found})
    tables = Tables(tmp_path / "tables")
    paths = [tables.path_of(tables.scoring_of(game, game.default_rules).key) for game in games]
    assert {name for name, _ in files[0]} == {"making.lock", *(path.name for path in paths)}
    assert files[0] == files[1], "nothing is made again"
    means = [tables.get(game, game.default_rules).expected(EMPTY) for game in games]
    assert means == pytest.approx([245.870774514, 251.464313448], abs=1e-8)
