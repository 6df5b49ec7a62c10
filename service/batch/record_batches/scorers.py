"""Scores a table by the rules of a variant: hands are looked up, layouts are searched for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow.compute import take

from service.batch.kinds import outcomes_of
from service.batch.outcomes import Column, Hands, Outcomes
from service.batch.record_batches.dice_columns import COLUMN as DICE
from service.batch.record_batches.dice_columns import WrongColumns, as_text, dice_columns, listed
from service.batch.record_batches.plain import is_list, is_text, plain, plain_type
from service.batch.record_batches.scorer import BadRowPolicy, Scorer
from service.kinds.layout.state import place_json
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.violations import InvalidInput, Violation


@cache
def answers(outcomes: Outcomes) -> pa.RecordBatch:
    """The rows of the response by the number of the outcome; the first is never used."""
    return pa.RecordBatch.from_arrays(
        [_array(column) for column in outcomes.columns],
        schema=pa.schema([_field(column) for column in outcomes.columns]),
    )


def _field(column: Column) -> pa.Field:
    """The field of the response that holds `column`."""
    held = pa.from_numpy_dtype(column.values.dtype)
    kind = pa.dictionary(held, pa.utf8()) if column.words else held
    return pa.field(column.name, kind, nullable=False)


def _array(column: Column) -> pa.Array:
    """The values of `column`."""
    values = pa.array(column.values)
    return pa.DictionaryArray.from_arrays(values, column.words) if column.words else values


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
        lists: bool = True,
        bad_rows: BadRowPolicy = "fail",
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

        def reason(row: int) -> str:
            refused = found[row]
            assert isinstance(refused, InvalidInput)
            return _said(refused.violations[0])

        if self._judge(good, reason) and self._bad_rows == "drop":
            batch = batch.filter(pa.array(good))
            found = [each for each in found if isinstance(each, dict)]
        answered = [each if isinstance(each, dict) else None for each in found]
        beside = [
            batch.column(field.name) if self._as_read(field) else _as_json(batch.column(COLUMN))
            for field in self.carried
        ]
        columns = [
            pa.array([each and each[field.name] for each in answered], field.type)
            for field in self.answer
        ]
        return pa.RecordBatch.from_arrays([*beside, *columns], schema=self.schema)

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
        raise InvalidInput(Violation((), "must not be null"))
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        raise InvalidInput(Violation((), 'must be JSON, such as [["As", "Ks"]]')) from None


def _said(violation: Violation) -> str:
    """What is wrong, and where in the cell."""
    path = violation.path[violation.path[:1] == (COLUMN,) :]
    return f"{COLUMN}{''.join(f'[{step}]' for step in path)} {violation.detail}"


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
