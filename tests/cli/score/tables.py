"""Files of hands, written and read by pyarrow alone, and what `evaluate` says of the hands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from service.kinds.community.variant import CommunityRanking, TableHand
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants

Rows = list[dict[str, Any]]


def write(path: Path, columns: Mapping[str, Any]) -> Path:
    """Writes `columns` to a file; the suffix of `path` gives the format."""
    table = pa.table(dict(columns))
    match path.suffix:
        case ".csv":
            lines = [",".join(table.schema.names)]
            lines += [",".join(f'"{v}"' for v in row.values()) for row in table.to_pylist()]
            path.write_text("\n".join(lines) + "\n")
        case ".ndjson" | ".jsonl":
            path.write_text("".join(f"{json.dumps(row)}\n" for row in table.to_pylist()))
        case ".parquet":
            pyarrow.parquet.write_table(table, path)
        case ".arrows":
            with pa.ipc.new_stream(path, table.schema) as stream:
                stream.write_table(table)
        case _:
            with pa.ipc.new_file(path, table.schema) as file:
                file.write_table(table)
    return path


def read(path: Path) -> pa.Table:
    """The table in the file `path`."""
    match path.suffix:
        case ".csv":
            return pyarrow.csv.read_csv(path)
        case ".ndjson" | ".jsonl":
            return pa.Table.from_pylist(
                [json.loads(line) for line in path.read_text().splitlines()]
            )
        case ".parquet":
            return pyarrow.parquet.read_table(path)
        case ".arrows":
            return pa.ipc.open_stream(path.read_bytes()).read_all()
        case _:
            return pa.ipc.open_file(path.read_bytes()).read_all()


def answers(name: str, hands: Sequence[Sequence[int]], **house_rules: Any) -> Rows:
    """What `evaluate` of a variant says of `hands`, as the columns of the command have it."""
    variant = variants()[name]
    rules = variant.house_rules(**house_rules)
    rows: Rows = []
    for hand in hands:
        if isinstance(variant, ScoreCard):
            rows.append(dict(variant.scores(hand, rules)))
            continue
        if isinstance(variant, CommunityRanking):
            shown = variant.evaluate(hand[:2], hand[2:], rules)
            assert isinstance(shown, TableHand)
            found = shown.hand
        else:
            assert isinstance(variant, Ranking)
            found = variant.evaluate(hand, rules)
        rows.append({"rank": found.rank.id, "strength": found.strength})
    return rows
