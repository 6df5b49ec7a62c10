"""The folder of the tables, its lock, and in the file of the lock a record of what is being made.

The folder is in `DATA_DIR`, or a temporary one if nothing can be written there. One process at a
time has the lock, and makes a table. A request that starts such a process hands the lock over to it
as an open file. The kernel frees the lock when that process ends, however it ends. All others can
read in the record how far the table has come.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from io import FileIO
from pathlib import Path

from service.tables import NotMade, NotReady, NotYet

NAME = "tables"
PREPARED = "prepared"
"""In a temporary folder, a link to the one in DATA_DIR, which may have tables made earlier."""

PREFIX = "dice-scoring-tables-"
"""How the names of temporary folders begin."""

PLACES = ("/dev/shm", tempfile.gettempdir())
"""Where temporary folders are made: in memory, or among temporary files."""

LOCK = "making.lock"
"""The file that whoever makes a table has locked."""

MAX_RETRY_SECONDS = 60
STARTING_SECONDS = 2
"""When to ask again about a table of which nothing is done yet."""

STALLED_SECONDS = 10
FAILED_SECONDS = 60
"""How long a failure is remembered: until then nobody tries again."""

MAX_ATTEMPTS = 3
"""How often a table is begun anew at once, if the process that makes it is killed."""

_SIZE = 1024
"""The bytes of a record. They are on the disk from the first one on, even if the disk fills up."""


@dataclass(frozen=True)
class Record:
    """What is known of the table that is being made, or was made last.

    `seconds` is how long it took to get to `fraction`. `attempt` counts the processes that began to
    make the table, of which all but the last were killed; those that ended with their service, or
    were stopped by Ctrl-C, don't count. `process` is the id of the last one, or 0 before it runs.
    `failure` says why the table couldn't be made. `all_made` and `all_failed` count the tables of
    the folder so far.
    """

    key: str = ""
    attempt: int = 1
    process: int = 0
    fraction: float = 0.0
    seconds: float = 0.0
    failure: str = ""
    all_made: int = 0
    all_failed: int = 0


def read_record(lock: int) -> Record:
    """The record in the file of the lock, an empty one if there is none."""
    try:
        return Record(**json.loads(os.pread(lock, _SIZE, 0)))
    except (ValueError, TypeError):
        return Record()


def write_record(lock: int, record: Record) -> None:
    """Writes the record into the file of the lock."""
    text = json.dumps(asdict(record))
    if len(text) > _SIZE:
        text = json.dumps(asdict(replace(record, failure=f"{record.failure[:300]} ...")))
    os.pwrite(lock, text.encode().ljust(_SIZE), 0)


def last_record(folder: Path) -> Record:
    """The record in `folder`, an empty one if there is none."""
    try:
        with open(folder / LOCK, "rb", opener=_no_link) as lock:
            return read_record(lock.fileno())
    except OSError:
        return Record()


@contextmanager
def locked(folder: Path, key: str, *, queue: bool = False) -> Iterator[int]:
    """Locks `folder`, records that the table `key` is begun, and yields the open file of the lock.

    With `queue`, it waits while a table is being made, and is woken when that is done: sooner than
    others who only ask now and then. Raises `NotReady` if a table is being made, and `NotMade` if
    this one has just failed or nothing can be written.
    """
    try:
        file = _open_lock(folder)
    except OSError as error:
        raise NotMade(cant_write(folder, error), FAILED_SECONDS) from None
    with file:
        lock = file.fileno()
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if queue else fcntl.LOCK_NB))
            _begin(lock, key)
        except BlockingIOError:
            raise _being_made(lock, key) from None
        except OSError as error:
            raise NotMade(cant_write(folder, error), FAILED_SECONDS) from None
        yield lock


def cant_write(folder: Path, error: OSError) -> str:
    """The failure to write in `folder`, in words."""
    return f"nothing can be written in {folder} ({error.strerror or error})"


def _open_lock(folder: Path) -> FileIO:
    """Opens the lock in `folder` for reading and writing, and creates what is missing."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return FileIO(folder / LOCK, "r+", opener=_no_link)


def _no_link(path: str, flags: int) -> int:
    create = os.O_CREAT if flags & os.O_RDWR else 0
    return os.open(path, flags | create | os.O_NOFOLLOW, 0o600)


def _age(lock: int) -> float:
    """How many seconds ago the record was written. The clock may have been set since."""
    return time.time() - os.fstat(lock).st_mtime


def _being_made(lock: int, key: str) -> NotReady:
    """What to tell those who ask for the table `key` while that of the record is being made."""
    record, age = read_record(lock), _age(lock)
    percent = round(record.fraction * 100)
    left = record.seconds * (1 / record.fraction - 1) if record.fraction else STARTING_SECONDS
    reason = NotYet.PARTLY_DONE(percent=percent)
    if record.key != key:
        reason = NotYet.WAITING(percent=percent)
    elif age > STALLED_SECONDS:
        reason = NotYet.STALLED(percent=percent, age=round(age))
    return NotReady(reason, _whole_seconds(max(left - age, age / 2)))


def _begin(lock: int, key: str) -> None:
    """Records that the table `key` is begun.

    Raises `NotMade` if it is too early for that. A time far ahead is long ago, too.
    """
    last, age, attempt = read_record(lock), _age(lock), 1
    # a table that was made is gone since
    if last.key == key and abs(age) < FAILED_SECONDS and last.fraction != 1:
        failure, attempt = last.failure, last.attempt + 1
        if not failure and attempt > MAX_ATTEMPTS:
            failure = (
                f"the process that makes it was killed {MAX_ATTEMPTS} times; perhaps there isn't "
                "enough memory"
            )
        if failure:
            raise NotMade(failure, _whole_seconds(FAILED_SECONDS - age))
    anew = Record(key, attempt, all_made=last.all_made, all_failed=last.all_failed)
    write_record(lock, anew)


def _whole_seconds(seconds: float) -> int:
    return min(max(math.ceil(seconds), 1), MAX_RETRY_SECONDS)


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
    path = Path(data_dir).absolute() / NAME
    with suppress(OSError):
        for each in (path.parent, path):
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_usable(path):
            return Folder(path)
    return _temporary(path)


def _is_usable(path: Path) -> bool:
    """Whether files that this process creates in `path` are its own, and safe from others.

    Raises `OSError` if it can't create any. Over some networks, files belong to another user.
    """
    status, own = path.stat(), os.geteuid()
    if status.st_uid not in (own, 0):
        return False
    if status.st_mode & 0o022:  # made by someone else, or by mistake
        if status.st_uid != own:
            return False
        path.chmod(0o700)
    with _open_lock(path) as lock:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return os.fstat(lock.fileno()).st_uid == own


def _temporary(prepared: Path) -> Folder:
    """A private folder in memory, or among temporary files; locked for as long as it is used."""
    places = [Path(place) for place in PLACES if os.path.isdir(place)]
    for place in places:
        _remove_stale(place)
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
    raise OSError(f"no folder can be written: neither {' nor '.join(map(str, places))}")


def _remove_stale(place: Path) -> None:
    """Removes the temporary folders of services that were killed."""
    for path in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another user's, or no folder
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            if os.fstat(folder).st_uid == os.geteuid() and _locks(folder):
                shutil.rmtree(path, ignore_errors=True)
            os.close(folder)


def _locks(folder: int) -> bool:
    """Whether this process has locked the open `folder`."""
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
