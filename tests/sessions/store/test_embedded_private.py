"""The files of the embedded server are private, whatever the mode of their folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.api.sessions.playing import make
from tests.live import running
from tests.sessions.store.own_server import rewrite, started

pytestmark = pytest.mark.usefixtures("any_server")

CAN_ENTER = "Other users of this machine can enter"


def modes(folder: Path) -> dict[str, str]:
    """The mode of everything in a folder, in octal digits."""
    return {
        str(path.relative_to(folder)): f"{stat.S_IMODE(path.lstat().st_mode):o}"
        for path in sorted(folder.rglob("*"))
    }


def open_files(folder: Path) -> list[str]:
    """The names in a folder that other users can read, write or enter."""
    return [name for name, mode in modes(folder).items() if not mode.endswith("00")]


@contextmanager
def usual_umask() -> Iterator[None]:
    """New files are readable for everyone, as for most users."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


@pytest.fixture
def shared(folder: Path, request: pytest.FixtureRequest) -> Path:
    """A folder that others may enter, as `mkdir` makes it."""
    name: str = request.node.name
    made = folder / name.removeprefix("test_")[:12]  # the path of a socket in it must be short
    made.mkdir()
    made.chmod(0o755)
    return made


def test_whatever_the_server_makes_is_private(shared: Path) -> None:
    """All files of the server, rewritten ones too, are private, even in a folder that others can
    enter. The mode of the folder doesn't change.
    """
    with usual_umask(), started(shared) as client:
        assert open_files(shared) == []
        client.set("seed", "secret")
        rewrite(client)
        assert open_files(shared) == []
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    assert {"lock", "store.log", "appendonlydir"} <= {*modes(shared)}
    assert [name for name in modes(shared) if name.endswith(".aof")]


def test_files_of_an_earlier_release(shared: Path) -> None:
    """Starting the service makes its own readable files private, and leaves other files alone."""
    with started(shared) as client:
        client.set("seed", "secret")
        rewrite(client)
    for name in modes(shared):
        path = shared / name
        path.chmod(0o755 if path.is_dir() else 0o644)
    other, linked = shared / "other.txt", shared.parent / "linked.txt"
    for path in (other, linked):
        path.write_text("not the service's")
        path.chmod(0o644)
    (shared / "appendonlydir" / "link").symlink_to(linked)
    with started(shared) as client:
        assert open_files(shared) == ["appendonlydir/link", "other.txt"]
        assert f"{stat.S_IMODE(linked.stat().st_mode):o}" == "644"
        assert client.get("seed") == b"secret"


@pytest.mark.fault
def test_a_folder_that_others_can_enter(folder: Path) -> None:
    """If others can enter the folder, the service prints one line that says what they can do there
    and how to prevent it. Sessions work, and nobody can read them.
    """
    own = folder / "open"
    own.mkdir()
    own.chmod(0o770)
    with usual_umask(), running(DATA_DIR=str(own)) as service:
        make(service, "dice-poker", "ann")
        lines = service.output.text.splitlines()
        said = [line.partition("[WARNING] ")[2] for line in lines if CAN_ENTER in line]
        assert open_files(own) == []
    expected = (
        f"{CAN_ENTER} {own} (mode 770), where the sessions are kept: they can't read the files of "
        "the service there, but they can delete them, or put others in their place. To keep them "
        f"out: chmod 700 {own}"
    )
    assert said == [expected]


@pytest.mark.fault
def test_a_folder_that_is_made(folder: Path) -> None:
    """A folder that the service creates is private, and it prints nothing about it."""
    own = folder / "made" / "data"
    with usual_umask(), running(DATA_DIR=str(own)) as service:
        make(service, "dice-poker", "ann")
        assert CAN_ENTER not in service.output.text
        assert (f"{stat.S_IMODE(own.stat().st_mode):o}", open_files(own)) == ("700", [])
