"""The folder of the tables is in DATA_DIR, or a temporary one; few tables are kept in it."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.tables.files import evict, make_table, reserve, scoring_of
from service.tables.lock import LOCK, PREFIX, find_folder
from service.tables.serving import MAX_TABLES, Tables
from tests.tables.asking import GAME, made, path_of, rules
from tests.tables.gated_game import VARIANT


@pytest.fixture
def unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A DATA_DIR in which nothing can be created, even by root; temporary folders go elsewhere."""
    (tmp_path / "file").touch()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("service.tables.lock.PLACES", (str(tmp_path / "temporary"),))
    yield str(tmp_path / "file" / "data")
    assert os.listdir(tmp_path / "temporary") == []


def test_is_private(tmp_path: Path) -> None:
    """The folder, and a DATA_DIR that is missing, are made for their owner only. A folder in which
    others can write is closed to them.
    """
    data = tmp_path / "new" / "data"
    folder = find_folder(str(data))
    assert folder.path == data / "tables"
    assert [path.stat().st_mode & 0o777 for path in (data, folder.path)] == [0o700, 0o700]
    folder.remove()
    assert folder.path.exists()
    folder.path.chmod(0o777)
    assert find_folder(str(data)).path == folder.path
    assert folder.path.stat().st_mode & 0o777 == 0o700


@pytest.mark.usefixtures("unwritable")
def test_folder_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of another user is not used, even if this one can write there."""
    (tmp_path / "tables").mkdir()
    own = os.geteuid()
    if own == 0:
        os.chown(tmp_path / "tables", 65534, 65534)
    else:  # only root can give files away, but anyone can look like another user
        monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    folder = find_folder(str(tmp_path))
    assert folder.path.parents[1] == tmp_path / "temporary"
    folder.remove()


def test_temporary(unwritable: str) -> None:
    """If nothing can be written in DATA_DIR, there is a private folder elsewhere, until the end."""
    folder = find_folder(unwritable)
    assert folder.path.parent.name.startswith(PREFIX)
    assert folder.path.parent.stat().st_mode & 0o777 == 0o700
    (folder.path / "some.table").touch()
    folder.remove()
    folder.remove()


@pytest.mark.usefixtures("unwritable")
def test_prepared(tmp_path: Path) -> None:
    """If nothing can be written in DATA_DIR, the tables there are still read, unless others can
    change them.
    """
    path = path_of(Tables(tmp_path / "tables", GAME))
    made(Tables(path.parent, GAME))
    (path.parent / LOCK).unlink()
    (path.parent / LOCK).mkdir()  # so that even root can't write it
    before = sorted(os.listdir(path.parent))
    folder = find_folder(str(tmp_path))
    assert folder.path != path.parent
    tables = Tables(folder.path, GAME)
    assert tables.made(VARIANT, rules(0)) is not None
    assert tables.made(VARIANT, rules(1)) is None
    assert sorted(os.listdir(path.parent)) == before
    path.chmod(0o620)
    assert Tables(folder.path, GAME).made(VARIANT, rules(0)) is None
    folder.remove()


def test_temporary_folders_of_the_dead(unwritable: str, tmp_path: Path) -> None:
    """Folders of services that were killed are removed, and those of running ones are not."""
    running = find_folder(unwritable)
    killed = find_folder(unwritable)
    (killed.path / "some.table").touch()
    assert killed._held is not None
    os.close(killed._held)  # as the kernel does
    (tmp_path / "temporary" / f"{PREFIX}link").symlink_to(tmp_path)
    another = find_folder(unwritable)
    assert (running.path.exists(), killed.path.exists()) == (True, False)
    assert tmp_path.exists()
    (tmp_path / "temporary" / f"{PREFIX}link").unlink()
    for folder in (running, another):
        folder.remove()


def test_there_is_always_a_place() -> None:
    """Where gunicorn can run there is a place for temporary files."""
    folder = find_folder("/dev/null/data")
    assert folder.path.parents[1] in (Path("/dev/shm"), Path(tempfile.gettempdir()))
    folder.remove()


def filled(folder: Path, count: int) -> Tables:
    """A folder with so many tables besides a default one; the higher the number, the newer."""
    tables = Tables(folder, GAME)
    for number in range(count + 1):
        path = path_of(tables, number)
        path.touch()
        os.utime(path, (number, number))
    return tables


def left(tables: Tables) -> list[int]:
    """The numbers of the tables in the folder."""
    return [number for number in range(100) if path_of(tables, number).exists()]


def test_least_used_goes_first(tmp_path: Path) -> None:
    """If there are too many tables, the longest unused go, but never one of the default rules, and
    not the new one, even if the clock was set back while it was made.
    """
    tables = filled(tmp_path, MAX_TABLES + 2)
    evict(tables, path_of(tables, MAX_TABLES + 2).stem)
    assert left(tables) == [0, *range(3, MAX_TABLES + 3)]
    tables = filled(tmp_path, MAX_TABLES + 2)
    evict(tables, path_of(tables, 1).stem)
    assert left(tables) == [0, 1, *range(4, MAX_TABLES + 3)]


def test_tables_in_memory(tmp_path: Path) -> None:
    """A process that has mapped too many tables lets go of the first of them, but never of one of
    the default rules.
    """
    tables = Tables(tmp_path, GAME)
    for number in range(MAX_TABLES + 2):
        scoring = scoring_of(VARIANT, rules(number))
        make_table(tables, scoring, lambda _: None)
        assert tables.made(VARIANT, rules(number)) is not None
    mapped = [number for number in range(100) if tables.mapped(VARIANT, rules(number))]
    assert mapped == [0, *range(2, MAX_TABLES + 2)]


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the longest unused tables make room; if that is not enough, it fails."""
    tables = filled(tmp_path, 4)
    needed = [3]
    opened = os.open

    def full(path: str, flags: int, mode: int = 0o777) -> int:
        if Path(path).suffix == ".part" and len(left(tables)) > needed[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", full)
    reserve(tmp_path / "new.part", 1000, tables)
    assert left(tables) == [0, 3, 4]
    assert (tmp_path / "new.part").stat().st_size == 1000
    needed[0] = 0
    with pytest.raises(OSError, match="No space left"):
        reserve(tmp_path / "newer.part", 1000, tables)
    assert left(tables) == [0]
