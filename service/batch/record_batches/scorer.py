"""Scores the hands of a table, batch by batch."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow.compute import take

from service.batch.outcomes import MAX_REPORTED, Hands, Outcomes
from service.batch.record_batches.answers import answers
from service.batch.record_batches.dice_columns import WrongColumns, as_text, dice_columns

BadRowPolicy = Literal["fail", "drop", "null"]
"""What becomes of a row without a valid hand: an error, nothing, or answers that are null."""


class BadRows(ValueError):
    """Rows without a valid hand: how many there are in a batch, and what is wrong with the first.

    `reasons` has the number of each row, counted from 0 over all batches, and what is wrong there.
    `seen` is how many rows there are up to the end of the batch.
    """

    def __init__(self, count: int, seen: int, reasons: list[tuple[int, str]]) -> None:
        self.count, self.seen, self.reasons = count, seen, reasons
        row, reason = reasons[0]
        super().__init__(
            f"{count} of the first {seen} rows (row 0 is the first) have no valid hand; "
            f"row {row}: {reason}"
        )


class Scorer:
    """Scores tables with the columns of `schema`; all hands have as many dice as the first.

    The answers have `carried`, the columns of the table, and then those of `answer`. Lists of dice
    become text without `lists`, for a format that has none. `bad_rows` says what becomes of rows
    without a valid hand; `bad` counts those that were dropped or have null as answers. Raises
    `WrongColumns` if no column holds hands, or if one has the name of an answer.
    """

    def __init__(
        self,
        schema: pa.Schema,
        outcomes: Outcomes,
        *,
        lists: bool = True,
        bad_rows: BadRowPolicy = "fail",
    ) -> None:
        self._outcomes, self._bad_rows = outcomes, bad_rows
        self._rows = answers(outcomes)
        self._dice = dice_columns(schema, outcomes)
        self._read, self._seen, self.bad = schema, 0, 0
        self.answer: pa.Schema = self._rows.schema
        if bad_rows == "null":
            self.answer = pa.schema([field.with_nullable(True) for field in self.answer])
        self.carried = self._carried(lists=lists)
        self.schema = pa.schema([*self.carried, *self.answer])

    def score(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns `batch` with its answers.

        Raises `BadRows` if a hand is invalid, unless such rows
        are dropped or answered with null.
        """
        hands = self._dice.hands(batch)
        numbers = self._outcomes.of(hands)
        self._seen += len(batch)
        good = numbers != 0
        count = len(batch) - int(np.count_nonzero(good))
        if count and self._bad_rows == "fail":
            raise self._refusal(batch, np.flatnonzero(~good).tolist())
        self.bad += count
        if count and self._bad_rows == "drop":
            batch, hands, numbers = batch.filter(pa.array(good)), hands[good], numbers[good]
            count = 0
        chosen = pa.array(numbers, mask=~good) if count else pa.array(numbers)
        answered = take(self._rows, chosen, boundscheck=False)
        beside = [
            batch.column(field.name)
            if field.type == self._read.field(field.name).type
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

    def _carried(self, *, lists: bool) -> pa.Schema:
        """The columns of the table as they stand beside the answers."""
        clash = [field.name for field in self._read if field.name in self.answer.names]
        if clash:
            raise WrongColumns(f"its column {clash[0]} has the name of an answer; rename it")
        return pa.schema(
            field.with_type(pa.utf8())
            if field.name in self._dice.names and field.type.num_fields and not lists
            else field
            for field in self._read
        )

    def _refusal(self, batch: pa.RecordBatch, bad: list[int]) -> BadRows:
        """The error for the rows `bad` of `batch`."""
        first = self._seen - len(batch)
        reasons = [(first + row, self._dice.reason(batch, row)) for row in bad[:MAX_REPORTED]]
        return BadRows(len(bad), self._seen, reasons)
