"""Tables of an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.tables.serving import Tables
from tests.tables.asking import GAME
from tests.tables.gated_game import GATE


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    """The tables of an empty folder."""
    return Tables(tmp_path, GAME)


@pytest.fixture
def gate(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that lets tables be completed, once it exists."""
    path = tmp_path_factory.mktemp("gate") / "open"
    monkeypatch.setenv(GATE, str(path))
    return path
