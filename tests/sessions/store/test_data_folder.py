"""Who can do what in the folder of the service's own store, and whether its data are complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.sessions.store.embedded import EmbeddedServer, open_to_others
from service.sessions.store.supervisor import FOLDER, NAME, NoServer, damage
from tests.live import plain_environment
from tests.sessions.store.own_server import started

needs_server = pytest.mark.usefixtures("any_server")


@pytest.fixture
def manifest(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The manifest of a folder with data."""
    monkeypatch.setenv("PATH", plain_environment()["PATH"])
    with started(own) as client:
        client.set("kept", 1)
    return own / FOLDER / NAME


@needs_server
def test_whole(manifest: Path, own: Path) -> None:
    """Data with its manifest are not damaged; nor is a new folder, or one without data."""
    assert damage(own) == ""
    manifest.unlink()
    for each in manifest.parent.iterdir():
        each.write_bytes(b"")
    assert damage(own) == ""
    assert damage(own / "new") == ""


def test_files_of_the_past(own: Path) -> None:
    """Files that the server is about to remove may be listed, whether they are there or not."""
    files = own / FOLDER
    files.mkdir()
    kinds = (("base.rdb", "b"), ("incr.aof", "i"))
    listed = [(1, name, "h") for name, _ in kinds] + [(2, name, kind) for name, kind in kinds]
    (files / NAME).write_text(
        "".join(f"file appendonly.aof.{n}.{name} seq {n} type {kind}\n" for n, name, kind in listed)
    )
    for number in (2, 1):
        for name, _ in kinds:
            (files / f"appendonly.aof.{number}.{name}").write_bytes(b"some")
        assert damage(own) == ""


def test_a_manifest_that_cannot_be_read(own: Path) -> None:
    """It counts as damaged."""
    (own / FOLDER / NAME).mkdir(parents=True)
    assert damage(own) == "can't be read (Is a directory)"


@needs_server
@pytest.mark.parametrize("what", ["missing", "empty", "garbage", "no incr", "no base", "one gone"])
def test_not_started_without_its_data(manifest: Path, own: Path, what: str) -> None:
    """A server isn't started with a manifest that is missing or damaged, since it would overwrite
    the data.
    """
    lines = manifest.read_text().splitlines(keepends=True)
    (incr,) = (line for line in lines if "type i" in line)
    if what == "missing":
        manifest.unlink()
        says = "is missing"
    elif what == "one gone":
        (manifest.parent / incr.split()[1]).unlink()
        says = f"lists {incr.split()[1]}, which is missing"
    else:
        without = {"no incr": "type i", "no base": "type b"}.get(what, "file")
        manifest.write_text("".join(line for line in lines if without not in line))
        says = "is damaged" if manifest.stat().st_size == 0 else f"doesn't list {incr.split()[1]}"
        if what == "no base":
            base = next(line.split()[1] for line in lines if "type b" in line)
            (manifest.parent / base).write_bytes(b"*1\r\n$4\r\nPING\r\n")
            says = f"doesn't list {base}"
        if what == "garbage":
            manifest.write_text("garbage\n")
            says = "is damaged"
    then = {each.name: each.read_bytes() for each in manifest.parent.iterdir()}
    with pytest.raises(NoServer) as caught:
        EmbeddedServer(own)
    assert str(caught.value) == (
        f"{manifest} {says}; restore it, or set DATA_DIR to another folder, or set REDIS_URL"
    )
    assert {each.name: each.read_bytes() for each in manifest.parent.iterdir()} == then


SEE = "see how many there are and how large they are"
DELETE = "delete them, or put others in their place"


@pytest.mark.parametrize(
    ("mode", "can"),
    [
        (0o703, DELETE),
        (0o730, DELETE),
        (0o701, SEE),
        (0o712, SEE),  # some can enter, others could write
        (0o721, SEE),
        (0o1703, SEE),
        (0o755, SEE),
        (0o777, DELETE),
        (0o702, None),
        (0o720, None),
        (0o744, None),
    ],
)
def test_what_others_can_do(tmp_path: Path, mode: int, can: str | None) -> None:
    """Only who can both enter a folder and write there can delete files, unless it is sticky."""
    own = tmp_path / f"mode-{mode:o}"
    own.mkdir()
    own.chmod(mode)
    said = open_to_others(own)
    assert (said is None) == (can is None)
    if said is not None:
        assert f"but they can {can}. To keep them out:" in said
