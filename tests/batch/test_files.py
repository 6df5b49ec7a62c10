"""Rows of files in each format: none is dropped, changed or read as another; errors name them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from flask.testing import FlaskClient

from service.batch.arrow.messages import AFTER_END
from tests.batch.doors import HANDS, HTTP, in_file, in_part, refusals, stream, strengths
from tests.cli.score.scoring import score
from tests.cli.score.tables import write


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


GOOD = '{"dice": "13356", "x": 1}\n'
FRACTION = '{"dice": "13356", "x": 0.5}\n'
LONG = '{"dice": "13356", "x": 1, "pad": "%s"}\n' % ("." * 500_000)
MANY = LONG * 20
"""Lines of several blocks, as they are read."""

KEPT = ["9223372036854775807", "-9223372036854775808", "9007199254740993", "null"]
FRACTIONS = ["9007199254740992", "0.12345678901234567", "1.5e300", "2.50000000000000000000", "3"]


@pytest.mark.parametrize("numbers", [KEPT, FRACTIONS], ids=["whole", "fractions"])
def test_numbers_stay(tmp_path: Path, numbers: list[str]) -> None:
    """Numbers beside the dice come out of NDJSON with the value that they came in with."""
    source = tmp_path / "in.ndjson"
    lines = [f'{{"dice": "13356", "x": {x}, "y": {{"z": [{x}]}}}}\n' for x in numbers]
    source.write_text("".join(lines))
    assert score(source, tmp_path / "out.ndjson") == 0
    found = [json.loads(line) for line in (tmp_path / "out.ndjson").read_text().splitlines()]
    assert [row["x"] for row in found] == [json.loads(x) for x in numbers]
    assert [row["y"] for row in found] == [{"z": [json.loads(x)]} for x in numbers]


TYPE = "isn't int64, as the first lines have it"
FLOAT = "doesn't fit a float; write it as text"
NO_NUMBER = "is not a JSON number"
WRONG: list[tuple[str, str, str]] = [
    ('"x": 9223372036854775808', MANY, f", column x: 9223372036854775808 {TYPE}"),
    ('"x": 1.5', MANY, f", column x: 1.5 {TYPE}"),
    ('"x": NaN', MANY, f", column x: NaN {NO_NUMBER}"),
    ('"x": true', MANY, f", column x: true {TYPE}"),
    ('"y": {"z": 1}', MANY, ", column y: it is new; the first lines decide the columns"),
    ('"x": 01', MANY, ": Expecting ',' delimiter, at line 1, column 25"),
    ('"x": 1, "x": 1', MANY, ': the key "x" appears twice in one object'),
    ("]", MANY, ": Expecting property name enclosed in double quotes, at line 1, column 19"),
    ('"x": 9007199254740993', GOOD + FRACTION, f", column x: 9007199254740993 {FLOAT}"),
    ('"x": -9223372036854775809', GOOD, f", column x: -9223372036854775809 {FLOAT}"),
    ('"x": NaN', GOOD, f", column x: NaN {NO_NUMBER}"),
    ('"x": -Infinity', GOOD, f", column x: -Infinity {NO_NUMBER}"),
    ('"y": [{"z": [0.5, NaN]}]', GOOD, f", column y[0].z[1]: NaN {NO_NUMBER}"),
]


@pytest.mark.parametrize(("fields", "before", "why"), WRONG)
def test_what_ndjson_cannot_keep(tmp_path: Path, fields: str, before: str, why: str) -> None:
    """A line that would come out otherwise, or can't be read, is refused with its row in the file
    and the column. Blank lines are no rows.
    """
    source = tmp_path / "in.ndjson"
    source.write_text(f'{before}\n \n{{"dice": "13356", {fields}}}\n{GOOD}')
    said = f"{source} can't be read as NDJSON: row {before.count(chr(10))}{why}"
    assert refusals(source) == [said, said]


@pytest.mark.parametrize(("line", "is_no"), [("[1]", '["1"]'), ('"a"', '"a"')])
def test_lines_that_are_no_object(tmp_path: Path, line: str, is_no: str) -> None:
    """A line that isn't an object is refused with its row in the file."""
    source = tmp_path / "in.ndjson"
    source.write_text(f"{MANY}{line}\n")
    said = f"{source} can't be read as NDJSON: row 20: it must be an object, not {is_no}"
    assert refusals(source) == [said, said]


HALF = FRACTION.rstrip()
ROUNDED = '{"dice": "13356", "x": 9007199254740993}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{HALF}{ROUNDED}\n", "row 0: Extra data, at line 1, column 28"),
        (f"{HALF} \n{HALF} {ROUNDED}\n", "row 1: Extra data, at line 1, column 29"),
        (
            '{"y":\n{"z": 1},\n"dice": "13356"}\n' + FRACTION * 9 + ROUNDED,
            "row 0: Expecting value, at line 1, column 6",
        ),
        (f"{GOOD}\ufeff{GOOD}", "row 1: it begins with a byte order mark"),
        (
            f"{GOOD}[{'1, ' * 2_000_000}1]",
            "row 1: it has more than 4,194,304 bytes, which are read at a time; more --rows read "
            "more",
        ),
    ],
)
def test_lines_that_are_not_one_object(tmp_path: Path, text: str, why: str) -> None:
    """Several objects in a line, or one in several, are refused, as over HTTP: numbers in them
    would be rounded, and rows counted otherwise. So are files that were joined with their marks.
    """
    source = tmp_path / "in.ndjson"
    source.write_text(text)
    said, *_ = refusals(source)
    assert said == f"{source} can't be read as NDJSON: {why}"


def test_braces_in_a_text(tmp_path: Path) -> None:
    """Braces in a text don't begin another object."""
    source = tmp_path / "in.ndjson"
    source.write_text('{"dice": "13356", "x": "} {"}\n' * 2)
    assert in_file(source, "poker-dice") == strengths("poker-dice", [HANDS[0]] * 2)


@pytest.mark.parametrize("behind", ["another stream", "rubbish"])
def test_behind_the_end_of_a_stream(tmp_path: Path, client: FlaskClient, behind: str) -> None:
    """What follows the end of an Arrow stream isn't dropped: the stream is refused everywhere."""
    dice = pa.array([[1, 3, 3, 5, 6]], pa.list_(pa.uint8(), 5))
    body = stream(dice, dice) if behind == "another stream" else stream(dice) + b"rubbish"
    source = tmp_path / "in.arrows"
    source.write_bytes(body)
    assert refusals(source) == [f"{source} can't be read as an Arrow stream: {AFTER_END}"] * 2
    for accepted in (HTTP["Arrow"], HTTP["JSON"]):
        reply = client.post(
            "/v1/variants/poker-dice/batch",
            data=body,
            content_type=HTTP["Arrow"],
            headers={"Accept": accepted},
        )
        said = f"The body is not an Arrow stream of hands: {AFTER_END}."
        assert (reply.status_code, reply.get_json()["detail"]) == (400, said)


@pytest.mark.parametrize("rows", [(2, 2), (2, 5_000), (5_000, 2), (2, 0), (0, 2), (2, 2, 2)])
@pytest.mark.parametrize("suffix", [".arrow", ".parquet", ".parquet with an index"])
def test_joined_files(tmp_path: Path, suffix: str, rows: tuple[int, ...]) -> None:
    """Arrow and Parquet files that were joined, as by `cat`, are refused: readers begin at the last
    footer, whose places are then those of the first file.
    """
    source = tmp_path / f"in{suffix.partition(' ')[0]}"
    joined = b""
    for count in rows:
        table = pa.table({"at": pa.array(range(count)), "dice": pa.array(["13356"] * count)})
        if source.suffix == ".arrow":
            write(source, {name: table[name] for name in table.column_names})
        else:
            pa.parquet.write_table(table, source, write_page_index=suffix != ".parquet")
        assert in_file(source, "poker-dice") == strengths("poker-dice", [HANDS[0]]) * count
        joined += source.read_bytes()
    source.write_bytes(joined)
    (tmp_path / "answers.parquet").unlink()
    form = "an Arrow file" if source.suffix == ".arrow" else "Parquet"
    why = (
        "it holds several files, one after the other, of which only one would be read; score a "
        "folder with all of them instead"
    )
    assert refusals(source) == [f"{source} can't be read as {form}: {why}"] * 2
