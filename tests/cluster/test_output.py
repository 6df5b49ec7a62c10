"""The folder of a run: what dead runs leave, outdated parts, and two runs at once."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import IO, Any

import pytest

from service import __version__
from service.cli.command_error import CommandError
from service.cli.files import places
from service.cli.files.places import Place
from service.cli.files.sources import place_of
from service.cli.parts import output
from service.cli.parts.output import Output
from service.cli.parts.part import Done
from service.cli.parts.same_game import digest_of
from service.cli.score.folder.plan import FilePart, Rules, parts_of
from service.cli.score.folder.task import Job, score_part
from service.cli.simulate.games import GamesPart, play_part
from service.cli.simulate.games import Rules as GameRules
from service.variants import variants
from tests.cluster.folders import answers, lines, names, write_rolls

GAME = digest_of(variants()["dice-poker"])


@pytest.fixture(autouse=True)
def _no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk: here only processes die."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def job(source: Path, target: Path) -> Job:
    """A job that splits files at ten rows."""
    rules = Rules(str(source), "dice-poker", GAME, {}, "fail", 10, __version__)
    return Job(place_of(str(source)), Output(place_of(str(target)), asdict(rules)), rules, 5)


def make(asked: Job) -> None:
    """Does what the command does, in this process."""
    folder, parts = asked.output, parts_of(asked.source, "", asked.rules.part_rows)
    notes = folder.notes()
    done = folder.kept(parts, notes)
    kept = {each.part for each in done}
    folder.begin(done, notes, complete=len(kept) == len(parts))
    for part in parts:
        if part not in kept:
            made = score_part(asked, part, lambda *_: None)
            assert isinstance(made, Done)
            done.append(made)
    folder.finish(done, [{"part": part.name, "rows": 0} for part in parts])


class Killed(BaseException):
    """Nothing in the service catches it."""


@contextmanager
def killed(after: int) -> Iterator[list[str]]:
    """After so many removals and renames, the next isn't done any more. Yields all that were."""
    steps: list[str] = []

    def step(what: str) -> None:
        if len(steps) >= after:
            raise Killed
        steps.append(what)

    remove, keep = Place.remove, places._keep

    def removed(place: Place) -> None:
        if place.exists():
            step(f"remove {place.path}")
        remove(place)

    def kept(path: str) -> None:
        keep(path)
        step(f"rename {path}")

    written = Output._write

    def noted(folder: Output, name: str, value: Any) -> None:
        written(folder, name, value)
        step(f"wrote {name}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "_AT_A_TIME", 1)
        patch.setattr(Place, "remove", removed)
        patch.setattr(places, "_keep", kept)
        patch.setattr(Output, "_write", noted)
        yield steps


def without_notes(target: Path) -> set[str]:
    """The files that a run couldn't know of."""
    found = names(target)
    return {name for name in found if name[0] != "_" and f"_parts/{name}.json" not in found}


def test_killed_while_inputs_have_changed(tmp_path: Path) -> None:
    """Wherever a run dies that removes outdated parts and makes others, every file has a note,
    `_SUCCESS` is there only if all is as it was or as it must be, and the next run makes it so.
    """
    source, target, fresh = (tmp_path / name for name in ("rolls", "scores", "fresh"))
    files = {"changed": 10, "kept": 10, "joined": 30, "split": 10, "gone": 10, "all/gone": 30}
    for name, rows in files.items():
        write_rolls(source / f"{name}.parquet", rows, seed=1, group=10)
    asked = job(source, target)
    make(asked)
    before = answers(target)
    for name, rows in {"changed": 5, "joined": 10, "split": 20}.items():
        write_rolls(source / f"{name}.parquet", rows, seed=2, group=10)
    (source / "gone.parquet").unlink()
    shutil.rmtree(source / "all")
    make(job(source, fresh))
    after = answers(fresh)
    start = tmp_path / "start"
    target.rename(start)
    for steps_before in count():
        shutil.copytree(start, target)
        with killed(steps_before) as steps, suppress(Killed):
            make(asked)
        assert without_notes(target) == set(), steps
        if (target / "_SUCCESS").exists():
            assert answers(target) in (before, after), steps
        make(asked)
        assert (answers(target), names(target)) == (after, names(fresh)), steps
        shutil.rmtree(target)
        if len(steps) < steps_before:  # it ended before
            break
    assert len(steps) > 30


def test_other_files_beside_notes(tmp_path: Path) -> None:
    """Files that others put beside the notes are left alone, and no note is looked for in them."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    make(job(source, target))
    for name in (".DS_Store", ".nfs0001"):
        (target / "_parts" / name).write_bytes(b"\0")
    before = names(target)
    write_rolls(source / "a.parquet", 10, seed=2)
    make(job(source, target))
    assert names(target) == before


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


def test_parts_by_other_rules(tmp_path: Path) -> None:
    """A part that was made by other rules, as only its note shows, is made again."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    asked = job(source, target)
    make(asked)
    (part,) = parts_of(asked.source, "", asked.rules.part_rows)
    other = replace(asked.output, rules={**asked.output.rules, "house_rules": {"joker": True}})
    assert len(asked.output.kept([part], asked.output.notes())) == 1
    assert other.kept([part], asked.output.notes()) == []


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


@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("a.parquet", None, ""),
        ("a.parquet", "cut off", ""),
        ("_parts/a.parquet.json", None, ""),
        ("_parts/c.parquet.json", "{}", ", nor are 1 more"),
    ],
)
def test_success_is_never_said_of_missing_parts(
    tmp_path: Path, name: str, text: str | None, more: str
) -> None:
    """A run doesn't say that all is there if a part or a note isn't, or there are others."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    for each in ("a", "b"):
        write_rolls(source / f"{each}.parquet", 10, seed=1)
    asked = job(source, target)
    make(asked)
    parts = parts_of(asked.source, "", asked.rules.part_rows)
    done = asked.output.kept(parts, asked.output.notes())
    asked.output.begin(done, [], complete=False)
    if more:
        (target / "a.parquet").unlink()
    if text is None:
        (target / name).unlink()
    else:
        (target / name).write_text(text)
    with pytest.raises(CommandError) as caught:
        asked.output.finish(done, [])
    assert caught.value.lines == (
        f"{target}/a.parquet isn't there as this run has made it{more}: do all workers write the "
        "same folder?",
    )
    assert not (target / "_SUCCESS").exists()


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


@pytest.mark.parametrize("folders", [1, 10])
def test_many_outdated_parts(tmp_path: Path, folders: int) -> None:
    """Twice as many outdated parts are not four times as much to do."""

    def write(file: IO[bytes]) -> tuple[int, int]:
        file.write(b"1")
        return 1, 0

    def calls(parts: int) -> int:
        """How many functions are called to remove so many."""
        target = tmp_path / str(parts)
        folder = Output(place_of(str(target)), {})
        folder.begin([], [], complete=False)
        for number in range(parts):
            folder.make(FilePart(f"{number % folders}/{number}.csv", "", 0, 0), write)
        counts = Counter[str]()
        sys.setprofile(lambda _, event, __: counts.update([event]))
        try:
            folder.begin([], folder.notes(), complete=False)
        finally:
            sys.setprofile(None)
        assert names(target) == {"_run.json"}
        return counts["call"]

    assert calls(200) < 3 * calls(100)


def test_no_file_of_another_run(tmp_path: Path) -> None:
    """What isn't a missing file is said as it is."""
    folder = Output(place_of(str(tmp_path / "scores")), {})
    folder.begin([], [], complete=False)
    (tmp_path / "scores" / "a.csv").mkdir()
    with pytest.raises(OSError, match="Is a directory") as caught:
        folder.make(FilePart("a.csv", "", 0, 0), lambda file: (file.write(b"1"), 0))
    assert not isinstance(caught.value, CommandError)


def files_job(tmp_path: Path, *names: str) -> Job:
    """A job for files of these names, all of which are scored."""
    for name in names:
        write_rolls(tmp_path / "rolls" / name, 10, seed=1)
    asked = job(tmp_path / "rolls", tmp_path / "scores")
    make(asked)
    return asked


def all_done(asked: Job) -> list[Done[FilePart]]:
    """The parts of a job, which are whole."""
    return asked.output.kept(
        parts_of(asked.source, "", asked.rules.part_rows), asked.output.notes()
    )


def test_a_task_of_a_dead_run_still_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can't be removed because something is written there doesn't make a run fail, neither at
    its start nor after `_SUCCESS`; the next run removes it.
    """
    asked = files_job(tmp_path, "a.parquet")
    temporary = tmp_path / "scores" / "_temporary"
    temporary.mkdir()
    (temporary / "dead").touch()
    remove = Place.remove

    def not_empty(place: Place) -> None:
        if place.path == str(temporary):
            raise OSError(errno.ENOTEMPTY, "Directory not empty", place.path)
        remove(place)

    with monkeypatch.context() as patch:
        patch.setattr(Place, "remove", not_empty)
        make(asked)
    assert (tmp_path / "scores" / "_SUCCESS").exists()
    assert (temporary / "dead").exists()
    make(asked)
    assert not temporary.exists()


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


def test_a_file_that_no_run_has_made(tmp_path: Path) -> None:
    """A table between the parts, which programs would read with them, is named, and there is no
    `_SUCCESS`; what they leave out may be there.
    """
    asked = files_job(tmp_path, "in/a.parquet")
    target, done = tmp_path / "scores", all_done(asked)
    for name in ("_note.txt", "in/.nfs0001"):
        (target / name).touch()
    for name in ("in/b.parquet", "old.csv"):
        (target / name).touch()
    (target / "_SUCCESS").unlink()
    with pytest.raises(CommandError) as caught:
        asked.output.finish(done, [])
    assert caught.value.lines == (
        f"{target}/in/b.parquet wasn't made by this run, nor 1 more file: remove what doesn't "
        "belong there, and the same command goes on",
    )
    assert not (target / "_SUCCESS").exists()
    for name in ("in/b.parquet", "old.csv"):
        (target / name).unlink()
    asked.output.finish(done, [])
    assert (target / "_SUCCESS").exists()
