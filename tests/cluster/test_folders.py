"""A folder in, a folder of the same names out."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import socket
from argparse import Namespace
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from service import __version__
from service.batch import score_batches
from service.cli.command_error import CommandError, TryAgain
from service.cli.files.sources import files_of, place_of, source_of
from service.cli.files.table_readers import DataTable, read_parquet
from service.cli.parts import cluster
from service.cli.parts.options import workers_of
from service.cli.parts.output import Output
from service.cli.parts.part import Done
from service.cli.parts.same_game import check_worker, digest_of
from service.cli.score.command import main
from service.cli.score.folder import task
from service.cli.score.folder.plan import FilePart, Rules, parts_of
from service.cli.score.folder.task import Job, score_part
from service.cli.stopping import postponed
from service.variants import variants
from tests.batch.test_layout_tables import TURNS, turns
from tests.cli.score.tables import answers as expected
from tests.cli.score.tables import read, write
from tests.cli.score.test_command_line import on_a_terminal
from tests.cluster.folders import answers, lines, manifest, names, ran, rolls, write_rolls

RULES = {
    "variant": "dice-poker",
    "game": digest_of(variants()["dice-poker"]),
    "house_rules": {
        "extra_five_bonus": 0,
        "joker": False,
        "five_alike_is_full_house": False,
        "turn_seconds": 30,
    },
    "bad_rows": "fail",
    "part_rows": 1 << 23,
    "version": __version__,
}

BOOKS = {"_SUCCESS", "_manifest.json", "_run.json"}
"""What a run that is over has beside its parts and their notes."""


def test_every_format_and_folders_within(tmp_path: Path) -> None:
    """Each file becomes one of its name with the answers; the manifest has the rows of each."""
    hands = [[1, 3, 3, 5, 6], [5, 5, 5, 2, 2], [6, 6, 6, 6, 6]]
    text = ["".join(map(str, hand)) for hand in hands]
    files = ["a.parquet", "b.arrow", "c.arrows", "d.ndjson", "e.csv", "year=2025/f.parquet"]
    source, target = tmp_path / "rolls", tmp_path / "scores"
    (source / "year=2025").mkdir(parents=True)
    for name in files:
        write(source / name, {"dice": text})
    (source / "_SUCCESS").touch()
    said = f"18 hands in 6 parts scored, in {target}"
    assert ran(source, target) == (0, said)
    assert names(target) == {*files, *(f"_parts/{name}.json" for name in files), *BOOKS}
    rows = [
        {"dice": dice, **row} for dice, row in zip(text, expected("dice-poker", hands), strict=True)
    ]
    for name in files:
        found = read(target / name).to_pylist()
        assert [{**row, "dice": str(row["dice"])} for row in found] == rows
    assert manifest(target) == {
        **RULES,
        "source": str(source),
        "rows": 18,
        "parts": [
            {"part": name, "input": name, "rows_read": 3, "bad_rows": 0, "rows": 3}
            for name in files
        ],
    }
    fingerprint = json.loads(
        pyarrow.parquet.read_schema(target / "a.parquet").metadata[b"dice_scoring"]
    )
    input_file = (source / "a.parquet").stat()
    assert fingerprint == {
        **RULES,
        "source": str(source),
        "name": "a.parquet",
        "input": "a.parquet",
        "size": input_file.st_size,
        "changed": input_file.st_mtime_ns,
        "row_groups": None,
        "first_row": 0,
    }


def test_a_large_file_is_split(tmp_path: Path) -> None:
    """A Parquet file with too many rows becomes a folder of parts, cut between row groups."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "big.parquet", 2_500, seed=1, group=400)
    status = ran(source / "big.parquet", target, "--part-rows", "1000")
    assert status == (0, f"2,500 hands in 3 parts scored, in {target}")
    parts = [f"big.parquet/part-{number:05}.parquet" for number in range(3)]
    assert [read(target / name).num_rows for name in parts] == [800, 800, 900]
    whole = pa.concat_tables([read(target / name) for name in parts])
    table = rolls(2_500, seed=1)
    assert whole.select(["at", "dice"]).to_pylist() == table.to_pylist()
    assert whole.drop_columns(["at", "dice"]).to_pylist() == expected(
        "dice-poker", table["dice"].to_pylist()
    )


def test_a_long_footer(tmp_path: Path) -> None:
    """A file with very many row groups is split, too."""
    file = tmp_path / "rolls" / "big.parquet"
    write_rolls(file, 1_000, seed=1, group=1)
    length = int.from_bytes(file.read_bytes()[-8:-4], "little")
    assert length > 1 << 16
    parts = parts_of(place_of(str(tmp_path / "rolls")), "", 300)
    assert [len(part.row_groups or ()) for part in parts] == [300, 300, 300, 100]


def test_layouts(tmp_path: Path) -> None:
    """Turns of Roll-a-royal are laid out, as `score_batches` does."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    source.mkdir()
    files = {"a.parquet": TURNS[:3], "b.ndjson": TURNS[3:5]}
    for name, some in files.items():
        write(source / name, {"rolls": some})
    (source / "empty.ndjson").touch()
    status = ran(source, target, "--variant", "roll-a-royal")
    assert status == (0, f"5 turns in 3 parts scored, in {target}")
    assert (target / "empty.ndjson").read_bytes() == b""
    for name, some in files.items():
        batch = pa.RecordBatch.from_pydict({"rolls": some})
        (scored,) = score_batches("roll-a-royal", [batch])
        assert read(target / name).to_pylist() == scored.to_pylist()


def test_going_on(tmp_path: Path) -> None:
    """A second run keeps whole parts, scores changed and new inputs, and drops what is gone."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    for number in range(3):
        write_rolls(source / f"{number}.parquet", 100, seed=number)
    assert ran(source, target)[0] == 0
    kept = (target / "0.parquet").stat()
    again = f"300 hands in 3 parts scored, in {target}; 3 of the parts were there before"
    assert ran(source, target) == (0, again)
    write_rolls(source / "1.parquet", 50, seed=9)
    (source / "2.parquet").unlink()
    write_rolls(source / "3.parquet", 10, seed=3)
    (target / "_temporary").mkdir()
    (target / "_temporary" / "dead").write_text("half a part")
    later = f"160 hands in 3 parts scored, in {target}; 1 of the parts was there before"
    assert ran(source, target) == (0, later)
    assert (target / "0.parquet").stat() == kept
    whole = {"0.parquet", "1.parquet", "3.parquet"}
    assert names(target) == {*whole, *(f"_parts/{name}.json" for name in whole), *BOOKS}
    fresh = tmp_path / "fresh"
    assert ran(source, fresh)[0] == 0
    assert answers(target) == answers(fresh)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (["--bad-rows", "drop"], 'bad_rows was "fail" and is now "drop"'),
        (["--part-rows", "7"], "part_rows was 8388608 and is now 7"),
        (
            ["--house-rules", '{"joker": true}'],
            'house_rules was {"extra_five_bonus":0,"joker":false,"five_alike_is_full_house":false,'
            '"turn_seconds":30} and is now {"extra_five_bonus":0,"joker":true,'
            '"five_alike_is_full_house":false,"turn_seconds":30}',
        ),
    ],
)
def test_other_rules_are_refused(tmp_path: Path, more: list[str], what: str) -> None:
    """A run doesn't go on with other rules: the message says which, and nothing changes."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    assert ran(source, target)[0] == 0
    before = answers(target)
    said = (
        f"{target} was begun otherwise, so this run can't go on there: {what}; name another folder"
    )
    assert ran(source, target, *more) == (2, said)
    assert (answers(target), manifest(target)["rows"]) == (before, 10)


def test_other_rules_where_nothing_was_made(tmp_path: Path) -> None:
    """As long as no part is whole, a rule can be corrected: the folder has the new ones then."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    source.mkdir()
    write(source / "a.csv", {"dice": ["13356", "13357"]})
    assert ran(source, target)[0] == 2
    assert json.loads((target / "_run.json").read_text())["bad_rows"] == "fail"
    assert ran(source, target, "--bad-rows", "drop")[0] == 0
    assert json.loads((target / "_run.json").read_text())["bad_rows"] == "drop"
    assert manifest(target)["rows"] == 1


def test_progress_within_a_part(tmp_path: Path) -> None:
    """The rows of a part are shown before it is whole."""
    source, target = tmp_path / "turns", tmp_path / "scores"
    source.mkdir()
    write(source / "a.parquet", {"rolls": turns(1_000) * 40})  # some 20 seconds of one worker
    command = ["--variant", "roll-a-royal", str(source), "-o", str(target), "--workers", "1"]
    status, shown = on_a_terminal(command, r"[1-9][0-9,]* rows, ")
    counted = r"(\d+)%  ([0-9,]+) rows, [0-9,]+ rows/s, 1 worker, about [0-9,]+ s left\x1b"
    found = re.search(counted, shown)
    assert found
    percent, rows = (int(each.replace(",", "")) for each in found.groups())
    assert (status, rows % 512, percent) == (128 + signal.SIGINT, 0, 100 * rows // 40_000)
    assert 0 < rows < 40_000
    assert {name for name in names(target) if name[0] != "_"} == set()


def test_progress_of_parts_that_fail(tmp_path: Path) -> None:
    """A part that fails is done with: at the end, all of the work is."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    source.mkdir()
    write(source / "bad.csv", {"dice": ["13357"]})
    write(source / "good.csv", {"dice": ["13356", "55522"]})
    arguments = ["--variant", "dice-poker", str(source), "-o", str(target), "--workers", "1"]
    status, shown = on_a_terminal(arguments)
    assert (status, re.findall(r"100%  (\d+) rows, ", shown)[-1:]) == (2, ["2"])


def test_a_cluster_that_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error isn't that of a folder that can't be written, which isn't even there then."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    target = tmp_path / "scores"

    def refused(**_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(cluster, "LocalCluster", refused)
    arguments = ["--variant", "dice-poker", str(tmp_path / "rolls"), "-o", str(target)]
    assert main(arguments) == TryAgain.status
    said = "the processes on this machine can't be started: Too many open files\n"
    assert capsys.readouterr() == ("", said)
    assert not target.exists()


def test_progress_of_a_split_file(tmp_path: Path) -> None:
    """What is done of a part is a fraction of its rows, not of those of the whole file."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 100, seed=1, group=20)
    game = digest_of(variants()["dice-poker"])
    rules = Rules(str(source), "dice-poker", game, {}, "fail", 40, __version__)
    job = Job(place_of(str(source)), Output(place_of(str(target)), asdict(rules)), rules, 10)
    job.output.begin([], [], complete=False)
    reports: list[tuple[int, float]] = []
    for part in parts_of(job.source, "", rules.part_rows):
        score_part(job, part, lambda rows, done: reports.append((rows, done)))
    quarters = [(10, 0.25), (20, 0.5), (30, 0.75), (40, 1.0)]
    assert reports == [*quarters, *quarters, (10, 0.5), (20, 1.0)]


def test_another_input(tmp_path: Path) -> None:
    """Another folder or glob is refused: its parts would replace those that are there."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    assert ran(source, target)[0] == 0
    before = answers(target)
    for other in (f"{source}/*.parquet", str(tmp_path / "others")):
        write_rolls(tmp_path / "others" / "b.parquet", 10, seed=2)
        said = (
            f"{target} was begun otherwise, so this run can't go on there: source was "
            f'"{source}" and is now "{other}"; name another folder'
        )
        assert ran(other, target) == (2, said)
    assert (answers(target), manifest(target)["rows"]) == (before, 10)


def test_no_longer_split(tmp_path: Path) -> None:
    """A file that was split and then isn't, or the reverse, is scored again."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    for rows, whole in ((50, False), (10, True), (50, False)):
        write_rolls(source / "within" / "a.parquet", rows, seed=1, group=10)
        assert ran(source, target, "--part-rows", "10")[0] == 0
        assert (target / "within/a.parquet").is_file() == whole
        assert manifest(target)["rows"] == rows
        assert sum(rows for rows, _ in answers(target).values()) == rows


def test_the_number_of_dice(tmp_path: Path) -> None:
    """All hands of a file have as many dice as its first, however the file is split."""
    source = tmp_path / "rolls"
    source.mkdir()
    hands = ["2r3r4r5r6r"] * 4 + ["1r2r3r4r5r6r"] * 4
    table = pa.table({"dice": [None, None, *hands]})
    pyarrow.parquet.write_table(table, source / "a.parquet", row_group_size=2)
    found = []
    for rows in ("2", "100"):
        target = tmp_path / rows
        holdem = ("--variant", "texas-holdem-dice", "--bad-rows", "null", "--part-rows", rows)
        assert ran(source, target, *holdem)[0] == 0
        parts = [read(target / name).to_pylist() for name in answers(target)]
        found.append([row for part in parts for row in part])
    assert found[0] == found[1]
    assert [row["rank"] is None for row in found[0]] == [True] * 2 + [False] * 4 + [True] * 4


def planned(source: Path, target: Path) -> tuple[Job, FilePart]:
    """The job of a run that has begun, and its only part."""
    game = digest_of(variants()["dice-poker"])
    rules = Rules(str(source), "dice-poker", game, {}, "fail", 1 << 23, __version__)
    job = Job(place_of(str(source)), Output(place_of(str(target)), asdict(rules)), rules, 10)
    job.output.begin([], [], complete=False)
    (part,) = parts_of(job.source, "", rules.part_rows)
    return job, part


@pytest.mark.parametrize("when", ["before", "while it is read"])
def test_an_input_that_changes(tmp_path: Path, when: str) -> None:
    """A part is not made of an input that isn't the one that the run was planned with."""
    file = tmp_path / "rolls" / "a.parquet"
    write_rolls(file, 50, seed=1)
    job, part = planned(tmp_path / "rolls", tmp_path / "scores")

    def replace(*_: object) -> None:
        write_rolls(tmp_path / "new.parquet", 50, seed=2)
        (tmp_path / "new.parquet").replace(file)

    if when == "before":
        replace()
    found = score_part(job, part, replace)
    assert isinstance(found, TryAgain)
    assert lines(found) == [f"{file} has changed since the run began"]
    assert answers(tmp_path / "scores") == {}


def test_another_game(tmp_path: Path) -> None:
    """A worker that describes the game otherwise, or doesn't know it, refuses to score."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    job, part = planned(tmp_path / "rolls", tmp_path / "scores")
    variant = variants()["dice-poker"]
    other = digest_of(replace(variant, summary="Another game."))
    assert other != digest_of(variant)
    changed = replace(job, rules=replace(job.rules, game=other))
    said = ["a worker describes dice-poker otherwise than the command does"]
    assert lines(score_part(changed, part, lambda *_: None)) == said
    with pytest.raises(CommandError) as caught:
        check_worker(__version__, "none", other)
    assert caught.value.lines == ("a worker has no game none: set VARIANTS there, too",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_parts/a.parquet.json", "garbage"),
        ("_parts/a.parquet.json", "{}"),
        (
            "_parts/a.parquet.json",
            '{"part": {}, "rules": "", "size": 1, "rows": "1", "bad_rows": 0}',
        ),
        ("a.parquet", "cut off"),
    ],
)
def test_damaged_output(tmp_path: Path, name: str, text: str) -> None:
    """A part whose note is damaged, or whose file has another length, is made again."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    for each in ("a", "b"):
        write_rolls(source / f"{each}.parquet", 10, seed=1)
    assert ran(source, target)[0] == 0
    before = answers(target)
    (target / name).write_text(text)
    again = f"20 hands in 2 parts scored, in {target}; 1 of the parts was there before"
    assert ran(source, target) == (0, again)
    assert answers(target) == before


@pytest.mark.parametrize("text", ["", "[]"])
def test_damaged_rules(tmp_path: Path, text: str) -> None:
    """Nothing is done in a folder whose rules can't be read."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    assert ran(source, target)[0] == 0
    (target / "_run.json").write_text(text)
    said = f"{target}/_run.json isn't what this command writes: restore it, or remove the folder"
    assert ran(source, target) == (2, said)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """All files that can't be read are named; the others are scored."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "good.parquet", 10, seed=1)
    write_rolls(source / "bad.parquet", 10, seed=1)
    content = (source / "bad.parquet").read_bytes()
    end = -8 - int.from_bytes(content[-8:-4], "little")
    (source / "bad.parquet").write_bytes(content[:end] + bytes(-8 - end) + content[-8:])
    (source / "short.parquet").write_bytes(b"PAR1")
    write(source / "text.parquet", {"dice": pa.array([b"13356", b"\xff"]).view(pa.utf8())})
    status, said = ran(source, target)
    bad, short, text, last = said.split("\n")
    assert status == 2
    assert short.startswith(f"{source}/short.parquet can't be read as Parquet: ")
    assert bad.startswith(f"{source}/bad.parquet can't be read as Parquet: ")
    assert text.startswith(f"{source}/text.parquet can't be read as Parquet: ")
    assert last == f"1 of 4 parts are whole, in {target}; the same command goes on from there"
    assert set(answers(target)) == {"good.parquet"}


@pytest.mark.parametrize(
    ("variant", "dice"), [("dice-poker", "13356"), ("texas-holdem-dice", "1r2r3r4r5r")]
)
def test_rows_of_a_split_file_that_cannot_be_read(tmp_path: Path, variant: str, dice: str) -> None:
    """Only the part is bad that has them, also if its first hand decides about the others."""
    source = tmp_path / "rolls"
    source.mkdir()
    beside = pa.array([b"\xff", b"a", b"b"]).view(pa.utf8())
    table = pa.table({"beside": beside, "dice": [dice] * 3})
    pyarrow.parquet.write_table(table, source / "a.parquet", row_group_size=1)
    rules = Rules("", variant, digest_of(variants()[variant]), {}, "fail", 1, __version__)
    output = Output(place_of(str(tmp_path / "scores")), asdict(rules))
    output.begin([], [], complete=False)
    job = Job(place_of(str(source)), output, rules, 10)
    bad, *good = (
        score_part(job, part, lambda *_: None) for part in parts_of(job.source, "", rules.part_rows)
    )
    assert lines(bad)[0].startswith(f"{source}/a.parquet can't be read as Parquet: ")
    assert [isinstance(each, Done) for each in good] == [True, True]


def test_one_column_for_each_die(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a split file with such columns is scored without a look at the rows before."""
    source = tmp_path / "rolls"
    source.mkdir()
    columns = {f"die_{die}": [f"{die}r"] * 2 for die in range(1, 6)}
    pyarrow.parquet.write_table(pa.table(columns), source / "a.parquet", row_group_size=1)
    game = digest_of(variants()["texas-holdem-dice"])
    rules = Rules("", "texas-holdem-dice", game, {}, "fail", 1, __version__)
    output = Output(place_of(str(tmp_path / "scores")), asdict(rules))
    output.begin([], [], complete=False)
    job = Job(place_of(str(source)), output, rules, 10)
    read: list[object] = []

    def reading(*arguments: Any, **more: Any) -> DataTable:
        read.append(more)
        return read_parquet(*arguments, **more)

    monkeypatch.setattr(task, "read_parquet", reading)
    _, part = parts_of(job.source, "", rules.part_rows)
    assert isinstance(score_part(job, part, lambda *_: None), Done)
    assert read == [{}]


def test_brackets_and_outputs_beside(tmp_path: Path) -> None:
    """A folder's name may have brackets; a glob may leave out the output beside its files."""
    source = tmp_path / "rolls [2025]"
    write_rolls(source / "a.parquet", 10, seed=1)
    assert ran(source, tmp_path / "scores")[0] == 0
    beside = tmp_path / "scores" / ".." / "b" / "scores"
    write_rolls(tmp_path / "b" / "a.parquet", 10, seed=1)
    for _ in range(2):
        assert ran(tmp_path / "b" / "*.parquet", beside)[0] == 0
    assert answers(beside) == answers(tmp_path / "scores")


def test_a_folder_within_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the folder within, not only the one that was typed."""
    source = tmp_path / "rolls"
    write_rolls(source / "within" / "a.parquet", 10, seed=1)
    scandir = os.scandir

    def refused(folder: str) -> Any:
        if folder.endswith("/within"):
            raise PermissionError(errno.EACCES, "Permission denied", folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(CommandError) as caught:
        files_of(place_of(str(source)), "")
    assert caught.value.lines == (f"{source} can't be read: {source}/within: Permission denied",)


def test_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system doesn't say which cores a process may use, there is a worker for each."""
    asked = Namespace(workers=None, scheduler=None)
    assert workers_of(asked) == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert workers_of(asked) == 7


def test_links(tmp_path: Path) -> None:
    """Links to files and folders are read, but not one that leads back to a folder above it."""
    write_rolls(tmp_path / "old" / "b.parquet", 10, seed=2)
    source = tmp_path / "rolls"
    write_rolls(source / "within" / "a.parquet", 10, seed=1)
    (source / "old").symlink_to(tmp_path / "old")
    (source / "c.parquet").symlink_to(tmp_path / "old" / "b.parquet")
    (source / "within" / "back").symlink_to(source)
    (tmp_path / "old" / "here").symlink_to(".")
    (source / "_gone.parquet").symlink_to(tmp_path / "gone")
    assert ran(source, tmp_path / "scores")[0] == 0
    assert set(answers(tmp_path / "scores")) == {"c.parquet", "old/b.parquet", "within/a.parquet"}


def test_an_input_that_is_away(tmp_path: Path) -> None:
    """A link whose disk isn't mounted ends the run with a sentence before anything is made or
    removed, whether it led to a file or to a folder; a glob may leave it out.
    """
    source, disk = tmp_path / "rolls", tmp_path / "disk"
    write_rolls(source / "a.parquet", 10, seed=1)
    write_rolls(disk / "b.parquet", 10, seed=2)
    for name, leads in (("b.parquet", disk / "b.parquet"), ("year", disk)):
        target = tmp_path / name
        (source / name).symlink_to(leads)
        assert ran(source, target)[0] == 0
        before = answers(target)
        disk.rename(tmp_path / "elsewhere")
        said = f"{source}/{name} is listed but can't be found: mount what it links to, or remove it"
        assert ran(source, target) == (2, said)
        assert (answers(target), manifest(target)["rows"]) == (before, 20)
        assert [*files_of(*source_of(f"{source}/a.*"))] == ["a.parquet"]
        with pytest.raises(CommandError) as caught:
            files_of(place_of(str(source)), f"{name[0]}*/*.csv" if leads == disk else "b.*")
        assert caught.value.lines == (said,)
        (tmp_path / "elsewhere").rename(disk)
        (source / name).unlink()


def test_an_input_that_is_no_file(tmp_path: Path) -> None:
    """A pipe between the files is an error, not left out."""
    write_rolls(tmp_path / "a.parquet", 10, seed=1)
    os.mkfifo(tmp_path / "b.parquet")
    with pytest.raises(CommandError) as caught:
        files_of(place_of(str(tmp_path)), "")
    assert caught.value.lines == (
        f"{tmp_path}/b.parquet is neither a file nor a folder: remove it",
    )


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    """A name that no file system of Arrow can have is shown, and nothing is done."""
    source = tmp_path / "rolls"
    write_rolls(source / "a.parquet", 10, seed=1)
    Path(os.fsdecode(bytes(source / "b") + b"\xff.parquet")).touch()
    status, said = ran(source, tmp_path / "scores")
    assert (status, said) == (
        2,
        f"{source} can't be read: the name of {source}/b\\udcff.parquet isn't UTF-8",
    )
    assert not (tmp_path / "scores").exists()


def test_bad_rows(tmp_path: Path) -> None:
    """All bad parts are named in their order, with the rows of the first bad piece of each; the
    others are whole, and there is no _SUCCESS.
    """
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "good.parquet", 10, seed=1)
    write(source / "one.csv", {"dice": ["13356", "13357"]})
    faces = pa.array([[1, 2, 3, 4, 5]] * 5 + [[9, 1, 1, 1, 1]])
    pyarrow.parquet.write_table(pa.table({"dice": faces}), source / "two.parquet", row_group_size=2)
    status, said = ran(source, target, "--part-rows", "2")
    bad = "(row 0 is the first) have no valid hand"
    assert (status, said.split("\n")) == (
        2,
        [
            f"{source}/one.csv can't be scored: 1 of the first 2 rows {bad}",
            "  row 1: dice[4] must be a whole number between 1 and 6",
            f"{source}/two.parquet can't be scored: 1 of the first 2 rows from row 4 {bad}",
            "  row 5: dice[0] must be between 1 and 6",
            f"3 of 5 parts are whole, in {target}; the same command goes on from there",
        ],
    )
    whole = {"good.parquet", *(f"two.parquet/part-0000{at}.parquet" for at in (0, 1))}
    assert names(target) == {*whole, *(f"_parts/{name}.json" for name in whole), "_run.json"}


def test_bad_rows_that_are_dropped(tmp_path: Path) -> None:
    """With --bad-rows drop, the run goes on, and the manifest counts what was dropped."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    source.mkdir()
    write(source / "a.csv", {"dice": ["13356", "13357", "5552"]})
    said = f"1 hand in 1 part scored, in {target}; 2 rows without a valid hand were dropped"
    assert ran(source, target, "--bad-rows", "drop") == (0, said)
    part = {"part": "a.csv", "input": "a.csv", "rows_read": 3, "bad_rows": 2, "rows": 1}
    assert manifest(target) == {
        **RULES,
        "source": str(source),
        "bad_rows": "drop",
        "rows": 1,
        "parts": [part],
    }


def test_globs_and_uris(tmp_path: Path) -> None:
    """A glob picks files of a folder; a URI names a folder in a file system of Arrow."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    for name in ("a.parquet", "b.parquet", "c.csv.gz"):
        write_rolls(source / name, 10, seed=1)
    uri = f"file://{source}/?.parquet"
    said = f"20 hands in 2 parts scored, in file://{target}"
    assert ran(uri, f"file://{target}") == (0, said)
    assert set(answers(target)) == {"a.parquet", "b.parquet"}


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("none", "scores", "{}/none is missing"),
        ("empty", "scores", "{}/empty has no files"),
        ("rolls/*.csv", "scores", "{}/rolls has no files like *.csv"),
        ("rolls", "rolls/scores", "{0}/rolls/scores must not lie in {0}/rolls, which is read"),
        ("rolls", "full", "{}/full has files that no run of this command wrote"),
        (
            "odd",
            "scores",
            "the extension of a.csv.gz must be one of "
            ".csv .ndjson .jsonl .parquet .arrow .feather .arrows",
        ),
    ],
)
def test_refused(tmp_path: Path, source: str, target: str, said: str) -> None:
    """What can't be read or written is refused before anything is written."""
    write_rolls(tmp_path / "rolls/a.parquet", 1, seed=1)
    write_rolls(tmp_path / "odd/a.csv.gz", 1, seed=1)
    write_rolls(tmp_path / "full/a.parquet", 1, seed=1)
    (tmp_path / "empty").mkdir()
    before = names(tmp_path)
    assert ran(tmp_path / source, tmp_path / target) == (2, said.format(tmp_path))
    assert names(tmp_path) == before


@pytest.mark.parametrize("address", ["", "x", "http://a:1", "tcp://a", ":", "inproc://x"])
def test_what_is_no_address(tmp_path: Path, address: str) -> None:
    """An address that no scheduler can have is refused at once."""
    status, said = ran(tmp_path, tmp_path / "scores", "--scheduler", address)
    why = f"argument --scheduler: must be an address such as tcp://host:8786: {address!r}"
    assert (status, said.endswith(why)) == (2, True)
    assert not (tmp_path / "scores").exists()


def test_a_silent_scheduler(tmp_path: Path) -> None:
    """What listens at the address and says nothing isn't waited for without an end."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        found = ran(tmp_path / "rolls", tmp_path / "scores", "--scheduler", address)
    assert found == (75, f"no scheduler answers at {address} within 20 seconds")
    assert not (tmp_path / "scores").exists()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_stopped_while_it_starts(by: signal.Signals) -> None:
    """What can't be stopped in the middle ends first, even if it fails by the same signal."""
    done = []

    def start(*, stopped: bool, fails: bool) -> None:
        with postponed():
            if stopped:
                os.kill(os.getpid(), by)
            if fails:
                raise RuntimeError
            done.append(stopped)

    for fails in (False, True):
        with pytest.raises(KeyboardInterrupt) as caught:
            start(stopped=True, fails=fails)
        assert caught.value.args == (by,)
    with pytest.raises(RuntimeError):
        start(stopped=False, fails=True)
    start(stopped=False, fails=False)
    assert done == [True, False]


def test_options_of_a_store() -> None:
    """In a URI, a question mark begins options: a glob keeps them, and messages leave them out,
    as they leave out a key and its secret.
    """
    options = "region=eu-west-1&scheme=http&endpoint_override=127.0.0.1:9"
    place, pattern = source_of(f"s3://key:secret@bucket/rolls/2025/*.parquet?{options}")
    assert (place.path, place.shown, pattern) == (
        "bucket/rolls/2025",
        "s3://bucket/rolls/2025",
        "*.parquet",
    )
    assert place.system.region == "eu-west-1"
    assert (place / "a.parquet").shown == "s3://bucket/rolls/2025/a.parquet"
