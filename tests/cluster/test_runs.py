"""What happens to a run between its first look at the folder and its first part, and what it says
of very many bad parts.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from distributed import Client

from service.cli.command import CommandError, TryAgain
from service.cli.files.locations import Location, command_errors
from service.cli.folders import run
from service.cli.folders.cluster import connected, rules_of
from service.cli.folders.games import GamesPart, play_games, play_part
from service.cli.folders.output import Note, Output
from service.cli.folders.run import Failed, Progress, Summary
from service.variants.dice_poker import VARIANT, DicePokerRules
from tests.cli.score.tables import write
from tests.cluster.folders import answers, ran, refusal
from tests.sessions.servers import until

GREEDY = {**rules_of(VARIANT, DicePokerRules()), "policy": "greedy", "seed": 1}
NAME = "games-000000.parquet"


def played(tmp_path: Path) -> Summary:
    """Plays ten games on one process."""
    target, rules = str(tmp_path / "games"), DicePokerRules()
    return play_games(target, VARIANT, rules, "greedy", 1, 10, workers=1, scheduler=None)


def patched(monkeypatch: pytest.MonkeyPatch, before: Callable[[Client], object]) -> None:
    """Lets something happen `before` a cluster is used that has just started."""

    @contextmanager
    def connecting(workers: int, scheduler: str | None) -> Iterator[Client]:
        with connected(workers, scheduler) as client:
            before(client)
            yield client

    monkeypatch.setattr(run, "connected", connecting)


def plays(other: Output, games: int) -> Callable[[Client], None]:
    """What another run does meanwhile: it plays so many games."""

    def play(_: Client) -> None:
        other.begin((), (), complete=False)
        part = GamesPart(NAME, games, 0, games)
        assert isinstance(play_part(other, part, lambda *_: None), Note)

    return play


@pytest.mark.parametrize(
    ("seed", "said"),
    [
        (2, "was begun otherwise, so this run can't go on there: seed was 2 and is now 1; name"),
        (1, "has more games than 10: ask for as many as it has, or for more, or name"),
    ],
)
def test_another_run_while_the_cluster_starts(
    tmp_path: Path, seed: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that another run plays until the cluster of this one is there are neither replaced nor
    removed, whether they are played otherwise or are more.
    """
    other = Output(Location.of(str(tmp_path / "games")), {**GREEDY, "seed": seed})
    patched(monkeypatch, plays(other, 20))
    assert refusal(played, tmp_path) == f"{tmp_path}/games {said} another folder"
    assert [rows for rows, _ in answers(tmp_path / "games").values()] == [20]


def test_another_run_makes_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing is missing any more once the cluster is there, nothing is made again."""
    other = Output(Location.of(str(tmp_path / "games")), GREEDY)
    patched(monkeypatch, plays(other, 10))
    found = played(tmp_path)
    assert (found.parts, found.kept, found.rows) == (1, 1, 10)
    assert (tmp_path / "games" / "_SUCCESS").exists()


def test_the_scheduler_dies_before_the_first_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask says that otherwise than when it dies later; the command says the same."""
    patched(monkeypatch, Client.close)
    with pytest.raises(TryAgain, match="the scheduler is gone; whole parts are kept"):
        played(tmp_path)


def gated(folder: Path, part: GamesPart, _: object) -> Note:
    """Makes nothing of a part, as soon as a file has its name and how many times it was asked."""
    times = folder / f"{part.name} times"
    with times.open("a") as file:
        file.write("once\n")
    gate = folder / f"{part.name}{len(times.read_text().splitlines())}"
    until(gate.exists, f"{gate} is there")
    return Note(part.as_json(), "", 0, part.games, 0)


def states(client: Client) -> dict[str, str]:
    """What Dask's client knows of each part that it hasn't released, by its key."""
    return {key: state.status for key, state in [*client.futures.items()]}


def test_a_worker_dies_before_its_result_is_read(tmp_path: Path) -> None:
    """A part that was made on it is made again, and the command reads others meanwhile."""
    parts = {name: GamesPart(name, 1, 0, games) for games, name in enumerate("abc")}
    (tmp_path / "a1").touch()
    with (
        connected(2, None) as client,
        Progress(dict.fromkeys("abc", 1), lambda: 2, "games") as progress,
    ):
        results = run._results(client, partial(gated, tmp_path), [*parts.values()], progress)
        read = [next(results)]
        (tmp_path / "b1").touch()
        one_made = ["finished", "pending"]
        until(lambda: sorted(states(client).values()) == one_made, "the second part is made")
        (made,) = (key for key, state in states(client).items() if state == "finished")
        (holder,) = client.who_has()[made]
        (pid,) = client.run(os.getpid, workers=[holder]).values()
        os.kill(pid, signal.SIGKILL)
        until(lambda: states(client)[made] == "lost", "Dask says that it is lost")
        for time in (1, 2):  # the worker may have begun it that died
            (tmp_path / f"c{time}").touch()
        read.append(next(results))
        (tmp_path / "b2").touch()
        read += results
    assert read == [
        (parts[name], Note(parts[name].as_json(), "", 0, parts[name].games, 0)) for name in "acb"
    ]
    assert (tmp_path / "b times").read_text().count("once") == 2


def test_very_many_bad_rows(tmp_path: Path) -> None:
    """Every bad file is named, and a thousand of their rows at most are shown: they would be
    millions for a folder with another column of dice. The few rows of a file are shown even if
    those of an earlier one were too many.
    """
    source, files = tmp_path / "rolls", 14
    source.mkdir()
    for number in range(files):
        write(source / f"{number:02}.csv", {"dice": ["13357"] * (1 if number == files - 1 else 99)})
    status, said = ran(source, tmp_path / "scores")
    lines = said.split("\n")
    rows = [line for line in lines if line.startswith("  ")]
    heads = [line.partition(" can't be scored: ")[0] for line in lines if "can't be" in line]
    assert (status, heads) == (2, [f"{source}/{number:02}.csv" for number in range(files)])
    assert len(rows) == 10 * 99 + 1
    assert lines[-2:] == [
        "the bad rows of 3 parts aren't shown: there were too many lines",
        f"0 of {files} parts are whole, in {tmp_path}/scores; the same command goes on from there",
    ]


def test_what_may_pass() -> None:
    """Errors of stores and disks have the status that lets a job be tried again; those of
    permissions, paths and formats have not, and neither has a run with any of these.
    """
    away, full = OSError("AWS Error NETWORK_CONNECTION"), OSError(errno.ENOSPC, "No space left")
    denied = OSError(errno.EACCES, "Permission denied")
    for error, parsing, kind in (
        (away, False, TryAgain),
        (away, True, CommandError),
        (full, True, TryAgain),
        (denied, False, CommandError),
        (pa.ArrowInvalid("not Parquet"), False, CommandError),
    ):
        with pytest.raises(CommandError) as caught, command_errors("what", parsing=parsing):
            raise error
        assert type(caught.value) is kind
    failed = Failed()
    failed.add("a", TryAgain("a has changed"))
    assert (failed.kind.status, failed.lines("ab")) == (75, ["a has changed"])
    failed.add("b", CommandError("b has bad rows", "  row 1"))
    failed.add("c", TryAgain("c has changed"))
    assert failed.kind.status == 2
    assert failed.lines("cba") == ["c has changed", "b has bad rows", "  row 1", "a has changed"]
