"""The scorer of a variant, whatever its kind."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from service.batch.kinds.registry import outcomes_of
from service.batch.record_batches import dice_columns, layout_scorer
from service.batch.record_batches.hand_scorer import HandScorer
from service.batch.record_batches.layout_scorer import LayoutScorer
from service.batch.record_batches.scorer import BadRowPolicy, Scorer
from service.kinds.layout.variant import Layout


def columns_of(variant: Any) -> pa.Schema:
    """Columns that can be scored, for a table that has neither columns nor rows."""
    if isinstance(variant, Layout):
        return pa.schema([(layout_scorer.COLUMN, pa.utf8())])
    return pa.schema([(dice_columns.COLUMN, pa.list_(pa.uint8()))])


def scorer_of(
    variant: Any,
    rules: Any,
    schema: pa.Schema,
    *,
    lists: bool = True,
    bad_rows: BadRowPolicy = "fail",
) -> Scorer:
    """A scorer of tables with the columns of `schema` (see `Scorer`).

    Raises `WrongColumns` if these can't be scored, and `ValueError` for a variant without answers
    in tables.
    """
    if isinstance(variant, Layout):
        return LayoutScorer(schema, variant, rules, lists=lists, bad_rows=bad_rows)
    return HandScorer(schema, outcomes_of(variant, rules), lists=lists, bad_rows=bad_rows)
