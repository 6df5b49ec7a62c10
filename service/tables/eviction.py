"""Room for tables on the disk: the number of tables is bounded, and the least used goes first."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from service.advice.scorecard.scoring import TooLarge
from service.kinds.scorecard.variant import ScoreCard
from service.tables.files import scoring_of
from service.tables.tables import MAX_TABLES, Tables
from service.variants import variants

_FULL = {errno.ENOSPC, errno.EDQUOT}


def default_keys(tables: Tables) -> set[str]:
    """The keys of the tables of every game under its default rules; these are never removed."""
    keys = set()
    for variant in variants(tables.further).values():
        if isinstance(variant, ScoreCard):
            with suppress(TooLarge):
                keys.add(scoring_of(variant, variant.default_rules).key)
    return keys


def reserve(part: Path, size: int, tables: Tables) -> None:
    """Takes the room for the new file `part` before the work is done.

    If the disk is full, other tables have to go. Raises `OSError` if that isn't enough.
    """
    others = _least_used(tables, default_keys(tables))
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
    others = _least_used(tables, default_keys(tables) | {key})
    for path in others[: max(0, len(others) + 1 - MAX_TABLES)]:
        path.unlink(missing_ok=True)


def _least_used(tables: Tables, kept: set[str]) -> list[Path]:
    """The tables in the folder but those `kept`, the longest unused first."""
    used: list[tuple[float, Path]] = []
    for path in tables.folder.glob(tables.path_of("*").name):
        if path.stem not in kept:
            with suppress(OSError):  # someone has removed it
                used.append((path.lstat().st_mtime, path))
    return [path for _, path in sorted(used)]
