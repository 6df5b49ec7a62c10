"""The doors that hands go through: a file, a part of a folder, `score_batches`, and batches over
HTTP in every media type.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from flask.testing import FlaskClient

from service.batch import BadRows, score_batches
from service.cli.command import CommandError
from service.cli.folders.output import Note
from tests.cli.score.scoring import score
from tests.cli.score.tables import answers, read
from tests.cluster.one_process import job, made

Found = list[int | None]
"""The strength of each hand, or the points of each turn; None where there is no valid one."""

HTTP = {
    "JSON": "application/json",
    "NDJSON": "application/x-ndjson",
    "Arrow": "application/vnd.apache.arrow.stream",
}

HANDS: list[Any] = [[1, 3, 3, 5, 6], None, [5, 5, 5, 2, 2], [6, 6, 6, 6, 6]]


def in_file(source: Path, variant: str) -> Found:
    """What the command finds in a file."""
    target = source.with_name("answers.parquet")
    assert score(source, target, variant, "--bad-rows", "null") == 0
    return found_in(read(target))


def found_in(table: pa.Table | pa.RecordBatch) -> Found:
    """The strengths or points in a table."""
    name = "points" if "points" in table.schema.names else "strength"
    found: Found = table.column(name).to_pylist()
    return found


def in_part(source: Path, variant: str) -> Found:
    """What a worker finds in a part of a folder."""
    asked = job(
        source.parent, source.parent / "scores", variant, bad_rows="null", part_rows=1 << 20
    )
    (note,) = made(asked, source.name)
    assert isinstance(note, Note), note
    return found_in(read(source.parent / "scores" / source.name))


def in_batches(array: pa.Array, variant: str, column: str = "dice") -> Found:
    """What `score_batches` finds, row by row: it refuses a batch with an invalid hand."""
    found: Found = []
    for row in range(len(array)):
        batch = pa.RecordBatch.from_arrays([array[row : row + 1]], names=[column])
        try:
            (scored,) = score_batches(variant, [batch])
        except BadRows:
            found.append(None)
        else:
            found += found_in(scored)
    return found


def over_http(client: FlaskClient, variant: str, media: str, hand: Any) -> int | None:
    """The strength of a hand that is sent on its own."""
    body = {
        "JSON": lambda: json.dumps({"hands": [hand]}).encode(),
        "NDJSON": lambda: json.dumps({"dice": hand}).encode(),
        "Arrow": lambda: stream(pa.array([hand], pa.list_(pa.uint8(), len(hand or [0] * 5)))),
    }[media]()
    reply = client.post(
        f"/v1/variants/{variant}/batch",
        data=body,
        content_type=HTTP[media],
        headers={"Accept": HTTP["NDJSON" if media == "NDJSON" else "JSON"]},
    )
    answer = json.loads(reply.data)
    if answer.get("status", 200) == 200:
        strength = answer["strength"]
        return int(strength if media == "NDJSON" else strength[0])
    assert answer["status"] == 422, answer
    return None


def stream(*columns: pa.Array) -> bytes:
    """Arrow streams, one after the other, each with a column `dice`."""
    sink = pa.BufferOutputStream()
    for column in columns:
        batch = pa.RecordBatch.from_arrays([column], names=["dice"])
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
    body: bytes = sink.getvalue().to_pybytes()
    return body


def strengths(variant: str, hands: list[Any]) -> Found:
    """What `evaluate` says."""
    return [hand and answers(variant, [hand])[0]["strength"] for hand in hands]


def refusals(source: Path, variant: str = "poker-dice", part_rows: int = 1 << 20) -> list[str]:
    """What the command, and a worker for the last part of a folder, say of a file with errors."""
    said = []
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("service.cli.command.say", lambda line, _: lines.append(line))
        assert score(source, source.with_name("out.arrows"), variant) == 2
        said.append("\n".join(lines))
    assert not source.with_name("out.arrows").exists()
    asked = job(source.parent, source.parent / "scores", variant, part_rows=part_rows)
    *_, refused = made(asked, source.name)
    assert isinstance(refused, CommandError)
    return [*said, "\n".join(refused.lines)]
