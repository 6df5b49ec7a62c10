"""Inputs that can't be read or scored: what the command says, and what it leaves undone."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from service.cli.files.locations import Location
from service.cli.files.sources import files_of, source_of
from service.cli.folders.output import Note
from tests.cli.score.tables import write
from tests.cluster.folders import answers, lines, manifest, names, ran, refusal, write_rolls
from tests.cluster.one_process import job, made


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
    bad, *good = made(job(source, tmp_path / "scores", variant, part_rows=1))
    assert lines(bad)[0].startswith(f"{source}/a.parquet can't be read as Parquet: ")
    assert [isinstance(each, Note) for each in good] == [True, True]


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
    assert refusal(files_of, Location.of(str(source)), "") == (
        f"{source} can't be read: {source}/within: Permission denied"
    )


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
        assert (
            refusal(
                files_of, Location.of(str(source)), f"{name[0]}*/*.csv" if leads == disk else "b.*"
            )
            == said
        )
        (tmp_path / "elsewhere").rename(disk)
        (source / name).unlink()


def test_an_input_that_is_no_file(tmp_path: Path) -> None:
    """A pipe between the files is an error, not left out."""
    write_rolls(tmp_path / "a.parquet", 10, seed=1)
    os.mkfifo(tmp_path / "b.parquet")
    assert refusal(files_of, Location.of(str(tmp_path)), "") == (
        f"{tmp_path}/b.parquet is neither a file nor a folder: remove it"
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


def test_links_around_the_output(tmp_path: Path) -> None:
    """A link in the input must not lead to a folder that the output lies in: the next run would
    read what this one writes. Neither may it lead into the output.
    """
    source, data = tmp_path / "rolls", tmp_path / "data"
    write_rolls(source / "a.parquet", 10, seed=1)
    write_rolls(data / "year" / "b.parquet", 10, seed=2)
    (source / "link").symlink_to(data)
    said = f"{data}/scores must not lie in {source}/link, which is read"
    assert ran(source, data / "scores") == (2, said)
    assert not (data / "scores").exists()
    said = f"{source}/link/year must not lie in {data}/year, which is written"
    assert ran(f"{source}/*/*/*.parquet", data / "year") == (2, said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.csv.json/b.csv", "a.csv can't be made beside a.csv.json/: rename one of them"),
        (f"{'x' * 247}.csv", f"the name of {'x' * 247}.csv is too long: it may have 250 bytes"),
    ],
)
def test_names_without_a_place_for_their_note(tmp_path: Path, name: str, said: str) -> None:
    """Names that can't have a note in the output are refused before anything is made."""
    (tmp_path / "rolls" / name).parent.mkdir(parents=True)
    for each in ("a.csv", name):
        write(tmp_path / "rolls" / each, {"dice": ["13356"]})
    assert ran(tmp_path / "rolls", tmp_path / "scores") == (2, said)
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
    bad = "(row 0 is the first) has no valid hand"
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
    assert names(target) == {
        *whole,
        *(f"_parts/{name}.json" for name in whole),
        "_lock",
        "_run.json",
    }


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
            "a.csv.gz is compressed, which is neither read nor written: unpack it, or use Parquet, "
            "which compresses by itself",
        ),
        (
            "stray",
            "scores",
            "the extension of readme.txt must be one of "
            ".csv .tsv .ndjson .jsonl .parquet .arrow .feather .arrows; remove it, begin its name "
            "with an underscore, or name the files that are meant, such as '{}/stray/**/*.parquet'",
        ),
        (
            "rolls/**.parquet",
            "scores",
            "{}/rolls/**.parquet: ** stands for any folders, and alone between slashes, as in "
            "'rolls/**/*.parquet'",
        ),
        (
            "rolls/**/*.parquet",
            "rolls/scores",
            "{0}/rolls/scores must not lie in {0}/rolls, which is read",
        ),
    ],
)
def test_refused(tmp_path: Path, source: str, target: str, said: str) -> None:
    """What can't be read or written is refused before anything is written."""
    write_rolls(tmp_path / "rolls/a.parquet", 1, seed=1)
    write_rolls(tmp_path / "odd/a.csv.gz", 1, seed=1)
    write_rolls(tmp_path / "stray/readme.txt", 1, seed=1)
    write_rolls(tmp_path / "full/a.parquet", 1, seed=1)
    (tmp_path / "empty").mkdir()
    before = names(tmp_path)
    assert ran(tmp_path / source, tmp_path / target) == (2, said.format(tmp_path))
    assert names(tmp_path) == before
