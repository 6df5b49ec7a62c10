"""What `dice-scoring score` prints of files: nothing raw, and each violation in its own
line.
"""

from __future__ import annotations

from pathlib import Path

from tests.cli.score.scoring import OUTPUT, TEXT, Printed, refused, score
from tests.cli.score.tables import write

HOSTILE = "\x1b]0;x\x07\x9b2J\u202e\n  row 7: \u2028"

ESCAPED = r"\x1b]0;x\x07\x9b2J\u202e\n  row 7: \u2028"


def test_names_of_columns(tmp_path: Path, capfd: Printed) -> None:
    """The names of columns are escaped."""
    source = write(tmp_path / "in.parquet", {HOSTILE: TEXT})
    refused(
        capfd,
        source,
        tmp_path / OUTPUT,
        f"{source} can't be scored: it must have a column dice, or die_1 to die_5; it has "
        f"'{ESCAPED}'",
    )


def test_paths(tmp_path: Path, capfd: Printed) -> None:
    """The paths of files are escaped, and a list of bad rows still has a line for each."""
    source = write(tmp_path / "in\x1b[2J.csv", {"dice": ["12345", "12347", "1234"]})
    head = (
        rf"{tmp_path}/in\x1b[2J.csv can't be scored: 2 of the first 3 rows (row 0 is the first) "
        "have no valid hand; nothing was written"
    )
    rows = (
        "  row 1: dice[4] must be a whole number between 1 and 6\n"
        "  row 2: dice must hold 5 dice, not 4"
    )
    refused(capfd, source, tmp_path / OUTPUT, f"{head}\n{rows}")
    good = write(tmp_path / "in.csv", {"dice": TEXT})
    assert score(good, tmp_path / "out\x1b[2J.csv") == 0
    assert capfd.readouterr().err == f"5 hands scored, in {tmp_path}" + r"/out\x1b[2J.csv" + "\n"


def test_what_formats_say(tmp_path: Path, capfd: Printed) -> None:
    """Error messages of a format about a broken file are escaped, contents included."""
    source = tmp_path / "in.csv"
    source.write_bytes(b"dice,\x1b[2J\n12345,b\xe9n\n")
    said = r"row 0, column \x1b[2J: it isn't UTF-8"
    refused(capfd, source, tmp_path / OUTPUT, f"{source} can't be read as CSV: {said}")
