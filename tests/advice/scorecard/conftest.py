"""The tables of the default games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table
from tests.tables.solved import solved

Tables = Callable[[Scoring], Table]


@pytest.fixture(scope="session")
def tables() -> Tables:
    """Returns the table of a game."""
    return solved
