"""Files of tables: the figures, and a checksum of them and of the key of the table.

A file that is cut short, damaged or of another game has another checksum, and counts as missing.
"""

from __future__ import annotations

import mmap
import os
import stat
import zlib
from collections.abc import Callable
from math import prod
from pathlib import Path

import numpy as np

from service.advice.scorecard.scoring import Scoring, scoring
from service.advice.scorecard.table import Table, Values, checked, solve
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules

_CHECKSUM_BYTES = 4


def scoring_of(variant: ScoreCard, rules: HouseRules) -> Scoring:
    """What `variant` scores under `rules`; its `key` is equal for equal tables.

    Raises `TooLarge` if it can't be solved in a minute.
    """
    found = scoring(variant, rules)
    checked(found)
    return found


def bytes_of(scoring: Scoring) -> int:
    """How large the file of the table is."""
    return np.dtype(float).itemsize * prod(checked(scoring).shape) + _CHECKSUM_BYTES


def write_table(
    path: Path, scoring: Scoring, report: Callable[[float], object] = lambda _: None
) -> None:
    """Solves the card, writes the table over the file `path`, and waits until it is on the disk.

    It calls `report` with how much is solved, from 0 to 1, now and then.
    """
    array: Values = solve(scoring, report)
    with path.open("r+b") as file:
        file.write(array.data)
        file.write(_checksum(array.data, scoring))
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def read_table(path: Path, scoring: Scoring) -> Table | None:
    """The table in a file, mapped read-only: processes that read the same file share its memory.

    None unless the file is a whole table of this game, is no link, and is safe from other users. A
    mapped file can be removed or replaced.
    """
    try:
        with open(path, "rb", opener=_not_a_link) as file:
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
    return Table.of(scoring, np.frombuffer(figures).reshape(checked(scoring).shape))


def _checksum(figures: memoryview, scoring: Scoring) -> bytes:
    checksum = zlib.crc32(figures, zlib.crc32(scoring.key.encode()))
    return checksum.to_bytes(_CHECKSUM_BYTES, "big")


def _not_a_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
