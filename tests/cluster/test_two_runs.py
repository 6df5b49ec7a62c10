"""Two runs that write one folder: the last to begin is the only one."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from service import __version__
from service.cli.command_error import CommandError
from service.cli.files.places import Place
from service.cli.files.sources import place_of
from service.cli.parts.output import Output
from service.cli.parts.part import Done
from service.cli.score.folder.plan import parts_of
from service.cli.score.folder.task import score_part
from service.cli.simulate.games import GamesPart, play_part
from service.cli.simulate.games import Rules as GameRules
from tests.cluster.folders import answers, lines, names, write_rolls
from tests.cluster.one_process import GAME, all_done, files_job, job

pytestmark = pytest.mark.usefixtures("no_power_cut")


@pytest.mark.parametrize("house_rules", [{}, {"joker": True}])
@pytest.mark.parametrize("local", [True, False])
def test_another_run_begins(
    tmp_path: Path, house_rules: dict[str, bool], local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another run begins while a part is made, whatever its rules, a sentence says so, and the
    part isn't there; also in a store, where a file that is being written can't be removed.
    """
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    asked = job(source, target)
    (part,) = parts_of(asked.source, "", asked.rules.part_rows)
    asked.output.begin([], [], complete=False)
    other = Output(asked.output.place, asdict(replace(asked.rules, house_rules=house_rules)))

    def begin(*_: object) -> None:
        if not local:
            monkeypatch.setattr(Place, "remove", lambda _: None)
        other.begin([], [], complete=False)

    said = [f"{target}/a.parquet can't be written: another run writes here"]
    assert lines(score_part(asked, part, begin)) == said
    assert names(target) == {"_run.json"}
    assert lines(score_part(asked, part, lambda *_: None)) == said
    assert names(target) == {"_run.json"}


def test_the_last_run_is_the_only_one(tmp_path: Path) -> None:
    """Of two runs that begin in the same instant, both having looked before, the last goes on; the
    other one can't say that all is there.
    """
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    first, last = job(source, target), job(source, target)
    (part,) = parts_of(first.source, "", first.rules.part_rows)
    assert (first.output.notes(), last.output.notes()) == ({}, {})
    for each in (first, last):
        each.output.begin([], [], complete=False)
    made = score_part(last, part, lambda *_: None)
    assert isinstance(made, Done)
    with pytest.raises(CommandError) as caught:
        first.output.finish([made], [])
    assert caught.value.lines == (f"{target}/_SUCCESS can't be written: another run writes here",)
    last.output.finish([made], [])
    assert (target / "_SUCCESS").exists()


def test_a_worker_with_another_folder(tmp_path: Path) -> None:
    """A worker that doesn't find what the command began makes nothing, and no folder of its own."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    asked = job(source, target)
    (part,) = parts_of(asked.source, "", asked.rules.part_rows)
    said = (
        f"{target}/a.parquet can't be written: {target}/_run.json isn't there. Do all workers "
        "write the same folder?"
    )
    assert lines(score_part(asked, part, lambda *_: None)) == [said]
    assert not target.exists()


def test_an_older_task_with_fewer_games(tmp_path: Path) -> None:
    """A task of an earlier run, for fewer games of a block, doesn't replace more of them."""
    rules = GameRules("dice-poker", GAME, {}, "greedy", 1, __version__)
    older, newer = (Output(place_of(str(tmp_path / "games")), asdict(rules)) for _ in range(2))
    name = "games-000000.parquet"
    more, fewer = (GamesPart(name, 0, games) for games in (20, 10))
    for run in (older, newer):
        run.begin([], [], complete=False)
    made = play_part(newer, rules, more, lambda *_: None)
    assert isinstance(made, Done)
    assert made.rows == 20
    before = answers(tmp_path / "games")
    said = [f"{tmp_path}/games/{name} can't be written: another run writes here"]
    assert lines(play_part(older, rules, fewer, lambda *_: None)) == said
    assert answers(tmp_path / "games") == before


@pytest.mark.parametrize("at", ["_manifest.json", "_SUCCESS"])
@pytest.mark.parametrize("after", [False, True])
def test_another_run_begins_at_the_end(
    tmp_path: Path, at: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that loses the folder just before or after it writes `_SUCCESS` leaves none, because
    the other run may have removed parts.
    """
    asked = files_job(tmp_path, "a.parquet")
    done = all_done(asked)
    asked.output.begin(done, ["a.parquet"], complete=True)
    (tmp_path / "rolls" / "a.parquet").unlink()
    other, write = job(tmp_path / "rolls", tmp_path / "scores"), Output._write

    def written(folder: Output, name: str, value: Any) -> None:
        if after:
            write(folder, name, value)
        if (folder, name) == (asked.output, at):
            other.output.begin([], ["a.parquet"], complete=False)
        if not after:
            write(folder, name, value)

    monkeypatch.setattr(Output, "_write", written)
    with pytest.raises(CommandError, match="_SUCCESS can't be written: another run writes here"):
        asked.output.finish(done, [{"part": "a.parquet", "rows": 10}])
    assert not (tmp_path / "scores" / "a.parquet").exists()
    assert not (tmp_path / "scores" / "_SUCCESS").exists()


def test_another_run_begins_while_outdated_parts_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on nothing more is removed: it may be what the other run has made or keeps."""
    asked = files_job(tmp_path, "a.parquet", "b.parquet", "c.parquet")
    target = tmp_path / "scores"
    other = job(tmp_path / "rolls", target)
    kept, remove = all_done(other), Place.remove

    def removed(place: Place) -> None:
        remove(place)
        if place.path.endswith("_manifest.json"):
            monkeypatch.setattr(Place, "remove", remove)
            other.output.begin(kept, ["a.parquet"], complete=True)
            other.output.finish(kept, [{"part": each.part.name, "rows": 10} for each in kept])

    monkeypatch.setattr(Place, "remove", removed)
    notes = asked.output.notes()
    with pytest.raises(CommandError) as caught:
        asked.output.begin([], notes, complete=False)
    (said,) = caught.value.lines
    assert said.endswith("parquet can't be removed: another run writes here")
    assert {each.part for each in all_done(other)} == {each.part for each in kept}
    assert (target / "_SUCCESS").exists()
