"""Tables of turns that are laid out: each row has the answers of `evaluate`."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from flask.testing import FlaskClient

from service.batch import BadRows, WrongColumns, score_batches
from service.cli.score import main
from service.variants.roll_a_royal import VARIANT
from tests.cli.score.tables import read, write

Rolls = list[list[str]]

EVALUATE = "/v1/variants/roll-a-royal/evaluate"


def turns(count: int) -> list[Rolls]:
    """Turns of one to three rolls, in which blanks roll again; the same each time."""
    source = Random(7)
    found = []
    for number in range(count):
        rolls = [[source.choice(faces) for faces in VARIANT.dice.dice_set]]
        blank = [die for die, face in enumerate(rolls[0]) if face == "--"]
        while blank and len(rolls) < 1 + number % 3:
            again = [source.choice(VARIANT.dice.dice_set[die]) for die in blank]
            rolls.append(again)
            blank = [die for die, face in zip(blank, again, strict=True) if face == "--"]
        found.append(rolls)
    return found


TURNS = turns(40)
REPEATED = [["As", "As", *["--"] * 11]]


def evaluated(client: FlaskClient, rolls: Rolls, **house_rules: Any) -> dict[str, Any]:
    """The row that `evaluate` gives for a turn."""
    answer: dict[str, Any] = client.post(
        EVALUATE, json={"rolls": rolls, "house_rules": house_rules}
    ).get_json()
    place = ("dice", "direction", "row", "column")
    return {
        "points": answer["points"],
        "hands": [hand["hand"] for hand in answer["hands"]],
        "layout": [{name: hand[name] for name in place} for hand in answer["hands"]],
        "proven": answer["proven"],
    }


def parsed(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose answers in JSON are parsed."""
    return row | {name: json.loads(row[name]) for name in ("hands", "layout")}


@pytest.mark.parametrize("written", [lambda rolls: rolls, json.dumps], ids=["lists", "JSON"])
@pytest.mark.parametrize("house_rules", [{}, {"layout": "connected"}, {"max_uses": 4}], ids=str)
def test_as_evaluate(client: FlaskClient, written: Any, house_rules: dict[str, Any]) -> None:
    """Each row comes back with its own columns, and then the answers of `evaluate`."""
    rows = [{"game": at, "rolls": written(rolls)} for at, rolls in enumerate(TURNS)]
    batches = [pa.RecordBatch.from_pylist(part) for part in (rows[:25], rows[25:])]
    scored = list(score_batches("roll-a-royal", batches, **house_rules))
    assert [each.num_rows for each in scored] == [25, 15]
    assert [parsed(row) for each in scored for row in each.to_pylist()] == [
        row | evaluated(client, rolls, **house_rules)
        for row, rolls in zip(rows, TURNS, strict=True)
    ]


def test_layouts_can_be_scored(client: FlaskClient) -> None:
    """A layout in the answers is one that `score` takes, and has the points of the answers."""
    batch = pa.RecordBatch.from_pylist([{"rolls": rolls} for rolls in TURNS])
    (scored,) = score_batches("roll-a-royal", [batch])
    for row in scored.to_pylist():
        if row["points"]:
            body = {"rolls": row["rolls"], "layout": json.loads(row["layout"])}
            own = client.post("/v1/variants/roll-a-royal/score", json=body).get_json()
            assert "points" in own, own
            assert own["points"] == row["points"]


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (None, "rolls must not be null"),
        ("[[", 'rolls must be JSON, such as [["As", "Ks"]]'),
        ('["As"]', "rolls[0] must be a list of faces"),
        (json.dumps([["Xx", *["--"] * 12]]), "rolls[0][0]"),
        (json.dumps(REPEATED), "rolls[0][0] shows As, and so does /rolls/0/1"),
    ],
)
def test_bad_rows(cell: str | None, reason: str) -> None:
    """A row without a valid turn is named, with what is wrong and where."""
    good = json.dumps(TURNS[0])
    batch = pa.RecordBatch.from_pydict({"rolls": pa.array([good, good, cell], pa.utf8())})
    with pytest.raises(BadRows) as refused:
        list(score_batches("roll-a-royal", [batch]))
    assert (refused.value.count, refused.value.seen) == (1, 3)
    ((row, said),) = refused.value.reasons
    assert row == 2
    assert said.startswith(reason)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"dice": ["13356"]}, "it must have a column rolls; it has dice"),
        (
            {"rolls": [1]},
            "the column rolls must be JSON text, or lists of lists of text, not int64",
        ),
        (
            {"rolls": [[[b"As"]]]},
            "the column rolls must be JSON text, or lists of lists of text, not list<",
        ),
        ({"rolls": ["[]"], "points": [1]}, "its column points has the name of an answer"),
    ],
)
def test_wrong_columns(columns: dict[str, Any], message: str) -> None:
    """A table without turns, or with a column that has the name of an answer, is refused."""
    with pytest.raises(WrongColumns, match=f"^{message.replace('[', '.')}"):
        list(score_batches("roll-a-royal", [pa.RecordBatch.from_pydict(columns)]))


def test_row_groups(tmp_path: Path) -> None:
    """Turns are scored in small pieces, which don't become small row groups of Parquet."""
    write(tmp_path / "in.parquet", {"rolls": [[["As"]]] * 1_100})
    arguments = [str(tmp_path / "in.parquet"), "-o", str(tmp_path / "out.parquet")]
    assert main([*arguments, "--variant", "roll-a-royal", "--bad-rows", "null"]) == 0
    file = pyarrow.parquet.ParquetFile(tmp_path / "out.parquet")
    assert (file.num_row_groups, file.metadata.num_rows) == (1, 1_100)


@pytest.mark.parametrize("suffix", [".ndjson", ".parquet"])
def test_an_empty_file(tmp_path: Path, suffix: str) -> None:
    """An empty NDJSON file names no columns: the output has the one of turns, and the answers."""
    (tmp_path / "in.ndjson").touch()
    target = tmp_path / f"out{suffix}"
    assert main([str(tmp_path / "in.ndjson"), "-o", str(target), "--variant", "roll-a-royal"]) == 0
    found = read(target)
    columns = ["rolls", "points", "hands", "layout", "proven"]
    assert (found.num_rows, found.schema.names) == (0, [] if suffix == ".ndjson" else columns)


@pytest.mark.parametrize(
    ("source", "target"), [("in.ndjson", "out.csv"), ("in.parquet", "out.parquet")]
)
def test_files(client: FlaskClient, tmp_path: Path, source: str, target: str) -> None:
    """The command scores a file of turns. In CSV, which has no lists, turns become JSON text; a bad
    row has no answers, if that is wanted.
    """
    given = [*TURNS[:3], REPEATED, []]
    write(tmp_path / source, {"rolls": given})
    arguments = [str(tmp_path / source), "-o", str(tmp_path / target)]
    assert main([*arguments, "--variant", "roll-a-royal", "--bad-rows", "null"]) == 0
    rows = read(tmp_path / target).to_pylist()
    found = [
        row["rolls"] if isinstance(row["rolls"], list) else json.loads(row["rolls"]) for row in rows
    ]
    assert found == given
    for row, rolls in zip(rows[:3], TURNS, strict=False):
        assert parsed(row) | {"rolls": rolls} == {"rolls": rolls} | evaluated(client, rolls)
    assert (rows[3]["points"], rows[3]["proven"]) == (None, None)
