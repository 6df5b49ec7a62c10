"""The folder of the tables: in `DATA_DIR`, or a temporary one if nothing can be written there."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from service.tables.lock import open_lock

NAME = "tables"
PREPARED = "prepared"
"""In a temporary folder, a link to the one in DATA_DIR, which may have tables made earlier."""

PREFIX = "dice-scoring-tables-"
"""How the names of temporary folders begin."""

PLACES = ("/dev/shm", tempfile.gettempdir())
"""Where temporary folders are made: in memory, or among temporary files."""


class Folder:
    """A folder for tables that this process can write. A temporary one is removed by `remove`."""

    def __init__(self, path: Path, held: int | None = None) -> None:
        self.path, self._held = path, held
        self._process = os.getpid()

    def remove(self) -> None:
        """Removes the folder if it is temporary, but not from a process forked later."""
        if self._held is not None and self._process == os.getpid():
            shutil.rmtree(self.path.parent, ignore_errors=True)
            os.close(self._held)
            self._held = None


def find_folder(data_dir: str) -> Folder:
    """The folder `tables` in `data_dir`, made if it is missing, or a temporary one beside it.

    There is always one: gunicorn itself needs a folder that it can write for its workers.
    """
    path = Path(data_dir).absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        (path / NAME).mkdir(mode=0o700, exist_ok=True)
        if is_usable(path / NAME):
            return Folder(path / NAME)
    except OSError:
        pass
    return _temporary(path / NAME)


def is_usable(path: Path) -> bool:
    """Whether files that this process creates in `path` are its own, and safe from others.

    Raises `OSError` if it can't create any. Over some networks, files belong to another user.
    """
    status = path.stat()
    if status.st_uid not in (os.geteuid(), 0):
        return False
    if status.st_mode & 0o022:  # made by someone else, or by mistake
        if status.st_uid != os.geteuid():
            return False
        path.chmod(0o700)
    lock = open_lock(path)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return os.fstat(lock).st_uid == os.geteuid()
    finally:
        os.close(lock)


def _temporary(prepared: Path) -> Folder:
    """A private folder in memory, or among temporary files; locked for as long as it is used."""
    places = [place for place in PLACES if os.path.isdir(place)]
    for place in places:
        for stale in _stale(Path(place)):
            shutil.rmtree(stale, ignore_errors=True)
    for place in places:
        with suppress(OSError):
            while True:
                path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
                held = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
                if _locks(held) and path.exists():  # else another service took it for a stale one
                    (path / NAME).mkdir(mode=0o700)
                    (path / NAME / PREPARED).symlink_to(prepared)
                    return Folder(path / NAME, held)
                os.close(held)
    raise OSError(f"no folder can be written: neither {' nor '.join(places)}")


def _stale(place: Path) -> Iterator[Path]:
    """The temporary folders of services that were killed, each locked while the caller has it."""
    for path in place.glob(f"{PREFIX}*"):
        try:
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:  # another user's, or no folder
            continue
        try:
            if os.fstat(folder).st_uid == os.geteuid() and _locks(folder):
                yield path
        finally:
            os.close(folder)


def _locks(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
