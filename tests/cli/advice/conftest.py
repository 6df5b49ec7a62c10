"""The tables of commands that run in this process."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from service.tables import serving
from tests.live import SHARED_TABLES


@pytest.fixture(autouse=True, scope="package")
def no_tables_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Commands use the tables that all tests share, and leave the user's cache alone."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "tables").symlink_to(os.environ[SHARED_TABLES])
    serving.stop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATA_DIR", str(folder))
        yield
    serving.stop()
