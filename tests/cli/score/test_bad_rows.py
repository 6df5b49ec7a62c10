"""`--bad-rows`: what becomes of rows without a valid hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.score.scoring import Printed, score
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
