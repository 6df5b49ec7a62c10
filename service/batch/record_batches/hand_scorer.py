"""Scores the hands of a table: each is looked up among the outcomes of its variant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow.compute import take

from service.batch.outcomes import Hands, Outcomes
from service.batch.record_batches.answers import answers
from service.batch.record_batches.dice_columns import as_text, dice_columns
from service.batch.record_batches.scorer import BadRowPolicy, Scorer


class HandScorer(Scorer):
    """Scores hands by `outcomes`; all of them have as many dice as the first.

    Raises `WrongColumns` if no column holds hands, too.
    """

    def __init__(
        self,
        schema: pa.Schema,
        outcomes: Outcomes,
        *,
        lists: bool = True,
        bad_rows: BadRowPolicy = "fail",
    ) -> None:
        self._outcomes = outcomes
        self._rows = answers(outcomes)
        self._dice = dice_columns(schema, outcomes)
        super().__init__(
            schema, self._rows.schema, self._dice.names, lists=lists, bad_rows=bad_rows
        )

    @property
    def settling(self) -> Sequence[str]:
        """See `Scorer`."""
        return self._dice.settling

    def settle(self, batch: pa.RecordBatch) -> bool:
        """See `Scorer`."""
        return self._dice.settle(batch)

    def score(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns `batch` with its answers. Raises `BadRows` (see `Scorer`)."""
        hands = self._dice.hands(batch)
        numbers = self._outcomes.of(hands)
        good = numbers != 0
        count = self._judge(good, lambda row: self._dice.reason(batch, row))
        if count and self._bad_rows == "drop":
            batch, hands, numbers = batch.filter(pa.array(good)), hands[good], numbers[good]
            count = 0
        chosen = pa.array(numbers, mask=~good) if count else pa.array(numbers)
        answered = take(self._rows, chosen, boundscheck=False)
        beside = [
            batch.column(field.name)
            if self._as_read(field)
            else self._text(hands, good if count else None)
            for field in self.carried
        ]
        return pa.RecordBatch.from_arrays([*beside, *answered.columns], schema=self.schema)

    def _text(self, hands: Hands, good: NDArray[np.bool_] | None) -> pa.Array:
        """`hands` as text, null for those that aren't `good`."""
        if good is None:
            return as_text(hands, self._outcomes.dice)
        text = as_text(np.where(good[:, None], hands, 1).astype(np.uint8), self._outcomes.dice)
        return pc.if_else(pa.array(good), text, None)
