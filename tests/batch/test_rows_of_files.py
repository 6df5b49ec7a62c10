"""Which rows a file of CSV has, and how errors in files of each format name them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.batch.doors import HANDS, in_file, in_part, refusals, strengths
from tests.cli.score.scoring import score


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_empty_lines(tmp_path: Path, end: str) -> None:
    """In CSV with one column, an empty line is a row with null; else, it is none."""
    source = tmp_path / "in.csv"
    source.write_bytes(end.join(["dice", "13356", "", "55522", "", ""]).encode())
    hands = [HANDS[0], None, HANDS[2], None]
    assert in_file(source, "poker-dice") == strengths("poker-dice", hands)
    assert in_part(source, "poker-dice") == strengths("poker-dice", hands)
    source.write_bytes(end.join(["id,dice", "1,13356", "", "2,55522", ""]).encode())
    assert in_file(source, "poker-dice") == strengths("poker-dice", [HANDS[0], HANDS[2]])


def test_no_text_is_null(tmp_path: Path) -> None:
    """An empty value of CSV is null, one in quotes is a text without characters; so they stay."""
    source = tmp_path / "in.csv"
    source.write_text('id,dice\n,13356\n"",13356\nNA,13356\n')
    assert score(source, tmp_path / "out.csv") == 0
    assert [line.split(",")[0] for line in (tmp_path / "out.csv").read_text().splitlines()] == [
        '"id"', "", '""', '"NA"',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (b"1,2,3", ": it has 3 values, and the header 2"),
        (b"1", ": it has 1 values, and the header 2"),
        (b"12346,b\xe9n", ", column note: it isn't UTF-8"),
        (b'12346,"a"b', ": ',' expected after '\"'"),
        (b'12346,"a\n12346,b', ": unexpected end of data"),
    ],
)
@pytest.mark.parametrize("count", [3, 30])
def test_rows_of_csv(tmp_path: Path, row: bytes, why: str, count: int) -> None:
    """An error of CSV names the row of the file, and the column if it is one."""
    source = tmp_path / "in.csv"
    before = b"12346,%s\n" % (b"a" * 200_000 if count > 3 else b"a")
    source.write_bytes(b"dice,note\n" + before * count + b"\n" + row + b"\n12346,a\n")
    said = f"{source} can't be read as CSV: row {count}{why}"
    assert refusals(source) == [said, said]


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    """A column's name that isn't UTF-8 is found in the header, or in the line that has it."""
    source = tmp_path / "in.csv"
    source.write_bytes(b"dice,b\xe9n\n12346,a\n")
    assert refusals(source) == [f"{source} can't be read as CSV: the header: it isn't UTF-8"] * 2
    source = tmp_path / "lines/in.ndjson"
    source.parent.mkdir()
    source.write_bytes(b'{"dice": "13356", "x": 1}\n' + b'{"dice": "13356", "b\xe9n": 1}\n')
    said = f"{source} can't be read as NDJSON: row 1: it is not UTF-8, at byte 20"
    assert refusals(source) == [said] * 2


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_rows_of_binary_files(tmp_path: Path, suffix: str) -> None:
    """A text that isn't UTF-8 is named by its row in the file, not in the piece that is read."""
    size = 5
    text = pa.array([b"a", b"b", b"c", b"d", b"b\xe9n"]).cast(pa.binary())
    broken = pa.StringArray.from_buffers(size, *text.buffers()[1:])
    dice = pa.array(["13356"] * size)
    whole = pa.table({"dice": dice, "who": pa.array(["ann"] * size)})
    table = pa.concat_tables([whole, whole, pa.table({"dice": dice, "who": broken})])
    source = tmp_path / f"in{suffix}"
    if suffix == ".parquet":
        pa.parquet.write_table(table, source, row_group_size=size)
    else:
        new = pa.ipc.new_file if suffix == ".arrow" else pa.ipc.new_stream
        with new(source, table.schema) as writer:
            writer.write_table(table, max_chunksize=size)
    form = {".parquet": "Parquet", ".arrow": "an Arrow file", ".arrows": "an Arrow stream"}[suffix]
    why = "row 14, column who: Invalid UTF8 sequence at string index 0"
    assert refusals(source, part_rows=size) == [f"{source} can't be read as {form}: {why}"] * 2
