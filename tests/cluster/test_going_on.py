"""A run goes on where an earlier one ended, unless it is another one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from service.cli.command import CommandError, TryAgain
from service.cli.folders.cluster import check_worker, rules_of
from service.cli.folders.score import FilePart, Job, parts_of
from service.variants import variants
from tests.cli.score.tables import write
from tests.cluster.folders import BOOKS, answers, lines, manifest, names, ran, refusal, write_rolls
from tests.cluster.one_process import job, result


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
            '"turn_seconds":30,"throw_to_begin":false,"zero_only_if_nothing_fits":false} '
            'and is now {"extra_five_bonus":0,"joker":true,"five_alike_is_full_house":false,'
            '"turn_seconds":30,"throw_to_begin":false,"zero_only_if_nothing_fits":false}',
        ),
    ],
)
def test_other_rules_are_refused(tmp_path: Path, more: list[str], what: str) -> None:
    """A run doesn't go on with other rules: the message says which, and nothing changes."""
    source, target = once_made(tmp_path)
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


def test_another_input(tmp_path: Path) -> None:
    """Another folder or glob is refused: its parts would replace those that are there."""
    source, target = once_made(tmp_path)
    before = answers(target)
    for other in (f"{source}/*.parquet", str(tmp_path / "others")):
        write_rolls(tmp_path / "others" / "b.parquet", 10, seed=2)
        said = (
            f"{target} was begun otherwise, so this run can't go on there: source was "
            f'"{source}" and is now "{other}"; name another folder'
        )
        assert ran(other, target) == (2, said)
    assert (answers(target), manifest(target)["rows"]) == (before, 10)


def planned(source: Path, target: Path) -> tuple[Job, FilePart]:
    """The job of a run that has begun, and its only part."""
    asked = job(source, target, part_rows=1 << 23, rows=10)
    asked.output.begin((), (), complete=False)
    (part,) = parts_of(asked.source, "", 1 << 23)
    return asked, part


def once_made(tmp_path: Path, *names: str) -> tuple[Path, Path]:
    """The source and the target of a run that has made a part of each file."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    for name in names or ("a.parquet",):
        write_rolls(source / name, 10, seed=1)
    assert ran(source, target)[0] == 0
    return source, target


@pytest.mark.parametrize("when", ["before", "while it is read"])
def test_an_input_that_changes(tmp_path: Path, when: str) -> None:
    """A part is not made of an input that isn't the one that the run was planned with."""
    file = tmp_path / "rolls" / "a.parquet"
    write_rolls(file, 50, seed=1)
    asked, part = planned(tmp_path / "rolls", tmp_path / "scores")

    def replace(*_: object) -> None:
        write_rolls(tmp_path / "new.parquet", 50, seed=2)
        (tmp_path / "new.parquet").replace(file)

    if when == "before":
        replace()
    found = result(asked, part, replace)
    assert isinstance(found, TryAgain)
    assert lines(found) == [f"{file} has changed since the run began"]
    assert answers(tmp_path / "scores") == {}


def test_an_input_that_is_removed(tmp_path: Path) -> None:
    """A part is not made of an input that is removed while it is read; trying again won't help."""
    file = tmp_path / "rolls" / "a.parquet"
    write_rolls(file, 50, seed=1)
    asked, part = planned(tmp_path / "rolls", tmp_path / "scores")
    found = result(asked, part, lambda *_: file.unlink(missing_ok=True))
    assert isinstance(found, CommandError)
    assert (found.status, lines(found)) == (
        2,
        [
            f"a worker doesn't find {file}: has it been removed? It must be at the same path on "
            "every machine"
        ],
    )
    assert answers(tmp_path / "scores") == {}


@pytest.mark.parametrize("form", ["parquet", "arrow", "arrows", "csv"])
def test_an_input_that_is_overwritten(tmp_path: Path, form: str) -> None:
    """Whatever seems to be wrong with a file that changes while it is read, that is what is said:
    the same command may work later.
    """
    file = tmp_path / "rolls" / f"a.{form}"
    file.parent.mkdir()
    write(file, {"dice": ["13356"] * 50_000})
    asked, part = planned(tmp_path / "rolls", tmp_path / "scores")

    def cut(*_: object) -> None:
        half = file.stat().st_size // 2
        with file.open("r+b") as opened:
            opened.seek(half)
            opened.write(b"\xff" * half)

    found = result(asked, part, cut)
    assert isinstance(found, TryAgain)
    assert lines(found) == [f"{file} has changed since the run began"]


def test_another_game(tmp_path: Path) -> None:
    """A worker with another release, one that describes the game otherwise, or one that doesn't
    know it, refuses to score.
    """
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    asked, part = planned(tmp_path / "rolls", tmp_path / "scores")
    variant = variants()["dice-poker"]
    other = rules_of(replace(variant, summary="Another game."), variant.house_rules())
    assert other["game"] != asked.output.rules["game"]
    changed = replace(asked, output=replace(asked.output, rules={**asked.output.rules, **other}))
    said = ["a worker describes dice-poker otherwise than the command does"]
    assert lines(result(changed, part)) == said
    for rules, why in (
        ({**other, "variant": "none"}, "a worker has no game none: set VARIANTS there, too"),
        ({**other, "version": "0"}, f"a worker has version {other['version']}, and the command 0"),
    ):
        assert refusal(check_worker, rules) == why


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
    source, target = once_made(tmp_path, "a.parquet", "b.parquet")
    before = answers(target)
    (target / name).write_text(text)
    again = f"20 hands in 2 parts scored, in {target}; 1 of the parts was there before"
    assert ran(source, target) == (0, again)
    assert answers(target) == before


@pytest.mark.parametrize("text", ["", "[]"])
def test_damaged_rules(tmp_path: Path, text: str) -> None:
    """Nothing is done in a folder whose rules can't be read."""
    source, target = once_made(tmp_path)
    (target / "_run.json").write_text(text)
    said = f"{target}/_run.json isn't what this command writes: restore it, or remove the folder"
    assert ran(source, target) == (2, said)
