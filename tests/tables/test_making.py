"""A process of its own makes a table once, whatever happens to that process or to its files."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from service.api.operations.registry import operations
from service.kinds.scorecard.boxes import LowerBox, SumOfAll
from service.kinds.scorecard.card import Card
from service.rules.patterns import AnyDice
from service.rules.violations import InvalidInput
from service.settings import Settings
from service.tables import NotReady, prepare, serving
from service.tables.files import bytes_of, scoring_of
from service.tables.lock import FAILED_SECONDS, LOCK, MAX_ATTEMPTS, MAX_RETRY_SECONDS, last_record
from service.tables.serving import Tables
from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.live import ROOT
from tests.tables.asking import (
    GAME,
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

BEGUN = "it has just been begun"


def test_is_made_by_another_process(tables: Tables, tmp_path: Path) -> None:
    """Looking for a table starts nothing. The first request has to come back later; another process
    makes the table, and ends. A process reads the table once; others find the file.
    """
    assert tables.made(VARIANT, rules(0)) is None
    assert os.listdir(tmp_path) == []
    assert answered(ask(tables)) == (BEGUN, 2)
    table = made(tables)
    assert last_record(tmp_path).process not in (0, os.getpid())
    assert sorted(os.listdir(tmp_path)) == [path_of(tables).name, LOCK]
    assert path_of(tables).stat().st_mode & 0o777 == 0o600
    assert made(tables) is tables.made(VARIANT, rules(0)) is table
    np.testing.assert_array_equal(made(Tables(tmp_path, GAME)).array, table.array)
    assert last_record(tmp_path).all_made == 1


def python(program: str, *words: object) -> subprocess.Popen[str]:
    """A process that runs `program`, which has said that it is ready, and waits for a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


WAIT = """
import sys
from pathlib import Path
import service.tables.files  # with NumPy, before it is ready
from service.tables.prepare import wait
from service.tables.serving import Tables
from tests.tables.gated_game import VARIANT
tables = Tables(Path(sys.argv[1]), "tests.tables.gated_game")
print("ready", flush=True)
sys.stdin.readline()
wait(tables, VARIANT, VARIANT.default_rules, lambda _: None, queue="queue" in sys.argv)
print("made")
"""


def go_on(process: subprocess.Popen[str]) -> None:
    """Sends the line that the process waits for."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.fault
def test_is_made_once(tables: Tables, tmp_path: Path) -> None:
    """Eight processes that need a table at once all get it; one process makes it."""
    processes = [python(WAIT, tmp_path) for _ in range(8)]
    ask(tables)
    for each in processes:
        go_on(each)
    assert {each.communicate(timeout=300)[0] for each in processes} == {"made\n"}
    assert last_record(tmp_path).all_made == 1


def test_progress(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests meanwhile learn how much is done, and that another table has to wait."""
    monkeypatch.setattr(prepare, "REPORT_SECONDS", 0)
    seen: list[tuple[str, NotReady, NotReady]] = []

    def tell(told: str) -> None:
        own, other = ask(tables), ask(tables, 1)
        assert isinstance(own, NotReady)
        assert isinstance(other, NotReady)
        seen.append((told, own, other))

    prepare.wait(tables, VARIANT, rules(0), tell)
    (begun, _, _), *later = seen
    assert begun == BEGUN
    for told, own, other in later:
        assert str(own.reason) == told
        done = told.partition(" ")[0]
        assert str(other.reason) == f"it has to wait for another one, of which {done} is done"
        assert 1 <= own.retry_after <= MAX_RETRY_SECONDS
        assert 1 <= other.retry_after <= MAX_RETRY_SECONDS
    percents = [int(told.removesuffix("% of it is done")) for told, _, _ in later]
    assert len(percents) > 2
    assert percents == sorted(percents)


@pytest.mark.fault
def test_queue(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """Who queues waits until no table is being made, and then makes its own."""
    ask(tables, 1)
    maker(tmp_path)
    queueing = python(WAIT, tmp_path, "queue")
    go_on(queueing)
    gate.touch()
    assert queueing.communicate(timeout=300)[0] == "made\n"
    made(tables)
    made(tables, 1)
    assert last_record(tmp_path).all_made == 2


@pytest.mark.fault
def test_killed(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """If the process that makes a table is killed, the next who asks starts another. After three
    were killed one after the other, no more are started for a while. Nothing is left of them.
    """
    for _ in range(MAX_ATTEMPTS):
        assert answered(ask(tables)) == (BEGUN, 2)
        end(tmp_path, maker(tmp_path), signal.SIGKILL)
    reason = "the process that makes it was killed 3 times; perhaps there isn't enough memory"
    assert failure(ask(tables)) == reason
    assert not is_making(tmp_path)
    age(tmp_path, FAILED_SECONDS + 1)
    gate.touch()
    made(tables)
    assert sorted(os.listdir(tmp_path)) == [path_of(tables).name, LOCK]


@pytest.mark.fault
def test_frozen(tables: Tables, tmp_path: Path, gate: Path) -> None:
    """A table that a request needs is made at a low priority. While the process makes no progress,
    requests don't wait for it, and the answer says so.
    """
    ask(tables)
    frozen = maker(tmp_path)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, frozen) == max(own, 10)
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


HOLD = """
import sys
from contextlib import suppress
from pathlib import Path
from service.tables import NotReady
from service.tables.serving import Tables
from tests.tables.gated_game import VARIANT
with suppress(NotReady):
    Tables(Path(sys.argv[1]), "tests.tables.gated_game").get(VARIANT, VARIANT.default_rules)
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.mark.fault
@pytest.mark.usefixtures("gate")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_ends_with_its_service(tmp_path: Path, how: signal.Signals) -> None:
    """The process that makes a table ends when the process that holds the lifeline does."""
    holder = python(HOLD, tmp_path)
    maker(tmp_path)
    holder.send_signal(how)
    holder.communicate(timeout=300)
    until(lambda: not is_making(tmp_path), "the process ends")
    assert last_record(tmp_path).attempt == 0, "it doesn't count as killed"


@pytest.mark.fault
def test_disk_is_full(tables: Tables, tmp_path: Path) -> None:
    """If the file can't be written, that is known before the work; the reason is remembered."""
    resource = pytest.importorskip("resource", reason="this system has no limits of resources")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_of(scoring_of(VARIANT, rules(1))) - 1, hard))
    try:
        ask(tables, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    until(lambda: not is_making(tmp_path), "the process gives up")
    assert failure(ask(tables, 1)) == f"nothing can be written in {tmp_path} (File too large)"
    assert os.listdir(tmp_path) == [LOCK]
    age(tmp_path, FAILED_SECONDS + 1)
    made(tables, 1)
    assert (last_record(tmp_path).all_made, last_record(tmp_path).all_failed) == (1, 1)


@pytest.mark.proof
def test_failure_is_only_that_of_its_table(tables: Tables, tmp_path: Path) -> None:
    """While a failure is remembered, other tables can be made."""
    path_of(tables).mkdir()
    ask(tables)
    until(lambda: not is_making(tmp_path), "the process gives up")
    assert failure(ask(tables)) == f"nothing can be written in {tmp_path} (Is a directory)"
    made(tables, 1)


def test_folder_is_removed(tmp_path: Path) -> None:
    """If someone removes the folder, it is made again. If there can be no folder, the answer says
    so, and no process is started.
    """
    made(Tables(tmp_path / "tables", GAME))
    assert (tmp_path / "tables").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "tables"
    reason = f"nothing can be written in {folder} (Not a directory)"
    assert failure(ask(Tables(folder, GAME))) == reason


def truncate(path: Path) -> None:
    """Cuts off the last byte."""
    os.truncate(path, path.stat().st_size - 1)


def damage(path: Path) -> None:
    """Changes one byte."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"x")


def empty(path: Path) -> None:
    """Leaves nothing."""
    os.truncate(path, 0)


def link(path: Path) -> None:
    """Puts a link to the file in its place."""
    path.symlink_to(path.rename(path.parent / "elsewhere"))


def exchange(path: Path) -> None:
    """Puts the table of other house rules, which is as large, in its place."""
    tables = Tables(path.parent, GAME)
    made(tables, 2)
    assert path_of(tables, 2).stat().st_size == path.stat().st_size
    path_of(tables, 2).replace(path)


def give_away(path: Path) -> None:
    """Gives the file to another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(path, 65534, 65534)


Harm = Callable[[Path], None]

SLOW_HARMS: tuple[Harm, ...] = (damage, empty, exchange, give_away, Path.unlink)


@pytest.mark.fault
@pytest.mark.parametrize(
    "harm", [truncate, link, *(pytest.param(harm, marks=pytest.mark.proof) for harm in SLOW_HARMS)]
)
def test_file_that_is_not_the_table(tmp_path: Path, harm: Harm) -> None:
    """A file that isn't the whole table of these rules, or is another user's, is made anew."""
    tables = Tables(tmp_path, GAME)
    first = made(tables, 1)
    figures = first.array.copy()  # the file is mapped
    harm(path_of(tables, 1))
    before = last_record(tmp_path).all_made
    again = made(Tables(tmp_path, GAME), 1)
    assert last_record(tmp_path).all_made == before + 1
    np.testing.assert_array_equal(again.array, figures)
    assert not path_of(tables, 1).is_symlink()
    assert made(tables, 1) is first, "what is in memory stays"


def test_a_few_boxes_of_a_game_that_has_no_table(tmp_path: Path) -> None:
    """A card with up to eight open boxes is solved at once, even if the whole game is too large;
    one with more is refused for what makes the game too large.
    """
    many = [LowerBox(f"any_{place}", AnyDice(), SumOfAll(), "any dice", "D4") for place in range(5)]
    variant = replace(DICE_POKER, boxes=(*DICE_POKER.boxes, *many), strengths={}, examples=())
    settings = Settings(data_dir=str(tmp_path))
    for count in (6, 8):
        card = Card(
            {box: None if place < count else 0 for place, box in enumerate(variant.possible)}
        )
        table, steps = serving.table_for(settings, variant, variant.default_rules, card)
        assert table.expected(table.scoring.position(card)) > 0
        assert steps == serving.SOLVED_STEPS << count
    offered = {each.name: each for each in operations([variant], settings)}
    few = dict.fromkeys([*variant.possible][1:], 0)
    players = [{"id": "ann", "card": few}, {"id": "ben", "card": {}}]
    for name, body, place in (
        ("advise", {"card": {}}, "card"),
        ("advise", {"card": few, "goal": "win", "others": [{"card": {}}]}, "others/0/card"),
        ("review", {"turns": []}, "card"),
        ("forecast", {"players": players}, "players/1/card"),
    ):
        with pytest.raises(InvalidInput) as refused:
            offered[name].run(body)
        assert str(refused.value) == (
            f"{place} has too many open boxes to advise on: "
            "the states of a card are more than 2000000"
        )


def test_cards_of_one_request_without_a_table(tmp_path: Path) -> None:
    """While there is no table, a request solves one card with eight open boxes at once, or several
    with fewer. If that would take longer, it has to wait for the table. Cards with up to five open
    boxes need none.
    """
    settings, rules = Settings(data_dir=str(tmp_path)), DICE_POKER.default_rules
    serving.shared_tables(settings, starts_makers=False)

    def opened(count: int) -> Card:
        boxes = enumerate(DICE_POKER.possible)
        return Card({box: None if place < count else 0 for place, box in boxes})

    def opened_each(counts: Sequence[int]) -> list[tuple[tuple[str], Card]]:
        return [(("card",), opened(count)) for count in counts]

    for counts in ((8,), (7, 7), (6, 6, 7), (5,) * 20):
        tables, steps = serving.tables_for(settings, DICE_POKER, rules, opened_each(counts))
        assert len(tables) == len(counts)
        assert steps == sum(serving.SOLVED_STEPS << count for count in counts)
    for counts in ((8, 6), (7, 7, 6)):
        with pytest.raises(NotReady, match="it hasn't been begun"):
            serving.tables_for(settings, DICE_POKER, rules, opened_each(counts))
