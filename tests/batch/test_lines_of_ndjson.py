"""Lines of NDJSON files that would come out otherwise than they came in, or that are no rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.batch.doors import HANDS, in_file, refusals, strengths
from tests.cli.score.scoring import score

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
