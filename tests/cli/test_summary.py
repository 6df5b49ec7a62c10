"""The command `summary`: mean, deviation, quantiles and a histogram of a column."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from service.cli.summary import main
from tests.cli.score.tables import write

FEW = """\
rows         10
mean       3.30  standard error 0.66
deviation  2.10

least  1 %  5 %  25 %  median  75 %  95 %  99 %  most
    1    1    1     2       3     4     9     9     9

total  rows    share
    1     1  10.00 %  #################
    2     3  30.00 %  ##################################################
    3     3  30.00 %  ##################################################
    4     2  20.00 %  ##################################
    9     1  10.00 %  #################
"""

TOTALS = [3, 1, 2, 4, 3, 2, 9, 3, 2, 4]


def summary(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The status of the command, and what it prints to both streams."""
    status = main([*map(str, arguments)])
    return status, *capsys.readouterr()


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.ndjson", "a.arrow"])
def test_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """The figures of a file of any format; with few different values, each has its bar.

    By hand: they add up to 33, and their squares to 153; the variance is 15.3 - 3.3 squared.
    """
    write(tmp_path / name, {"total": [4, 1, 2, 4, 3, 2, 9, 3, 2, 3]})
    assert summary(capsys, str(tmp_path / name)) == (0, FEW, "")


def test_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All files of a folder count together, without those of the run itself; so does a glob."""
    (tmp_path / "games" / "_parts").mkdir(parents=True)
    write(tmp_path / "games" / "a.parquet", {"total": TOTALS[:4], "game": [0, 1, 2, 3]})
    write(tmp_path / "games" / "b.csv", {"total": TOTALS[4:]})
    (tmp_path / "games" / "_parts" / "a.parquet.json").write_text("{}")
    assert summary(capsys, str(tmp_path / "games")) == (0, FEW, "")
    assert summary(capsys, str(tmp_path / "g*" / "*")) == (0, FEW, "")


def test_another_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With many different values a bar is a range of 1, 2 or 5 times a power of ten; rows without a
    value are left out.
    """
    values = [*range(-3, 97), None]
    write(tmp_path / "a.parquet", {"sixes": pa.array(values)})
    status, printed, said = summary(capsys, str(tmp_path / "a.parquet"), "--column", "sixes")
    assert (status, said) == (0, "1 row has no value, and none is counted.\n")
    tens = [f"{first} to {first + 9}" for first in range(0, 90, 10)]
    full = [f"{each:>9}    10  10.00 %  {'#' * 50}" for each in tens]
    assert printed.splitlines() == [
        "rows         100",
        "mean       46.50  standard error 2.89",
        "deviation  28.87",
        "",
        "least  1 %  5 %  25 %  median  75 %  95 %  99 %  most",
        "   -3   -3    1    21      46    71    91    95    96",
        "",
        "    sixes  rows    share",
        f"-10 to -1     3   3.00 %  {'#' * 15}",
        *full,
        f" 90 to 99     7   7.00 %  {'#' * 35}",
    ]


def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What can't be summarized is said in a sentence."""
    file = tmp_path / "a.csv"
    write(file, {"total": ["x", "2"]})
    assert summary(capsys, str(file)) == (
        2,
        "",
        f"the column total of {file} must hold whole numbers: Failed to parse string: 'x' as a "
        "scalar of type int64\n",
    )
    assert summary(capsys, str(file), "--column", "sum") == (
        2,
        "",
        f"{file} has no column sum; it has total\n",
    )
    assert summary(capsys, str(tmp_path / "none")) == (2, "", f"{tmp_path}/none is missing\n")
    write(tmp_path / "b.parquet", {"total": pa.array([1.5])})
    assert summary(capsys, str(tmp_path / "b.parquet"))[0] == 2
    write(tmp_path / "c.parquet", {"total": pa.array([None], pa.int64())})
    assert summary(capsys, str(tmp_path / "c.parquet")) == (
        2,
        "",
        f"{tmp_path}/c.parquet has no values in the column total\n",
    )
