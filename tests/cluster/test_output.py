"""The folder of a run: what dead runs leave, and what is outdated or foreign."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections import Counter
from dataclasses import replace
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any

import pytest

from service.cli.command import CommandError
from service.cli.files.locations import Location
from service.cli.folders import output
from service.cli.folders.output import Output
from service.cli.folders.score import FilePart, Job, parts_of
from tests.cluster.folders import answers, names, refusal, write_rolls
from tests.cluster.one_process import all_done, files_job, job, make

KILLED = 9
"""The status of a process that died."""

pytestmark = pytest.mark.usefixtures("no_power_cut")


def dying(asked: Job, after: int, log: Path) -> None:
    """Makes the parts in a process of its own, which dies instead of the removal or renaming after
    the first so many; a line of the `log` says what each of these was.
    """
    done, remove, write, rename = 0, Location.remove, Output._write, os.replace

    def step(what: str) -> None:
        nonlocal done
        if done == after:
            os._exit(KILLED)
        done += 1
        with log.open("a") as file:
            file.write(f"{what}\n")

    def removed(location: Location) -> None:
        if os.path.exists(location.path):
            step(f"remove {location.path}")
        remove(location)

    def renamed(path: str, new: str) -> None:
        step(f"rename {path}")
        rename(path, new)

    def noted(folder: Output, name: str, value: Any) -> None:
        write(folder, name, value)
        step(f"wrote {name}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "_AT_A_TIME", 1)
        patch.setattr(Location, "remove", removed)
        patch.setattr(os, "replace", renamed)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(Output, "_write", noted)
        make(asked)


def died(asked: Job, after: int, log: Path) -> bool:
    """Whether the process died that went so far; see `dying`."""
    processes = get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    process = processes.Process(target=dying, args=(asked, after, log))
    process.start()
    process.join()
    assert process.exitcode in (0, KILLED)
    return process.exitcode == KILLED


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
    for step in count():
        shutil.copytree(start, target)
        log = tmp_path / f"{step}.log"
        killed = died(asked, step, log)
        steps = log.read_text().splitlines() if log.exists() else []
        assert without_notes(target) == set(), steps
        if (target / "_SUCCESS").exists():
            assert answers(target) in (before, after), steps
        make(asked)
        assert (answers(target), names(target)) == (after, names(fresh)), steps
        shutil.rmtree(target)
        if not killed:  # it ended before
            break
    assert len(steps) > 30


def test_other_files_beside_notes(tmp_path: Path) -> None:
    """Files that others put beside the notes are left alone, and no note is looked for in them."""
    asked, target = files_job(tmp_path, "a.parquet"), tmp_path / "scores"
    for name in (".DS_Store", ".nfs0001"):
        (target / "_parts" / name).write_bytes(b"\0")
    before = names(target)
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=2)
    make(asked)
    assert names(target) == before


def test_parts_by_other_rules(tmp_path: Path) -> None:
    """A part that was made by other rules, as only its note shows, is made again."""
    asked = files_job(tmp_path, "a.parquet")
    asked_parts = parts_of(asked.source, "", 10)
    notes = asked.output.notes()
    other = replace(asked.output, rules={**asked.output.rules, "house_rules": {"joker": True}})
    assert len(asked.output.kept(asked_parts, notes)) == 1
    assert other.kept(asked_parts, notes) == {}


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
    asked, target = files_job(tmp_path, "a.parquet", "b.parquet"), tmp_path / "scores"
    done = all_done(asked)
    asked.output.begin(done, (), complete=False)
    if more:
        (target / "a.parquet").unlink()
    if text is None:
        (target / name).unlink()
    else:
        (target / name).write_text(text)
    assert refusal(asked.output.finish, done, []) == (
        f"{target}/a.parquet isn't there as this run has made it{more}: do all workers write the "
        "same folder?"
    )
    assert not (target / "_SUCCESS").exists()


@pytest.mark.parametrize("folders", [1, 10])
def test_many_outdated_parts(tmp_path: Path, folders: int) -> None:
    """Twice as many outdated parts are not four times as much to do."""

    def write(file: IO[bytes]) -> tuple[int, int]:
        file.write(b"1")
        return 1, 0

    def calls(parts: int) -> int:
        """How many functions are called to remove so many."""
        target = tmp_path / str(parts)
        folder = Output(Location.of(str(target)), {})
        folder.begin((), (), complete=False)
        for number in range(parts):
            folder.make(FilePart(f"{number % folders}/{number}.csv", 0, "", 0, 0), write)
        counts = Counter[str]()
        sys.setprofile(lambda _, event, __: counts.update([event]))
        try:
            folder.begin((), folder.notes(), complete=False)
        finally:
            sys.setprofile(None)
        assert names(target) == {"_run.json"}
        return counts["call"]

    assert calls(200) < 3 * calls(100)


def test_no_file_of_another_run(tmp_path: Path) -> None:
    """What isn't a missing file is said as it is."""
    folder = Output(Location.of(str(tmp_path / "scores")), {})
    folder.begin((), (), complete=False)
    (tmp_path / "scores" / "a.csv").mkdir()
    with pytest.raises(OSError, match="Is a directory") as caught:
        folder.make(FilePart("a.csv", 0, "", 0, 0), lambda file: (file.write(b"1"), 0))
    assert not isinstance(caught.value, CommandError)


def test_a_task_of_a_dead_run_still_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can't be removed because something is written there doesn't make a run fail, neither at
    its start nor after `_SUCCESS`; the next run removes it.
    """
    asked = files_job(tmp_path, "a.parquet")
    temporary = tmp_path / "scores" / "_temporary"
    temporary.mkdir()
    (temporary / "dead").touch()
    remove = Location.remove

    def not_empty(location: Location) -> None:
        if location.path == str(temporary):
            raise OSError(errno.ENOTEMPTY, "Directory not empty", location.path)
        remove(location)

    with monkeypatch.context() as patch:
        patch.setattr(Location, "remove", not_empty)
        make(asked)
    assert (tmp_path / "scores" / "_SUCCESS").exists()
    assert (temporary / "dead").exists()
    make(asked)
    assert not temporary.exists()


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
    assert refusal(asked.output.finish, done, []) == (
        f"{target}/in/b.parquet wasn't made by this run, nor 1 more file: remove what doesn't "
        "belong there, and the same command goes on"
    )
    assert not (target / "_SUCCESS").exists()
    for name in ("in/b.parquet", "old.csv"):
        (target / name).unlink()
    asked.output.finish(done, [])
    assert (target / "_SUCCESS").exists()
