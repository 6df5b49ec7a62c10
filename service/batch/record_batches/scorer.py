"""Scores a table, batch by batch: what all scorers have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from service.batch.outcomes import MAX_REPORTED
from service.batch.record_batches.dice_columns import WrongColumns
from service.batch.record_batches.plain import plain_type

BadRowPolicy = Literal["fail", "drop", "null"]
"""What becomes of a row without a valid hand: an error, nothing, or answers that are null."""


class BadRows(ValueError):
    """Rows without a valid hand: how many there are in a batch, and what is wrong with the first.

    `reasons` has the number of each row, counted from 0 over all batches, and what is wrong there.
    `seen` is how many rows there are up to the end of the batch. A row should have held `one`.
    """

    def __init__(self, count: int, seen: int, reasons: list[tuple[int, str]], one: str) -> None:
        self.count, self.seen, self.reasons, self.one = count, seen, reasons, one
        row, reason = reasons[0]
        super().__init__(
            f"{count} of the first {seen} rows (row 0 is the first) have no valid {one}; "
            f"row {row}: {reason}"
        )


class Scorer(ABC):
    """Scores tables with the columns of `schema`, of which those with `names` hold the dice.

    The answers have `carried`, the columns of the table, and then those of `answer`. Lists of dice
    become text without `lists`, for a format that has none. `bad_rows` says what becomes of rows
    without a valid hand; `bad` counts those that were dropped or have null as answers. Raises
    `WrongColumns` if a column has the name of an answer.
    """

    one: ClassVar[str] = "hand"
    """What a row holds, in messages."""

    def __init__(
        self,
        schema: pa.Schema,
        answer: pa.Schema,
        names: Collection[str],
        *,
        lists: bool,
        bad_rows: BadRowPolicy,
    ) -> None:
        self._bad_rows = bad_rows
        self._read, self._seen, self.bad = schema, 0, 0
        self.answer = answer
        if bad_rows == "null":
            self.answer = pa.schema([field.with_nullable(True) for field in answer])
        self.carried = self._carried(names, lists=lists)
        self.schema = pa.schema([*self.carried, *self.answer])

    @property
    def settling(self) -> Sequence[str]:
        """The columns that decide in the first rows of a table what all its rows must have."""
        return ()

    def settle(self, _: pa.RecordBatch) -> bool:
        """Takes from the columns `settling` of an earlier batch what all rows must have, such as
        the number of dice. Returns whether nothing is left to take from further ones.
        """
        return True

    @abstractmethod
    def score(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns `batch` with its answers.

        Raises `BadRows` if a row has no valid hand, unless such rows are dropped or answered with
        null.
        """

    def _carried(self, names: Collection[str], *, lists: bool) -> pa.Schema:
        """The columns of the table as they stand beside the answers."""
        clash = [field.name for field in self._read if field.name in self.answer.names]
        if clash:
            raise WrongColumns(f"its column {clash[0]} has the name of an answer; rename it")
        return pa.schema(
            field.with_type(pa.utf8())
            if field.name in names and plain_type(field.type, dice=True).num_fields and not lists
            else field
            for field in self._read
        )

    def _as_read(self, field: pa.Field) -> bool:
        """Whether a column that is carried is the one of the table, not text in place of lists."""
        return bool(field.type == self._read.field(field.name).type)

    def _judge(self, good: NDArray[np.bool_], reason: Callable[[int], str]) -> int:
        """Counts the rows of a batch, of which some may not be `good`; returns how many those are.

        Raises `BadRows` with the `reason` of each if there are any, unless another policy holds.
        """
        self._seen += len(good)
        count = len(good) - int(np.count_nonzero(good))
        if count and self._bad_rows == "fail":
            bad = np.flatnonzero(~good).tolist()
            first = self._seen - len(good)
            reasons = [(first + row, reason(row)) for row in bad[:MAX_REPORTED]]
            raise BadRows(count, self._seen, reasons, self.one)
        self.bad += count
        return count
