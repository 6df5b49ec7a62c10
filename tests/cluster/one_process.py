"""Runs without a cluster: their parts are made in this process."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from service import __version__
from service.cli.files.sources import place_of
from service.cli.parts.output import Output
from service.cli.parts.part import Done
from service.cli.parts.same_game import digest_of
from service.cli.score.folder.plan import FilePart, Rules, parts_of
from service.cli.score.folder.task import Job, score_part
from service.variants import variants
from tests.cluster.folders import write_rolls

GAME = digest_of(variants()["dice-poker"])


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
