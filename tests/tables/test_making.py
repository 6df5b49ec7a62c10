"""A process of its own makes a table once, whatever happens to that process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.tables import NotReady
from service.tables import maker as making
from service.tables.lock import FAILED_SECONDS, MAX_ATTEMPTS, MAX_RETRY_SECONDS, last_record
from service.tables.maker import Maker
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
    rules,
    until,
)
from tests.tables.gated_game import VARIANT


def test_is_made_by_another_process(tables: Tables, tmp_path: Path) -> None:
    """The first request has to come back later; another process makes the table, and ends."""
    assert answered(ask(tables)) == ("it has just been begun", 2)
    made(tables)
    assert last_record(tmp_path).process not in (0, os.getpid())
    assert sorted(os.listdir(tmp_path)) == [path_of(tables).name, "making.lock"]
    assert path_of(tables).stat().st_mode & 0o777 == 0o600


WAIT = """
import sys
from pathlib import Path
from service.tables.maker import Maker
from service.tables.tables import Tables
from tests.tables.gated_game import VARIANT
maker = Maker(Tables(Path(sys.argv[1]), "tests.tables.gated_game"))
print("ready", flush=True)
sys.stdin.readline()
maker.wait_for(VARIANT, VARIANT.default_rules, queue="queue" in sys.argv)
print("made")
"""


def waiting(*words: object) -> subprocess.Popen[str]:
    """A process that waits for a line, then for the table, and then says that it is made."""
    process = subprocess.Popen(
        [sys.executable, "-c", WAIT, *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_is_made_once(tables: Tables, tmp_path: Path) -> None:
    """Eight processes that need a table at once all get it; one process makes it."""
    processes = [waiting(tmp_path) for _ in range(8)]
    ask(tables)
    for each in processes:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    assert {each.communicate(timeout=300)[0] for each in processes} == {"made\n"}
    assert last_record(tmp_path).all_made == 1


def test_progress(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests meanwhile learn how much is done, and that another table has to wait."""
    monkeypatch.setattr(making, "REPORT_SECONDS", 0)
    seen: list[tuple[str, NotReady, NotReady]] = []

    def tell(told: str) -> None:
        own, other = ask(tables), ask(tables, 1)
        assert isinstance(own, NotReady)
        assert isinstance(other, NotReady)
        seen.append((told, own, other))

    Maker(tables, tell).wait_for(VARIANT, rules(0))
    (begun, _, _), *later = seen
    assert begun == "it has just been begun"
    for told, own, other in later:
        assert own.reason == told
        done = told.partition(" ")[0]
        assert other.reason == f"it has to wait for another one, of which {done} is done"
        assert 1 <= own.retry_after <= MAX_RETRY_SECONDS
        assert 1 <= other.retry_after <= MAX_RETRY_SECONDS
    percents = [int(told.removesuffix("% of it is done")) for told, _, _ in later]
    assert len(percents) > 2
    assert percents == sorted(percents)


def test_queue(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """Who queues waits until no table is being made, and then makes its own."""
    ask(tables, 1)
    maker(tmp_path)
    queueing = waiting(tmp_path, "queue")
    assert queueing.stdin is not None
    queueing.stdin.write("\n")
    queueing.stdin.flush()
    gate.touch()
    assert queueing.communicate(timeout=300)[0] == "made\n"
    made(tables)
    made(tables, 1)
    assert last_record(tmp_path).all_made == 2


def test_killed(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """If the process that makes a table is killed, the next who asks starts another."""
    ask(tables)
    killed = maker(tmp_path)
    end(tmp_path, killed, signal.SIGKILL)
    gate.touch()
    made(tables)
    assert last_record(tmp_path).process != killed
    assert sorted(os.listdir(tmp_path)) == [path_of(tables).name, "making.lock"]


@pytest.mark.proof
@pytest.mark.usefixtures("gate")
def test_killed_again_and_again(tables: Tables, tmp_path: Path) -> None:
    """After three processes were killed one after the other, no more are started for a while."""
    for _ in range(MAX_ATTEMPTS):
        assert answered(ask(tables)) == ("it has just been begun", 2)
        end(tmp_path, maker(tmp_path), signal.SIGKILL)
    reason = "the process that makes it was killed 3 times; perhaps there isn't enough memory"
    assert failure(ask(tables)) == reason
    assert not is_making(tmp_path)
    age(tmp_path, FAILED_SECONDS + 1)
    assert answered(ask(tables)) == ("it has just been begun", 2)
    end(tmp_path, maker(tmp_path), signal.SIGKILL)


def test_frozen(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """While the process makes no progress, requests don't wait for it, and the answer says so."""
    ask(tables)
    frozen = maker(tmp_path)
    os.kill(frozen, signal.SIGSTOP)
    age(tmp_path, 80)
    for number, expected in (
        (0, r"0% of it is done, and there has been no progress for \d\d+ seconds"),
        (1, "it has to wait for another one, of which 0% is done"),
    ):
        reason, retry_after = answered(ask(tables, number))
        assert re.fullmatch(expected, reason)
        assert 40 <= retry_after <= MAX_RETRY_SECONDS  # half as long as there was no progress
    os.kill(frozen, signal.SIGCONT)
    gate.touch()
    made(tables)
    assert last_record(tmp_path).process == frozen


@pytest.mark.usefixtures("gate")
def test_priority(tables: Tables, tmp_path: Path) -> None:
    """A table that a request needs is made at a low priority."""
    ask(tables)
    process = maker(tmp_path)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process) == max(own, 10)
    end(tmp_path, process, signal.SIGKILL)


HOLD = """
import sys
from contextlib import suppress
from pathlib import Path
from service.tables import NotReady
from service.tables.tables import Tables
from tests.tables.gated_game import VARIANT
with suppress(NotReady):
    Tables(Path(sys.argv[1]), "tests.tables.gated_game").get(VARIANT, VARIANT.default_rules)
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
    holder.send_signal(how)
    holder.communicate(timeout=300)
    until(lambda: not is_making(tmp_path), "the process ends")
    assert last_record(tmp_path).attempt == 0, "it doesn't count as killed"
