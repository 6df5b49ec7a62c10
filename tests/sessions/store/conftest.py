"""What the tests of stores share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def own() -> Iterator[Path]:
    """A data folder with a short path, as sockets need one."""
    with TemporaryDirectory() as made:
        yield Path(made)
