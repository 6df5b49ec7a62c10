"""Who makes a table, and how far it has come: a lock for one process, a record for all others."""

from __future__ import annotations

import fcntl
import json
import math
import os
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from service.tables import NotMade, NotReady
from service.tables.folder import LOCK, open_lock

MAX_RETRY_SECONDS = 60
STARTING_SECONDS = 2
"""When to ask again about a table that has just been begun."""

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
    make the table, of which all but the last were killed; those that ended with their service don't
    count. `process` is the id of the last one, or 0 before it runs. `failure` says why the table
    couldn't be made. `all_made` and `all_failed` count the tables of the folder so far.
    """

    key: str
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

    def made(self) -> Record:
        """The record once the table is made."""
        return replace(self, fraction=1.0, all_made=self.all_made + 1)

    def failed(self, why: str) -> Record:
        """The record if the table can't be made."""
        return replace(self, failure=why, all_failed=self.all_failed + 1)

    def write(self, lock: int) -> None:
        """Writes the record into the file of the lock."""
        text = json.dumps(asdict(self))
        if len(text) > _SIZE:
            text = json.dumps(asdict(replace(self, failure=f"{self.failure[:300]} ...")))
        os.pwrite(lock, text.encode().ljust(_SIZE), 0)


def read_record(lock: int) -> Record | None:
    """The record in the file of the lock, or None if there is none."""
    try:
        return Record(**json.loads(os.pread(lock, _SIZE, 0)))
    except (ValueError, TypeError):
        return None


@dataclass(frozen=True)
class Known:
    """A record, and how many seconds ago it was written."""

    record: Record
    age: float

    def not_ready(self, key: str) -> NotReady:
        """What to tell those who ask for the table `key` while this one is being made."""
        record, percent = self.record, f"{self.record.fraction:.0%}"
        left = record.seconds * (1 / record.fraction - 1) if record.fraction else STARTING_SECONDS
        wait = _whole_seconds(max(left - self.age, self.age / 2))
        if record.key != key:
            reason = f"it has to wait for another one, of which {percent} is done"
            return NotReady(reason, wait)
        reason = f"{percent} of it is done"
        if self.age > STALLED_SECONDS:
            reason += f", and there has been no progress for {self.age:.0f} seconds"
        return NotReady(reason, wait, record.fraction)


def last_record(folder: Path) -> Record | None:
    """The record in `folder`, or None if there is none."""
    try:
        lock = os.open(folder / LOCK, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        return read_record(lock)
    finally:
        os.close(lock)


class Making:
    """The right to make a table in a folder, which one process has at a time.

    Whoever gets it hands it to a process that makes the table, as an open file. The kernel frees
    the lock when that process ends, however it ends.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, key: str, queue: bool = False) -> int:
        """Locks the folder, and returns the open file of the lock.

        With `queue`, it waits while a table is being made, and is woken when that is done: sooner
        than others who only ask now and then. Raises `NotReady` if a table is being made, and
        `NotMade` if this one has just failed or nothing can be written.
        """
        try:
            lock = self._open()
        except OSError as error:
            raise NotMade(cant_write(self._folder, error), FAILED_SECONDS) from None
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if queue else fcntl.LOCK_NB))
            except BlockingIOError:
                raise (_known(lock) or _UNKNOWN).not_ready(key) from None
            _next_record(key, _known(lock)).write(lock)
        except OSError as error:
            os.close(lock)
            raise NotMade(cant_write(self._folder, error), FAILED_SECONDS) from None
        except NotReady:
            os.close(lock)
            raise
        return lock

    def _open(self) -> int:
        try:
            return open_lock(self._folder)
        except FileNotFoundError:  # someone has removed the folder
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return open_lock(self._folder)


def cant_write(folder: Path, error: OSError) -> str:
    """The failure to write in `folder`, in words."""
    return f"nothing can be written in {folder} ({error.strerror or error})"


def _next_record(key: str, last: Known | None) -> Record:
    """The record to begin with after the `last` one. Raises `NotMade` if it is too early for that.

    The clock may have been set since the last one, so a time far ahead is long ago, too.
    """
    if last is None:
        return Record(key)
    if last.record.key != key or abs(last.age) >= FAILED_SECONDS:
        return last.record.next(key)
    wait = _whole_seconds(FAILED_SECONDS - last.age)
    if last.record.failure:
        raise NotMade(last.record.failure, wait)
    if last.record.fraction == 1:  # it was made, and is gone
        return last.record.next(key)
    if last.record.attempt >= MAX_ATTEMPTS:
        raise NotMade(
            f"the process that makes it was killed {MAX_ATTEMPTS} times; perhaps there isn't "
            "enough memory",
            wait,
        )
    return last.record.next(key, last.record.attempt + 1)


def _known(lock: int) -> Known | None:
    """What the record in the file of the lock says, or None if there is none."""
    record = read_record(lock)
    return Known(record, time.time() - os.fstat(lock).st_mtime) if record else None


def _whole_seconds(seconds: float) -> int:
    return min(max(math.ceil(seconds), 1), MAX_RETRY_SECONDS)


_UNKNOWN = Known(Record(""), 0)
