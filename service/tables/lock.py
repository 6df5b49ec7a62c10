"""The lock of a folder of tables, and in the same file a record of what is being made.

One process at a time has the lock, and makes a table. A request that starts such a process hands
the lock over to it as an open file. The kernel frees the lock when that process ends, however it
ends. All others can read in the record how far the table has come.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from service.tables import NotMade, NotReady

LOCK = "making.lock"
"""The file that whoever makes a table has locked."""

BEGUN = "it has just been begun"
"""Why the first request for a table fails."""

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

    def next(self, key: str, attempt: int = 1) -> Record:
        """The record to begin the table `key` with after this one."""
        return Record(key, attempt, all_made=self.all_made, all_failed=self.all_failed)

    def write(self, lock: int) -> None:
        """Writes the record into the file of the lock."""
        text = json.dumps(asdict(self))
        if len(text) > _SIZE:
            text = json.dumps(asdict(replace(self, failure=f"{self.failure[:300]} ...")))
        os.pwrite(lock, text.encode().ljust(_SIZE), 0)


def read_record(lock: int) -> Record:
    """The record in the file of the lock, an empty one if there is none."""
    try:
        return Record(**json.loads(os.pread(lock, _SIZE, 0)))
    except (ValueError, TypeError):
        return Record()


def last_record(folder: Path) -> Record:
    """The record in `folder`, an empty one if there is none."""
    try:
        with open(folder / LOCK, "rb", opener=_not_a_link) as lock:
            return read_record(lock.fileno())
    except OSError:
        return Record()


def open_lock(folder: Path) -> int:
    """Opens the lock in `folder` for reading and writing, and creates what is missing."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return _not_a_link(folder / LOCK, os.O_RDWR | os.O_CREAT)


@contextmanager
def locked(folder: Path, key: str, *, queue: bool = False) -> Iterator[int]:
    """Locks `folder`, records that the table `key` is begun, and yields the open file of the lock.

    With `queue`, it waits while a table is being made, and is woken when that is done: sooner than
    others who only ask now and then. Raises `NotReady` if a table is being made, and `NotMade` if
    this one has just failed or nothing can be written.
    """
    try:
        lock = open_lock(folder)
    except OSError as error:
        raise NotMade(cant_write(folder, error), FAILED_SECONDS) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if queue else fcntl.LOCK_NB))
            _next_record(key, read_record(lock), _age(lock)).write(lock)
        except BlockingIOError:
            raise _being_made(key, read_record(lock), _age(lock)) from None
        except OSError as error:
            raise NotMade(cant_write(folder, error), FAILED_SECONDS) from None
        yield lock
    finally:
        os.close(lock)


def cant_write(folder: Path, error: OSError) -> str:
    """The failure to write in `folder`, in words."""
    return f"nothing can be written in {folder} ({error.strerror or error})"


def _not_a_link(path: str | Path, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _age(lock: int) -> float:
    """How many seconds ago the record was written. The clock may have been set since."""
    return time.time() - os.fstat(lock).st_mtime


def _being_made(key: str, record: Record, age: float) -> NotReady:
    """What to tell those who ask for the table `key` while that of `record` is being made."""
    percent = f"{record.fraction:.0%}"
    left = record.seconds * (1 / record.fraction - 1) if record.fraction else STARTING_SECONDS
    reason = f"{percent} of it is done"
    if record.key != key:
        reason = f"it has to wait for another one, of which {percent} is done"
    elif age > STALLED_SECONDS:
        reason += f", and there has been no progress for {age:.0f} seconds"
    return NotReady(reason, _whole_seconds(max(left - age, age / 2)))


def _next_record(key: str, last: Record, age: float) -> Record:
    """The record to begin with after the `last` one, which was written `age` seconds ago.

    Raises `NotMade` if it is too early for that. A time far ahead is long ago, too.
    """
    if last.key != key or abs(age) >= FAILED_SECONDS or last.fraction == 1:  # made, and gone
        return last.next(key)
    failure = last.failure
    if not failure and last.attempt >= MAX_ATTEMPTS:
        failure = (
            f"the process that makes it was killed {MAX_ATTEMPTS} times; perhaps there isn't "
            "enough memory"
        )
    if failure:
        raise NotMade(failure, _whole_seconds(FAILED_SECONDS - age))
    return last.next(key, last.attempt + 1)


def _whole_seconds(seconds: float) -> int:
    return min(max(math.ceil(seconds), 1), MAX_RETRY_SECONDS)
