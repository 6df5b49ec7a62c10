"""The command that makes the tables of default rules."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.advice.scorecard.position import EMPTY
from service.kinds.scorecard.variant import ScoreCard
from service.tables.files import scoring_of
from service.tables.lock import LOCK
from service.tables.tables import Tables
from service.variants import SETTING, own_variants
from tests.live import ROOT, plain_environment


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
    paths = [tables.path_of(scoring_of(game, game.default_rules).key) for game in games]
    assert {name for name, _ in files[0]} == {LOCK, *(path.name for path in paths)}
    assert files[0] == files[1], "nothing is made again"
    means = [tables.get(game, game.default_rules).expected(EMPTY) for game in games]
    assert means == pytest.approx([245.870774514, 251.464313448], abs=1e-8)
