"""Every check passes for its seeds, so that it is still right when nobody fuzzes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz import app
from tests.fuzz.parser import NAMES, parser


@pytest.fixture(autouse=True, scope="module")
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for the store of the app, which is stopped at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATA_DIR", str(tmp_path_factory.mktemp("data")))
        yield
        app.stop()


@pytest.mark.parametrize("name", NAMES)
def test_seeds(name: str) -> None:
    """The parser does nothing wrong with its seeds, with parts of them, and with nothing."""
    found = parser(name)
    seeds = list(found.seeds())
    assert seeds
    for seed in (*seeds, seeds[0][: len(seeds[0]) // 2], b""):
        found.check(seed)
