"""Runs without a cluster: their parts are made in this process."""

from __future__ import annotations

from pathlib import Path

from service.batch.record_batches import BadRowPolicy
from service.cli.command import CommandError
from service.cli.files.locations import Location
from service.cli.folders.cluster import rules_of
from service.cli.folders.output import Note, Output
from service.cli.folders.score import FilePart, Job, parts_of, score_part
from service.cli.score_file import Report
from service.variants import variants
from tests.cluster.folders import write_rolls


def job(
    source: Path | Location,
    target: Path,
    variant: str = "dice-poker",
    *,
    bad_rows: BadRowPolicy = "fail",
    part_rows: int = 10,
    rows: int = 5,
) -> Job:
    """What the command hands to workers; files are split at ten rows."""
    location = source if isinstance(source, Location) else Location.of(str(source))
    game = variants()[variant]
    rules = {
        "source": location.named(),
        **rules_of(game, game.house_rules()),
        "bad_rows": bad_rows,
        "part_rows": part_rows,
    }
    return Job(location, Output(Location.of(str(target)), rules), rows)


def made(asked: Job, pattern: str = "") -> list[Note | Exception]:
    """What becomes of each part of a job, whose run begins in an empty folder."""
    asked.output.begin((), (), complete=False)
    parts = parts_of(asked.source, pattern, asked.output.rules["part_rows"])
    return [result(asked, part) for part in parts]


def result(asked: Job, part: FilePart, report: Report = lambda *_: None) -> Note | CommandError:
    """What becomes of a part: what is noted of it, or the error."""
    try:
        return score_part(asked, part, report)
    except CommandError as error:
        return error


def make(asked: Job) -> None:
    """Does what the command does, in this process."""
    folder, parts = asked.output, parts_of(asked.source, "", asked.output.rules["part_rows"])
    with folder.locked():
        notes = folder.notes()
        done = folder.kept(parts, notes)
        folder.begin(done, notes, complete=len(done) == len(parts))
        for part in parts:
            if part.name not in done:
                done[part.name] = score_part(asked, part, lambda *_: None)
        folder.finish(done, [{"part": part.name, "rows": 0} for part in parts])


def files_job(tmp_path: Path, *names: str) -> Job:
    """A job for files of these names, all of which are scored."""
    for name in names:
        write_rolls(tmp_path / "rolls" / name, 10, seed=1)
    asked = job(tmp_path / "rolls", tmp_path / "scores")
    make(asked)
    return asked


def all_done(asked: Job) -> dict[str, Note]:
    """The parts of a job, which are whole."""
    parts = parts_of(asked.source, "", asked.output.rules["part_rows"])
    return asked.output.kept(parts, asked.output.notes())
