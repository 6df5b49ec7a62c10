"""Rows without a valid hand: how they are reported, and what `--bad-rows` makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.cli.score.scoring import OUTPUT, Printed, refused, score
from tests.cli.score.tables import answers, read, write

MIXED = [[1, 3, 3, 5, 6], [1, 2, 3, 4, 7], None, [5, 5, 5, 2, 2], [1, 2, 3]]
VALID = [[1, 3, 3, 5, 6], [5, 5, 5, 2, 2]]
NOTHING = {"rank": None, "strength": None}


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".ndjson"])
def test_dropped(tmp_path: Path, capfd: Printed, suffix: str) -> None:
    """With drop, the output has the rows with valid hands in their order, and counts the others."""
    source = write(tmp_path / "in.parquet", {"at": list(range(5)), "dice": MIXED})
    target = tmp_path / f"out{suffix}"
    assert score(source, target, "poker-dice", "--bad-rows", "drop", "--rows", "2") == 0
    assert read(target).to_pylist() == [
        {"at": at, "dice": dice, **answer}
        for at, dice, answer in zip([0, 3], VALID, answers("poker-dice", VALID), strict=True)
    ]
    said = f"2 hands scored, in {target}; 3 rows without a valid hand were dropped\n"
    assert capfd.readouterr() == ("", said)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".ndjson"])
def test_answered_with_null(tmp_path: Path, capfd: Printed, suffix: str) -> None:
    """With null, the output has every row; the answers to an invalid hand are null."""
    source = write(tmp_path / "in.parquet", {"dice": MIXED})
    target = tmp_path / f"out{suffix}"
    assert score(source, target, "poker-dice", "--bad-rows", "null") == 0
    first, second = answers("poker-dice", VALID)
    found = [first, NOTHING, NOTHING, second, NOTHING]
    assert read(target).to_pylist() == [
        {"dice": dice, **answer} for dice, answer in zip(MIXED, found, strict=True)
    ]
    said = f"2 hands scored, in {target}; 3 rows without a valid hand were answered with null\n"
    assert capfd.readouterr() == ("", said)


def test_null_in_csv(tmp_path: Path) -> None:
    """Lists become text in CSV, and an invalid hand becomes an empty value beside empty answers."""
    source = write(tmp_path / "in.parquet", {"dice": MIXED[:2]})
    assert score(source, tmp_path / "out.csv", "poker-dice", "--bad-rows", "null") == 0
    text = (tmp_path / "out.csv").read_text()
    assert text == '"dice","rank","strength"\n"13356","no_combination",66\n,,\n'


def test_no_valid_hand(tmp_path: Path) -> None:
    """A file without a valid hand has no rows left, with the right columns."""
    source = write(tmp_path / "in.parquet", {"dice": [[7] * 5, None]})
    target = tmp_path / "out.parquet"
    assert score(source, target, "poker-dice", "--bad-rows", "drop") == 0
    found = read(target)
    assert (found.schema.names, found.num_rows) == (["dice", "rank", "strength"], 0)


BAD_ROWS: list[tuple[str, Any, str, list[str]]] = [
    (
        "poker-dice",
        pa.array([[1, 2, 3, 4, 7], None, [1, 2, 3], [1, 2, None, 4, 5], [-1, 256, 1, 1, 1]]),
        "5 of the first 5",
        [
            "row 0: dice[4] must be between 1 and 6",
            "row 1: dice must not be null",
            "row 2: dice must hold 5 dice, not 3",
            "row 3: dice[2] must be a whole number between 1 and 6",
            "row 4: dice[0] must be between 1 and 6",
        ],
    ),
    (
        "dice-poker",
        pa.array(["12345", "1234", None, "1, 2, 3, 4, x", "1234\u00e9", "", "66666"]),
        "5 of the first 7",
        [
            "row 1: dice must hold 5 dice, not 4",
            "row 2: dice must not be null",
            "row 3: dice[4] must be a whole number between 1 and 6",
            "row 4: dice[4] must be a whole number between 1 and 6",
            "row 5: dice must hold 5 dice, not 0",
        ],
    ),
    (
        "texas-holdem-dice",
        pa.array(["1r2r3r4r5r6b", "1r2r3r4r5r", "1r1r1r1r1r1r", "1r2r3r4r5r6g", "1r2"]),
        "4 of the first 5",
        [
            "row 1: dice must hold 6 dice, like the hands before, not 5",
            "row 2: dice[5] is red die number 6 on this table; the set has 5 (H24)",
            "row 3: dice[5] must be a number from 1 to 6 and a suit letter (r, b, w, y), "
            "such as 6r",
            "row 4: dice must be dice such as 1r2r3r4r5r, not '1r2'",
        ],
    ),
    (
        "texas-holdem-dice",
        pa.array([[0, 1, 2, 3, 24], [0, 0, 0, 0, 0], [1, 2, 3]]),
        "2 of the first 3",
        [
            "row 0: dice[4] must be the code of a die, from 0 to 23",
            "row 2: dice must hold 5, 6 or 7 dice, not 3",
        ],
    ),
]


@pytest.mark.parametrize(("variant", "dice", "count", "lines"), BAD_ROWS)
def test_bad_rows(
    capfd: Printed, tmp_path: Path, variant: str, dice: pa.Array, count: str, lines: list[str]
) -> None:
    """Invalid rows are reported with what is wrong with them, and nothing is written."""
    source = write(tmp_path / "in.arrow", {"dice": dice})
    head = (
        f"{source} can't be scored: {count} rows (row 0 is the first) have no valid hand; "
        "nothing was written"
    )
    said = "\n".join([head, *(f"  {line}" for line in lines)])
    refused(capfd, source, tmp_path / OUTPUT, said, variant=variant)


def test_bad_rows_by_die(capfd: Printed, tmp_path: Path) -> None:
    """With one column for each die, the error names the column."""
    columns = {f"die_{place}": ["1", "2"] for place in range(1, 5)} | {"die_5": ["6", "seven"]}
    source = write(tmp_path / "in.csv", columns)
    said = (
        f"{source} can't be scored: 1 of the first 2 rows (row 0 is the first) has no valid hand; "
        "nothing was written\n  row 1: die_5 must be a whole number between 1 and 6"
    )
    refused(capfd, source, tmp_path / OUTPUT, said)


def test_many_bad_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error names a hundred bad rows, numbered across pieces; an existing file stays."""
    rolls = np.ones((1000, 5), np.uint8)
    rolls[250:, 2] = 0
    source = write(tmp_path / "in.arrow", {"dice": list(rolls)})
    target = tmp_path / OUTPUT
    target.write_text("before")
    assert score(source, target, "poker-dice", "--rows", "200") == 2
    head, *rows, last = capsys.readouterr().err.splitlines()
    assert head.startswith(f"{source} can't be scored: 150 of the first 400 rows (row 0 ")
    assert rows == [f"  row {row}: dice[2] must be between 1 and 6" for row in range(250, 350)]
    assert last == "  and 50 more"
    assert target.read_text() == "before"
    assert set(tmp_path.iterdir()) == {source, target}


@pytest.mark.parametrize(
    ("rolls", "count", "more"),
    [(["13357"], 1, ""), (["13357", "13356"], 1, ", and later rows weren't checked")],
)
def test_later_rows(
    capfd: Printed, tmp_path: Path, rolls: list[str], count: int, more: str
) -> None:
    """The error says that later rows weren't checked if there are any."""
    source = write(tmp_path / "in.arrow", {"dice": rolls})
    said = (
        f"{source} can't be scored: {count} of the first 1 rows (row 0 is the first) has no valid "
        f"hand; nothing was written{more}\n  row 0: dice[4] must be a whole number between 1 and 6"
    )
    refused(capfd, source, tmp_path / OUTPUT, said, "--rows", "1")


def test_turns(capfd: Printed, tmp_path: Path) -> None:
    """What a row of Roll-a-royal holds is called a turn."""
    source = write(tmp_path / "in.ndjson", {"rolls": ["[]"]})
    assert score(source, tmp_path / OUTPUT, "roll-a-royal") == 2
    assert "has no valid turn; nothing was written\n" in capfd.readouterr().err
    assert score(source, tmp_path / OUTPUT, "roll-a-royal", "--bad-rows", "null") == 0
    said = (
        f"0 turns scored, in {tmp_path / OUTPUT}; 1 row without a valid turn was answered with null"
    )
    assert capfd.readouterr().err == f"{said}\n"
