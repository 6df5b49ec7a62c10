"""A folder in, a folder of the same names out."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from service import __version__
from service.batch import score_batches
from service.cli.score.folder.plan import source_of
from tests.batch.test_layout_tables import TURNS, turns
from tests.cli.score.tables import answers as expected
from tests.cli.score.tables import read, write
from tests.cli.score.test_command_line import on_a_terminal
from tests.cluster.folders import answers, manifest, names, ran, rolls, write_rolls

RULES = {
    "variant": "dice-poker",
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
        "name": "a.parquet",
        "input": "a.parquet",
        "size": input_file.st_size,
        "changed": input_file.st_mtime_ns,
        "row_groups": None,
        "first_row": 0,
        "share": input_file.st_size,
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


def test_layouts(tmp_path: Path) -> None:
    """Turns of Roll-a-royal are laid out, as `score_batches` does."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    source.mkdir()
    files = {"a.parquet": TURNS[:3], "b.ndjson": TURNS[3:5]}
    for name, some in files.items():
        write(source / name, {"rolls": some})
    status = ran(source, target, "--variant", "roll-a-royal")
    assert status == (0, f"5 hands in 2 parts scored, in {target}")
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
    later = f"160 hands in 3 parts scored, in {target}; 1 of the parts were there before"
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
    said = f"{target} was begun otherwise, so this run can't go on there: {what}"
    assert ran(source, target, *more) == (2, said)
    assert (answers(target), manifest(target)["rows"]) == (before, 10)


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


def test_bad_rows(tmp_path: Path) -> None:
    """All bad parts are named with their rows; the others are whole, and there is no _SUCCESS."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "good.parquet", 10, seed=1)
    write(source / "one.csv", {"dice": ["13356", "13357"]})
    faces = pa.array([[1, 2, 3, 4, 5]] * 5 + [[9, 1, 1, 1, 1]])
    pyarrow.parquet.write_table(pa.table({"dice": faces}), source / "two.parquet", row_group_size=2)
    status, said = ran(source, target, "--part-rows", "2")
    lines = said.split("\n")
    assert (status, sorted(lines[:-1]), lines[-1]) == (
        2,
        sorted(
            [
                f"{source}/one.csv has 1 row without a valid hand (row 0 is the first):",
                "  row 1: dice[4] must be a whole number between 1 and 6",
                f"{source}/two.parquet has 1 row without a valid hand (row 0 is the first):",
                "  row 5: dice[0] must be between 1 and 6",
            ]
        ),
        f"3 of 5 parts are whole, in {target}; the same command goes on from there",
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
    assert manifest(target) == {**RULES, "bad_rows": "drop", "rows": 1, "parts": [part]}


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
        ("none", "scores", "{}/none has no files"),
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
    before = names(tmp_path)
    assert ran(tmp_path / source, tmp_path / target) == (2, said.format(tmp_path))
    assert names(tmp_path) == before


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
