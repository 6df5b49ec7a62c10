"""Files of tables: the figures, and a checksum of them and of the key of the table.

A file that is cut short, damaged or of another game has another checksum, and counts as missing.
The number of files is bounded, and the least used goes first, but never one of default rules.
"""

from __future__ import annotations

import errno
import mmap
import os
import stat
import zlib
from collections.abc import Callable
from contextlib import suppress
from math import prod
from pathlib import Path

import numpy as np

from service.advice.scorecard.scoring import Scoring, TooLarge, scoring
from service.advice.scorecard.table import Table, checked, forms, solve
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.tables.serving import MAX_TABLES, Tables
from service.variants import variants

Report = Callable[[float], object]
"""Takes how much of a table is solved, from 0 to 1, now and then."""

_CHECKSUM_BYTES = 4
_FULL = {errno.ENOSPC, errno.EDQUOT}


def scoring_of(variant: ScoreCard, rules: HouseRules) -> Scoring:
    """What `variant` scores under `rules`; its `key` is equal for equal tables.

    Raises `TooLarge` if it can't be solved in a minute.
    """
    found = scoring(variant, rules)
    checked(found)
    return found


def bytes_of(scoring: Scoring) -> int:
    """How large the file of the table is."""
    figures = sum(np.dtype(of).itemsize * prod(shape) for of, shape in forms(scoring))
    return figures + _CHECKSUM_BYTES


def make_table(tables: Tables, scoring: Scoring, report: Report) -> None:
    """Writes the table of `scoring` under a temporary name, and then gives it its own.

    Raises `OSError` if it can't be written, or not be read again.
    """
    path = tables.path_of(scoring.key)
    for left in tables.folder.glob("*.part"):
        left.unlink(missing_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")  # not shared, even if the lock is removed
    try:
        reserve(part, bytes_of(scoring), tables)
        write_table(part, scoring, report)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    if read_table(path, scoring) is None:
        raise OSError(errno.EIO, "it can't be read again")
    evict(tables, scoring.key)


def write_table(path: Path, scoring: Scoring, report: Report = lambda _: None) -> None:
    """Solves the card, writes the table over the file `path`, and waits until it is on the disk."""
    content = b"".join(array.tobytes() for array in solve(scoring, report))
    with path.open("r+b") as file:
        file.write(content)
        file.write(_checksum(memoryview(content), scoring))
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def read_table(path: Path, scoring: Scoring) -> Table | None:
    """The table in a file, mapped read-only: processes that read the same file share its memory.

    None unless the file is a whole table of this game, is no link, and is safe from other users. A
    mapped file can be removed or replaced.
    """
    no_link = os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        with open(path, "rb", opener=lambda path, flags: os.open(path, flags | no_link)) as file:
            status = os.fstat(file.fileno())
            if (
                not stat.S_ISREG(status.st_mode)
                or status.st_uid not in (os.geteuid(), 0)
                or status.st_mode & 0o022
                or status.st_size != bytes_of(scoring)
            ):
                return None
            content = memoryview(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
    except OSError:
        return None
    figures, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
    if checksum != _checksum(figures, scoring):
        return None
    arrays, start = [], 0
    for of, shape in forms(scoring):
        arrays.append(np.frombuffer(figures, of, prod(shape), start).reshape(shape))
        start += arrays[-1].nbytes
    return Table.of(scoring, arrays)


def _checksum(figures: memoryview, scoring: Scoring) -> bytes:
    checksum = zlib.crc32(figures, zlib.crc32(scoring.key.encode()))
    return checksum.to_bytes(_CHECKSUM_BYTES, "big")


def reserve(part: Path, size: int, tables: Tables) -> None:
    """Takes the room for the new file `part` before the work is done.

    If the disk is full, other tables have to go. Raises `OSError` if that isn't enough.
    """
    others = _least_used(tables)
    while True:
        try:
            with open(part, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(bytes(size))
            return
        except OSError as error:
            if error.errno not in _FULL or not others:
                raise
            others.pop(0).unlink(missing_ok=True)


def evict(tables: Tables, key: str) -> None:
    """Removes the tables that are too many, but not the one with `key`, which is new."""
    others = _least_used(tables, key)
    for path in others[: max(0, len(others) + 1 - MAX_TABLES)]:
        path.unlink(missing_ok=True)


def _least_used(tables: Tables, *kept: str) -> list[Path]:
    """The tables in the folder but those of default rules and those `kept`, the longest unused
    first.
    """
    keys = {*kept}
    for variant in variants(tables.further).values():
        if isinstance(variant, ScoreCard):
            with suppress(TooLarge):
                keys.add(scoring_of(variant, variant.default_rules).key)
    used: list[tuple[float, Path]] = []
    for path in tables.folder.glob(tables.path_of("*").name):
        if path.stem not in keys:
            with suppress(OSError):  # someone has removed it
                used.append((path.lstat().st_mtime, path))
    return [path for _, path in sorted(used)]
