"""A folder in, a folder of the same names out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace

import fsspec
import pyarrow as pa
import pyarrow.parquet
import pytest
from pyarrow.fs import FSSpecHandler, PyFileSystem

from service import __version__
from service.batch import score_batches
from service.cli.files import locations
from service.cli.files.locations import Location
from service.cli.files.sources import files_of, source_of
from service.cli.folders.cluster import digest_of
from service.cli.folders.output import Note
from service.cli.folders.score import parts_of
from service.variants import variants
from tests.batch.test_layout_tables import TURNS
from tests.cli.score.tables import answers as expected
from tests.cli.score.tables import read, write
from tests.cluster.folders import (
    BOOKS,
    HOUSE_RULES,
    answers,
    manifest,
    names,
    ran,
    rolls,
    write_rolls,
)
from tests.cluster.one_process import job, made

RULES = {
    "variant": "dice-poker",
    "game": digest_of(variants()["dice-poker"]),
    "house_rules": HOUSE_RULES,
    "bad_rows": "fail",
    "part_rows": 1 << 23,
    "version": __version__,
}


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
    parts = parts_of(Location.of(str(tmp_path / "rolls")), "", 300)
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


def test_one_column_for_each_die(tmp_path: Path) -> None:
    """A part of a split file with such columns is scored without a look at the rows before: they
    may be such that can't be read.
    """
    source = tmp_path / "rolls"
    source.mkdir()
    columns = {f"die_{die}": [f"{die}r"] * 2 for die in range(2, 6)}
    columns["die_1"] = pa.array([b"\xff", b"1r"]).view(pa.utf8())
    pyarrow.parquet.write_table(pa.table(columns), source / "a.parquet", row_group_size=1)
    asked = job(source, tmp_path / "scores", "texas-holdem-dice", part_rows=1)
    assert [isinstance(each, Note) for each in made(asked)] == [False, True]


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


def test_folders_that_are_left_out(tmp_path: Path) -> None:
    """What is left out isn't even read: it may have names that no file system of Arrow can have."""
    for within in (".hidden", "_old", "deeper/still"):
        write_rolls(tmp_path / "rolls" / within / "a.parquet", 10, seed=1)
        Path(os.fsdecode(bytes(tmp_path / "rolls" / within / "b") + b"\xff.parquet")).touch()
    source = Location.of(str(tmp_path / "rolls"))
    write_rolls(tmp_path / "rolls" / "deeper" / "c.parquet", 10, seed=1)
    assert [*files_of(source, "*/*.parquet")] == ["deeper/c.parquet"]
    (tmp_path / "rolls" / "deeper").rename(tmp_path / "rolls" / "_deeper")
    write_rolls(tmp_path / "rolls" / "d.parquet", 10, seed=1)
    assert [*files_of(source, "")] == ["d.parquet"]


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
    ("pattern", "left_out"),
    [
        ("**/*.parquet", []),
        ("**", []),
        ("**/**/*.parquet", []),
        ("*/**/*.parquet", ["a.parquet"]),
        ("**/b/*.parquet", ["a.parquet", "b/c/d/e.parquet"]),
        ("b/**/[de].*", ["a.parquet", "b/b.parquet"]),
    ],
)
def test_globs_of_any_depth(
    tmp_path: Path, pattern: str, left_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`**` is any folders within each other, or none, on this machine as in a store."""
    names = ["a.parquet", "b/b.parquet", "b/c/d/e.parquet"]
    for name in (*names, "_old/b/a.parquet", "b/.c/d.parquet"):
        write_rolls(tmp_path / name, 1, seed=1)
    found = [name for name in names if name not in left_out]
    location, pattern = source_of(f"{tmp_path}/{pattern}")
    assert [*files_of(location, pattern)] == [
        name.removeprefix("b/") if location.path.endswith("/b") else name for name in found
    ]
    store = PyFileSystem(FSSpecHandler(fsspec.filesystem("file")))
    stored = SimpleNamespace(from_uri=lambda text: (store, text.removeprefix("s3://")))
    monkeypatch.setattr(locations, "FileSystem", stored)
    assert [*files_of(*source_of(f"s3://{location.path}/{pattern}"))] == [
        *files_of(location, pattern)
    ]


def test_options_of_a_store() -> None:
    """In a URI, a question mark begins options: a glob keeps them, and messages leave them out,
    as they leave out a key and its secret.
    """
    options = "region=eu-west-1&scheme=http&endpoint_override=127.0.0.1:9"
    location, pattern = source_of(f"s3://key:secret@bucket/rolls/2025/*.parquet?{options}")
    assert (location.path, location.shown, pattern) == (
        "bucket/rolls/2025",
        "s3://bucket/rolls/2025",
        "*.parquet",
    )
    assert location.system.region == "eu-west-1"
    assert (location / "a.parquet").shown == "s3://bucket/rolls/2025/a.parquet"
