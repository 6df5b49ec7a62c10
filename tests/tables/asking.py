"""Asking for tables of a game that is solved in no time."""

from __future__ import annotations

import fcntl
import os
from functools import partial
from pathlib import Path

from service.advice.scorecard.table import Table
from service.rules.house_rules import HouseRules
from service.tables import NotMade, NotReady
from service.tables.files import scoring_of
from service.tables.lock import FAILED_SECONDS, LOCK, last_record
from service.tables.serving import Tables
from tests.advice.scorecard.small_cards import PairRules
from tests.sessions import servers
from tests.tables.gated_game import VARIANT

until = partial(servers.until, seconds=300, pause=0.05)
"""Waits longer than other tests: these may keep a process of low priority from its work."""

GAME = "tests.tables.gated_game"


def rules(number: int) -> HouseRules:
    """House rules that differ for each number."""
    return PairRules(pair_bonus=number)


def ask(tables: Tables, number: int = 0) -> Table | NotReady:
    """The table for `rules(number)`, or why there is none."""
    try:
        return tables.get(VARIANT, rules(number))
    except NotReady as why:
        return why


def made(tables: Tables, number: int = 0) -> Table:
    """The table for `rules(number)`, asked for until it is there and nothing is being made."""
    found: list[Table] = []

    def is_there() -> bool:
        answer = ask(tables, number)
        assert not isinstance(answer, NotMade), answer.reason
        if isinstance(answer, Table):
            found.append(answer)
        return bool(found) and not is_making(tables.folder)

    until(is_there, "the table is made")
    return found[0]


def path_of(tables: Tables, number: int = 0) -> Path:
    """The file of the table for `rules(number)`."""
    return tables.path_of(scoring_of(VARIANT, rules(number)).key)


def maker(folder: Path) -> int:
    """The process that makes a table, as soon as it says so."""

    def has_begun() -> bool:
        return is_making(folder) and bool(last_record(folder).process)

    until(has_begun, "a process makes the table")
    return last_record(folder).process


def is_making(folder: Path) -> bool:
    """Whether a process makes a table: then the lock is taken."""
    with (folder / LOCK).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def end(folder: Path, process: int, signal: int) -> None:
    """Ends the process that makes a table."""
    os.kill(process, signal)
    until(lambda: not is_making(folder), "the lock is free")


def answered(answer: object) -> tuple[str, int]:
    """What the exception `answer` says: its reason, and when to ask again."""
    assert isinstance(answer, NotReady), answer
    return str(answer.reason), answer.retry_after


def failure(answer: object) -> str:
    """Why a table couldn't be made. `answer` also says to ask again within a minute."""
    assert isinstance(answer, NotMade), answer
    assert 0 < answer.retry_after <= FAILED_SECONDS
    return str(answer.reason)


def age(folder: Path, seconds: float) -> None:
    """Has the record written `seconds` ago."""
    lock = folder / LOCK
    written = lock.stat().st_mtime - seconds
    os.utime(lock, (written, written))
