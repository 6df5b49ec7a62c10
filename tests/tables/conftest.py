"""Tables of an empty folder, which a quick solver makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.tables.tables import Tables
from tests.tables.asking import (
    QUICK,
)
from tests.tables.quick_solver import GATE


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    """The tables of an empty folder."""
    return Tables(tmp_path, QUICK)


@pytest.fixture
def gate(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that lets tables be completed, once it exists."""
    path = tmp_path_factory.mktemp("gate") / "open"
    monkeypatch.setenv(GATE, str(path))
    return path
