"""Asking for tables, which a quick solver makes."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.tables import NotMade, NotReady
from service.tables.making import FAILED_SECONDS, Record, read_record
from service.tables.tables import Tables
from service.variants import own_variants
from tests.sessions import servers
from tests.tables.quick_solver import QuickTable

until = partial(servers.until, seconds=300, pause=0.05)
"""Waits longer than other tests: these may keep a process of low priority from its work."""

QUICK = "tests.tables.quick_solver"


def dice_poker() -> ScoreCard[Any]:
    """The game that is asked about."""
    variant = own_variants()["dice-poker"]
    assert isinstance(variant, ScoreCard)
    return variant


def rules(number: int) -> HouseRules:
    """House rules that differ for each number."""
    changed: HouseRules = dice_poker().house_rules(extra_five_bonus=number)
    return changed


def ask(tables: Tables, number: int = 0) -> QuickTable | NotReady:
    """The table for `rules(number)`, or why there is none."""
    try:
        table = tables.get(dice_poker(), rules(number))
    except NotReady as why:
        return why
    assert isinstance(table, QuickTable)
    return table


def made(tables: Tables, number: int = 0) -> QuickTable:
    """The table for `rules(number)`, asked for until it is there."""
    found: list[QuickTable] = []

    def is_there() -> bool:
        answer = ask(tables, number)
        assert not isinstance(answer, NotMade), answer.reason
        if isinstance(answer, QuickTable):
            found.append(answer)
        return bool(found)

    until(is_there, "the table is made")
    return found[0]


def path_of(tables: Tables, number: int = 0) -> Path:
    """The file of the table for `rules(number)`."""
    return tables.path_of(tables.scoring_of(dice_poker(), rules(number)).key)


def record(folder: Path) -> Record | None:
    """The record in the folder."""
    with suppress(FileNotFoundError), (folder / "making.lock").open() as lock:
        return read_record(lock.fileno())
    return None


def maker(folder: Path) -> int:
    """The process that makes a table, as soon as it says that half of the work is done."""

    def is_halfway() -> bool:
        found = record(folder)
        return found is not None and found.fraction == 0.5

    until(is_halfway, "half of the table is made")
    found = record(folder)
    assert found is not None
    return found.process


def is_making(folder: Path) -> bool:
    """Whether a process makes a table: then the lock is taken."""
    with (folder / "making.lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def end(folder: Path, process: int, signal: int) -> None:
    """Ends the process that makes a table."""
    os.kill(process, signal)
    until(lambda: not is_making(folder), "the lock is free")


def answered(answer: object) -> tuple[str, int, float | None]:
    """What the exception `answer` says: its reason, when to ask again, how much is done."""
    assert isinstance(answer, NotReady), answer
    return answer.reason, answer.retry_after, answer.fraction


def failure(answer: object) -> str:
    """Why a table couldn't be made. `answer` also says to ask again within a minute."""
    assert isinstance(answer, NotMade), answer
    assert 0 < answer.retry_after <= FAILED_SECONDS
    assert answer.fraction is None
    return answer.reason


def age(folder: Path, seconds: float) -> None:
    """Has the record written `seconds` ago."""
    lock = folder / "making.lock"
    written = lock.stat().st_mtime - seconds
    os.utime(lock, (written, written))
