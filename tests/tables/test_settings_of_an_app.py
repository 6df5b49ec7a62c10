"""Each app makes its tables in the folder that its own settings name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.app import create_app
from service.settings import Settings
from service.tables import serving


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Ends what makes tables."""
    yield
    serving.stop()


def test_data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two apps of a process have tables in two folders, wherever DATA_DIR of the environment is."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "environment"))
    for name in ("one", "other"):
        app = create_app(Settings(data_dir=str(tmp_path / name)))
        reply = app.test_client().post("/v1/variants/dice-poker/advise", json={"card": {}})
        assert reply.status_code == 503
        assert reply.get_json()["detail"].startswith(
            "The table of this game under these house rules is"
        )
    assert {each.parents[1].name for each in tmp_path.rglob("making.lock")} == {"one", "other"}
