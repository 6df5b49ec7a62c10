"""A service makes its default tables after the start, and takes the makers with it when it ends."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from service.tables.folder import PLACES, PREFIX
from tests.live import running
from tests.tables.asking import is_making, maker, until


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


def test_temporary_folder(tmp_path: Path) -> None:
    """A service that can't write in DATA_DIR starts as fast, and leaves no folder behind."""
    (tmp_path / "file").touch()
    found: set[Path] = set()
    before = temporary()
    with running(DATA_DIR=str(tmp_path / "file" / "data")) as service:
        assert service.get("/livez").status == 200
        found = temporary() - before
        assert found
    until(lambda: not found & temporary(), "the folder is removed")


def temporary() -> set[Path]:
    """The temporary folders of services on this machine."""
    return {path for place in PLACES for path in Path(place).glob(f"{PREFIX}*")}
