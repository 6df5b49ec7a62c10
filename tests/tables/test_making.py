"""A process of its own makes a table once, whatever happens to that process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.tables.making import FAILED_SECONDS, MAX_ATTEMPTS, MAX_RETRY_SECONDS
from service.tables.tables import Tables
from tests.live import ROOT
from tests.tables.asking import (
    age,
    answered,
    ask,
    end,
    failure,
    is_making,
    made,
    maker,
    path_of,
    record,
    until,
)


def test_is_made_by_another_process(tables: Tables, tmp_path: Path) -> None:
    """The first request has to come back later; another process makes the table, and ends."""
    assert answered(ask(tables)) == ("it has just been begun", 2, 0.0)
    table = made(tables)
    assert table.maker != os.getpid()
    until(lambda: not is_making(tmp_path), "the process ends")
    assert sorted(os.listdir(tmp_path)) == [path_of(tables).name, "making.lock"]
    assert path_of(tables).stat().st_mode & 0o777 == 0o600


ASK = """
import sys
from pathlib import Path
from service.tables.at_hand import wait_for
from service.tables.tables import Tables
from service.variants.dice_poker import VARIANT
tables = Tables(Path(sys.argv[1]), "tests.tables.quick_solver")
print("ready", flush=True)
sys.stdin.readline()
print(wait_for(tables, VARIANT, VARIANT.default_rules, lambda sentence: None).maker)
"""


def test_is_made_once(tmp_path: Path) -> None:
    """Eight processes that ask at once get the same table, made by one process."""
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", ASK, tmp_path],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    for each in asking:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in asking:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    assert len({each.communicate(timeout=300)[0] for each in asking}) == 1


def test_progress(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """Requests meanwhile learn how much is done, and that another table has to wait."""
    ask(tables)
    maker(tmp_path)
    reason, retry_after, fraction = answered(ask(tables))
    assert (reason, fraction) == ("50% of it is done", 0.5)
    assert 1 <= retry_after <= MAX_RETRY_SECONDS
    reason, retry_after, fraction = answered(ask(tables, 1))
    assert (reason, fraction) == ("it has to wait for another one, of which 50% is done", None)
    assert 1 <= retry_after <= MAX_RETRY_SECONDS
    gate.touch()
    made(tables)


def test_queue(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """Who queues waits until no table is being made, and then has its own made."""
    ask(tables, 1)
    maker(tmp_path)
    queueing = subprocess.Popen(
        [sys.executable, "-c", ASK.replace("None)", "None, queue=True)"), tmp_path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    gate.touch()
    printed, _ = queueing.communicate("\n", timeout=300)
    assert printed == f"ready\n{made(tables).maker}\n"
    made(tables, 1)


def test_killed(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """If the process that makes a table is killed, the next who asks starts another."""
    ask(tables)
    killed = maker(tmp_path)
    end(tmp_path, killed, signal.SIGKILL)
    gate.touch()
    table = made(tables)
    assert table.maker != killed
    until(lambda: not is_making(tmp_path), "the process ends")
    assert sorted(os.listdir(tmp_path)) == [path_of(tables).name, "making.lock"]


@pytest.mark.proof
@pytest.mark.usefixtures("gate")
def test_killed_again_and_again(tables: Tables, tmp_path: Path) -> None:
    """After three processes were killed one after the other, no more are started for a while."""
    for _ in range(MAX_ATTEMPTS):
        assert answered(ask(tables)) == ("it has just been begun", 2, 0.0)
        end(tmp_path, maker(tmp_path), signal.SIGKILL)
    reason = "the process that makes it was killed 3 times; perhaps there isn't enough memory"
    assert failure(ask(tables)) == reason
    assert not is_making(tmp_path)
    age(tmp_path, FAILED_SECONDS + 1)
    assert answered(ask(tables)) == ("it has just been begun", 2, 0.0)
    end(tmp_path, maker(tmp_path), signal.SIGKILL)


def test_frozen(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """While the process makes no progress, requests don't wait for it, and the answer says so."""
    ask(tables)
    frozen = maker(tmp_path)
    os.kill(frozen, signal.SIGSTOP)
    age(tmp_path, 80)
    for number, expected in (
        (0, r"50% of it is done, and there has been no progress for \d\d+ seconds"),
        (1, "it has to wait for another one, of which 50% is done"),
    ):
        reason, retry_after, fraction = answered(ask(tables, number))
        assert re.fullmatch(expected, reason)
        assert 40 <= retry_after <= MAX_RETRY_SECONDS  # half as long as there was no progress
        assert fraction == (None if number else 0.5)
    os.kill(frozen, signal.SIGCONT)
    gate.touch()
    assert made(tables).maker == frozen


HOLD = """
import sys
from contextlib import suppress
from pathlib import Path
from service.tables import NotReady
from service.tables.tables import Tables
from service.variants.dice_poker import VARIANT
with suppress(NotReady):
    Tables(Path(sys.argv[1]), "tests.tables.quick_solver").get(VARIANT, VARIANT.default_rules)
print("asked", flush=True)
sys.stdin.readline()
"""


@pytest.mark.usefixtures("gate")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_ends_with_its_service(tmp_path: Path, how: signal.Signals) -> None:
    """The process that makes a table ends when the process that holds the lifeline does."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "asked\n"
    maker(tmp_path)
    assert is_making(tmp_path)
    holder.send_signal(how)
    holder.communicate(timeout=300)
    until(lambda: not is_making(tmp_path), "the process ends")
    found = record(tmp_path)
    assert found is not None
    assert found.attempt == 0, "it doesn't count as killed"
