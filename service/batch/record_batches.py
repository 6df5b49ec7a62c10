"""Scores a table by the rules of a variant: hands are looked up, layouts are searched for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow.compute import take

from service.batch import BadRows, WrongColumns
from service.batch.dice_columns import COLUMN as DICE
from service.batch.dice_columns import as_text, dice_columns, listed
from service.batch.outcomes import MAX_REPORTED, Outcomes, outcomes_of
from service.batch.plain import is_list, is_text, plain, plain_type
from service.kinds.layout.state import place_json
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation

BadRowPolicy = Literal["fail", "drop", "null"]
"""What becomes of a row without a valid hand: an error, nothing, or answers that are null."""


class Scorer(ABC):
    """Scores tables with the columns of `schema`, of which those with `names` hold the dice.

    The answers have `carried`, the columns of the table, and then those of `answer`. Lists of dice
    become text without `lists`, for a format that has none. `bad_rows` says what becomes of rows
    without a valid hand; `bad` counts those that were dropped or have null as answers. Raises
    `WrongColumns` if a column has the name of an answer.
    """

    one: ClassVar[str] = "hand"
    """What a row holds, in messages."""

    settling: Sequence[str] = ()
    """The columns that decide in the first rows of a table what all its rows must have."""

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
        clash = [field.name for field in schema if field.name in answer.names]
        if clash:
            raise WrongColumns(f"its column {clash[0]} has the name of an answer; rename it")
        self.carried = pa.schema(
            field.with_type(pa.utf8())
            if field.name in names and plain_type(field.type, dice=True).num_fields and not lists
            else field
            for field in schema
        )
        self.schema = pa.schema([*self.carried, *self.answer])

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

    def _scored(
        self, batch: pa.RecordBatch, as_text: Callable[[], pa.Array], answers: Sequence[pa.Array]
    ) -> pa.RecordBatch:
        """The rows of `batch` with `answers`, and `as_text` in place of lists of dice."""
        beside = [
            batch.column(field.name)
            if field.type == self._read.field(field.name).type
            else as_text()
            for field in self.carried
        ]
        return pa.RecordBatch.from_arrays([*beside, *answers], schema=self.schema)

    def _judge(self, good: NDArray[np.bool_], violation: Callable[[int], Violation]) -> int:
        """Counts the rows of a batch, of which some may not be `good`; returns how many those are.

        Raises `BadRows` with the `violation` in each if there are any, unless another policy holds.
        """
        self._seen += len(good)
        count = len(good) - int(np.count_nonzero(good))
        if count and self._bad_rows == "fail":
            bad = np.flatnonzero(~good).tolist()
            first = self._seen - len(good)
            violations = [violation(row).within(first + row) for row in bad[:MAX_REPORTED]]
            raise BadRows(count, self._seen, violations, self.one)
        self.bad += count
        return count


@cache
def answers(outcomes: Outcomes) -> pa.RecordBatch:
    """The rows of the response by the number of the outcome; the first is never used."""
    arrays, fields = [], []
    for column in outcomes.columns:
        values = pa.array(column.values)
        if column.words:
            values = pa.DictionaryArray.from_arrays(values, column.words)
        arrays.append(values)
        fields.append(pa.field(column.name, values.type, nullable=False))
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))


class HandScorer(Scorer):
    """Scores hands by `outcomes`; all of them have as many dice as the first.

    Raises `WrongColumns` if no column holds hands, too.
    """

    def __init__(
        self, schema: pa.Schema, outcomes: Outcomes, *, lists: bool, bad_rows: BadRowPolicy
    ) -> None:
        self._outcomes = outcomes
        self._rows = answers(outcomes)
        self._dice = dice_columns(schema, outcomes)
        self.settling = self._dice.settling
        super().__init__(
            schema, self._rows.schema, self._dice.names, lists=lists, bad_rows=bad_rows
        )

    def settle(self, batch: pa.RecordBatch) -> bool:
        """See `Scorer`."""
        return self._dice.settle(batch)

    def score(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns `batch` with its answers. Raises `BadRows` (see `Scorer`)."""
        hands = self._dice.hands(batch)
        numbers = self._outcomes.of(hands)
        good = numbers != 0
        count = self._judge(good, lambda row: self._dice.violation(batch, row))
        if count and self._bad_rows == "drop":
            batch, hands, numbers = batch.filter(pa.array(good)), hands[good], numbers[good]
            count = 0
        chosen = pa.array(numbers, mask=~good) if count else pa.array(numbers)
        answered = take(self._rows, chosen, boundscheck=False)

        def text() -> pa.Array:
            if not count:
                return as_text(hands, self._outcomes.dice)
            some = np.where(good[:, None], hands, 1).astype(np.uint8)  # null where there is none
            return pc.if_else(pa.array(good), as_text(some, self._outcomes.dice), None)

        return self._scored(batch, text, answered.columns)


COLUMN = "rolls"
"""The name of the column with the turns."""

ANSWER = pa.schema(
    [
        pa.field("points", pa.int32(), nullable=False),
        pa.field("hands", pa.utf8(), nullable=False),
        pa.field("layout", pa.utf8(), nullable=False),
        pa.field("proven", pa.bool_(), nullable=False),
    ]
)


class LayoutScorer(Scorer):
    """Finds the best layout of each turn of `variant` under `rules`.

    The column `rolls` has one to three rolls (R21): lists of lists of faces, or the same as JSON
    text. The answers are the points, the names of the hands and their places, both as JSON text,
    and whether the layout is proven to be the best. `score` takes the places as a layout. A turn
    that doesn't open has 0 points and no hands. Raises `WrongColumns` if there is no such column,
    too.
    """

    one = "turn"

    def __init__(
        self,
        schema: pa.Schema,
        variant: Layout,
        rules: LayoutRules,
        *,
        lists: bool,
        bad_rows: BadRowPolicy,
    ) -> None:
        self._variant, self._rules = variant, rules
        if COLUMN not in schema.names:
            raise WrongColumns(f"it must have a column {COLUMN}; it has {listed(schema.names)}")
        written = schema.field(COLUMN).type
        self._kind = plain_type(written, dice=True)
        if not is_text(self._kind) and not _holds_lists(self._kind):
            raise WrongColumns(
                f"the column {COLUMN} must be JSON text, or lists of lists of text, not {written}"
            )
        super().__init__(schema, ANSWER, [COLUMN], lists=lists, bad_rows=bad_rows)

    def score(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns `batch` with its answers. Raises `BadRows` (see `Scorer`)."""
        turns = plain(batch.column(COLUMN), self._kind).to_pylist()
        found: list[dict[str, Any] | InvalidInput] = [self._found(turn) for turn in turns]
        good = np.array([isinstance(each, dict) for each in found], bool)

        def violation(row: int) -> Violation:
            refused = found[row]
            assert isinstance(refused, InvalidInput)
            first = refused.violations[0]
            return first if first.path[:1] == (COLUMN,) else first.within(COLUMN)

        if self._judge(good, violation) and self._bad_rows == "drop":
            batch = batch.filter(pa.array(good))
            found = [each for each in found if isinstance(each, dict)]
        answered = [each if isinstance(each, dict) else None for each in found]
        columns = [
            pa.array([each and each[field.name] for each in answered], field.type)
            for field in self.answer
        ]
        return self._scored(batch, lambda: _as_json(batch.column(COLUMN)), columns)

    def _found(self, value: object) -> dict[str, Any] | InvalidInput:
        """The answers for a turn, or why it has none."""
        try:
            turn = self._variant.read_rolls(_parsed(value))
            played = self._variant.evaluate(turn, self._rules)
        except InvalidInput as refused:
            return refused
        layout = [{"dice": hand.dice, **place_json(hand)} for hand in played.hands]
        return {
            "points": played.points,
            "hands": orjson.dumps([hand.line.hand.id for hand in played.hands]).decode(),
            "layout": orjson.dumps(layout).decode(),
            "proven": played.proven,
        }


def _parsed(value: object) -> object:
    """The rolls that a cell has. Raises `InvalidInput` for text that isn't JSON, and for null."""
    if value is None:
        raise InvalidInput(Violation((), Breach.NULL()))
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        raise InvalidInput(Violation((), Breach.NOT_JSON_ROLLS())) from None


def _as_json(column: pa.Array) -> pa.Array:
    """Lists as JSON text."""
    texts = [
        None if value is None else orjson.dumps(value).decode() for value in column.to_pylist()
    ]
    return pa.array(texts, pa.utf8())


def _holds_lists(kind: pa.DataType) -> bool:
    """Whether a plain type is lists of lists of text."""
    rolls = is_list(kind) and is_list(kind.value_type)
    return rolls and is_text(kind.value_type.value_type)


def columns_of(variant: Any) -> pa.Schema:
    """Columns that can be scored, for a table that has neither columns nor rows."""
    if isinstance(variant, Layout):
        return pa.schema([(COLUMN, pa.utf8())])
    return pa.schema([(DICE, pa.list_(pa.uint8()))])


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
