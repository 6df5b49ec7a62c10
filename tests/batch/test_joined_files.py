"""Files that were joined from several, as by `cat`: none is dropped, or read as another."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from flask.testing import FlaskClient

from service.batch.arrow.messages import AFTER_END
from tests.batch.doors import HANDS, HTTP, in_file, refusals, stream, strengths
from tests.cli.score.tables import write


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
