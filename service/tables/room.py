"""Room for tables on the disk: the number of tables is bounded, and the least used goes first."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from service.advice.scorecard.scoring import TooLarge
from service.kinds.scorecard.variant import ScoreCard
from service.tables.tables import MAX_TABLES, SUFFIX, Tables
from service.variants import variants

PART = ".part"
"""The suffix of a table that is being written."""

_FULL = {errno.ENOSPC, errno.EDQUOT}


def default_keys(tables: Tables) -> frozenset[str]:
    """The keys of the tables of every game under its default rules; these are never removed."""
    keys = set()
    for variant in variants(tables.further).values():
        if isinstance(variant, ScoreCard):
            with suppress(TooLarge):
                keys.add(tables.scoring_of(variant, variant.default_rules).key)
    return frozenset(keys)


def reserve(part: Path, size: int, tables: Tables) -> None:
    """Takes the room on the disk before the work is done, and removes what others left unfinished.

    If the disk is full, other tables have to go. Raises `OSError` if that isn't enough.
    """
    for left in tables.folder.glob(f"*{PART}"):
        left.unlink(missing_ok=True)
    others = _least_used(tables, default_keys(tables))
    while True:
        try:
            _allocate(part, size)
            return
        except OSError as error:
            if error.errno not in _FULL or not others:
                raise
            others.pop(0).unlink(missing_ok=True)


def make_room(tables: Tables, key: str) -> None:
    """Removes the tables that are too many, but not the one with `key`, which is new."""
    others = _least_used(tables, default_keys(tables) | {key})
    for path in others[: max(0, len(others) + 1 - MAX_TABLES)]:
        path.unlink(missing_ok=True)


def _least_used(tables: Tables, kept: frozenset[str]) -> list[Path]:
    """The tables in the folder but those `kept`, the longest unused first."""
    used: list[tuple[float, Path]] = []
    for path in tables.folder.glob(f"*{SUFFIX}"):
        if path.stem not in kept:
            with suppress(OSError):  # someone has removed it
                used.append((path.lstat().st_mtime, path))
    return [path for _, path in sorted(used)]


def _allocate(part: Path, size: int) -> None:
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        if hasattr(os, "posix_fallocate"):  # not on macOS
            os.posix_fallocate(file, 0, size)
    except OSError as error:
        part.unlink()
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):  # not on every file system
            raise
    finally:
        os.close(file)
