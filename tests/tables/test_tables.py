"""Tables are made once, by a process of their own, whatever happens to it or to the files."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.tables import NotMade, NotReady
from service.tables.making import FAILED_SECONDS, MAX_ATTEMPTS, MAX_RETRY_SECONDS
from service.tables.tables import Tables
from tests.live import ROOT
from tests.tables.asking import (
    QUICK,
    ask,
    dice_poker,
    end,
    is_making,
    made,
    maker,
    path_of,
    record,
    until,
)
from tests.tables.quick_solver import BYTES, GATE
from tests.trial_games.two_boxes import VARIANT as TWO_BOXES


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    """The tables of an empty folder."""
    return Tables(tmp_path, QUICK)


@pytest.fixture
def gate(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that lets tables be completed, once it exists."""
    path = tmp_path_factory.mktemp("gate") / "open"
    monkeypatch.setenv(GATE, str(path))
    return path


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


def age(folder: Path, seconds: float) -> None:
    """Has the record written `seconds` ago."""
    lock = folder / "making.lock"
    written = lock.stat().st_mtime - seconds
    os.utime(lock, (written, written))


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
    holder.communicate(timeout=30)
    until(lambda: not is_making(tmp_path), "the process ends")
    found = record(tmp_path)
    assert found is not None
    assert found.attempt == 0, "it doesn't count as killed"


def truncate(path: Path) -> None:
    """Cuts off the last byte."""
    os.truncate(path, path.stat().st_size - 1)


def damage(path: Path) -> None:
    """Changes one byte."""
    with path.open("r+b") as file:
        file.seek(BYTES // 2)
        file.write(b"x")


def empty(path: Path) -> None:
    """Leaves nothing."""
    os.truncate(path, 0)


def link(path: Path) -> None:
    """Puts a link to the file in its place."""
    path.symlink_to(path.rename(path.parent / "elsewhere"))


def exchange(path: Path) -> None:
    """Puts the table of other house rules in its place."""
    tables = Tables(path.parent, QUICK)
    made(tables, 1)
    path_of(tables, 1).replace(path)


def give_away(path: Path) -> None:
    """Gives the file to another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(path, 65534, 65534)


QUICK_HARMS = (truncate, link)
HARMS = (truncate, damage, empty, link, exchange, give_away, Path.unlink)


@pytest.mark.parametrize(
    "harm",
    [pytest.param(harm, marks=() if harm in QUICK_HARMS else pytest.mark.proof) for harm in HARMS],
)
def test_file_that_is_not_the_table(tmp_path: Path, harm: object) -> None:
    """A file that isn't the whole table of these rules, or is another user's, is made anew."""
    tables = Tables(tmp_path, QUICK)
    first = made(tables)
    until(lambda: not is_making(tmp_path), "the process has checked what it wrote")
    assert callable(harm)
    harm(path_of(tables))
    again = Tables(tmp_path, QUICK)
    assert made(again).text == first.text
    assert made(again).maker != first.maker
    assert not path_of(again).is_symlink()
    assert made(tables).maker == first.maker, "what is in memory stays"


def test_made(tables: Tables, tmp_path: Path) -> None:
    """Looking whether there is a table starts nothing."""
    variant = dice_poker()
    assert tables.made(variant, variant.default_rules) is None
    assert os.listdir(tmp_path) == []
    table: object = made(tables)
    assert tables.made(variant, variant.default_rules) is table


def test_is_read_once(tables: Tables) -> None:
    """A table is read once in a process; other processes find the file."""
    first = made(tables)
    assert made(tables) is first
    assert made(Tables(tables.folder, QUICK)) == first


def test_disk_is_full(tables: Tables, tmp_path: Path) -> None:
    """If the file can't be written, that is known before the work; the reason is remembered."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES // 2, hard))
    try:
        ask(tables)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    until(lambda: not is_making(tmp_path), "the process gives up")
    assert failure(ask(tables)) == f"nothing can be written in {tmp_path} (File too large)"
    assert os.listdir(tmp_path) == ["making.lock"]
    age(tmp_path, FAILED_SECONDS + 1)
    made(tables)


@pytest.mark.proof
def test_failure_is_only_that_of_its_table(tables: Tables, tmp_path: Path) -> None:
    """While a failure is remembered, other tables can be made."""
    path_of(tables).mkdir()
    ask(tables)
    until(lambda: not is_making(tmp_path), "the process gives up")
    assert failure(ask(tables)) == f"nothing can be written in {tmp_path} (Is a directory)"
    made(tables, 1)


def test_folder_is_removed(tmp_path: Path) -> None:
    """If someone removes the folder, it is made again."""
    tables = Tables(tmp_path / "tables", QUICK)
    assert made(tables).maker
    assert (tmp_path / "tables").stat().st_mode & 0o777 == 0o700


def test_no_folder(tmp_path: Path) -> None:
    """If there can be no folder, the answer says so, and no process is started."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "tables"
    reason = f"nothing can be written in {folder} (Not a directory)"
    assert failure(ask(Tables(folder, QUICK))) == reason


def test_game_from_elsewhere(tables: Tables, tmp_path: Path) -> None:
    """A game that the service doesn't find by its id has no table."""
    with pytest.raises(NotReady):
        tables.get(TWO_BOXES, TWO_BOXES.default_rules)
    until(lambda: not is_making(tmp_path), "the process gives up")
    with pytest.raises(NotMade) as caught:
        tables.get(TWO_BOXES, TWO_BOXES.default_rules)
    assert caught.value.reason == "two-boxes is not one of the games that the service finds"
