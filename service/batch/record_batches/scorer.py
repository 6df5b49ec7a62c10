"""Scores the hands of a table, batch by batch."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from pyarrow.compute import take

from service.batch.outcomes import MAX_REPORTED, Outcomes
from service.batch.record_batches.answers import answers
from service.batch.record_batches.dice_columns import WrongColumns, as_text, dice_columns


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
    become text without `lists`, for a format that has none. Raises `WrongColumns` if no column
    holds hands, or if one has the name of an answer.
    """

    def __init__(self, schema: pa.Schema, outcomes: Outcomes, *, lists: bool = True) -> None:
        self._outcomes = outcomes
        self._rows = answers(outcomes)
        self._dice = dice_columns(schema, outcomes)
        self._read, self._seen = schema, 0
        self.answer: pa.Schema = self._rows.schema
        self.carried = self._carried(lists=lists)
        self.schema = pa.schema([*self.carried, *self.answer])

    def score(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns `batch` with its answers. Raises `BadRows` if a hand is invalid."""
        hands = self._dice.hands(batch)
        numbers = self._outcomes.of(hands)
        self._seen += len(batch)
        if not numbers.all():
            raise self._bad_rows(batch, np.flatnonzero(numbers == 0).tolist())
        answered = take(self._rows, pa.array(numbers), boundscheck=False)
        beside = [
            batch.column(field.name)
            if field.type == self._read.field(field.name).type
            else as_text(hands, self._outcomes.dice)
            for field in self.carried
        ]
        return pa.RecordBatch.from_arrays([*beside, *answered.columns], schema=self.schema)

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

    def _bad_rows(self, batch: pa.RecordBatch, bad: list[int]) -> BadRows:
        """The error for the rows `bad` of `batch`."""
        first = self._seen - len(batch)
        reasons = [(first + row, self._dice.reason(batch, row)) for row in bad[:MAX_REPORTED]]
        return BadRows(len(bad), self._seen, reasons)
