"""Scores tables: Arrow record batches in and out, one at a time.

pyarrow, which is an optional part, is imported only when something is scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from service.batch.kinds import table_game

if TYPE_CHECKING:
    import pyarrow as pa


def score_batches(
    variant: str, batches: Iterable[pa.RecordBatch], **house_rules: Any
) -> Iterator[pa.RecordBatch]:
    """Scores `batches` by the rules of `variant`, such as `dice-poker` or `poker-dice`.

    All batches have the same columns. Their hands are in a column `dice`, as text or lists of dice,
    or in columns `die_1`, `die_2` and so on; all have as many dice as the first. Yields each batch
    with its own columns and then `rank` and `strength`, or a column for each box of the score card.
    A game of layouts, such as `roll-a-royal`, has its turns in a column `rolls` instead, as lists
    of lists of faces or as JSON text, and the answers `points`, `hands`, `layout` and `proven`.
    Only one batch is held at a time. Views and run ends come out as what they stand for.

    Raises `ValueError` for a variant that isn't scored in tables, and `InvalidInput` naming all
    invalid house rules. Iterating raises `WrongColumns` if no column holds hands, two have one name
    or the columns change, and `BadRows` naming up to 100 rows of a batch without a valid hand. All
    three are kinds of `ValueError`.
    """
    return _scored(*table_game(variant, house_rules), batches)


def _scored(
    variant: Any, rules: Any, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    from service.batch.record_batches.dice_columns import WrongColumns
    from service.batch.record_batches.plain import plain_batch, plain_schema
    from service.batch.record_batches.scorers import scorer_of

    scorer = None
    for batch in batches:
        if scorer is None:
            columns, plain = batch.schema, plain_schema(batch.schema)
            twice = [name for name, count in Counter(columns.names).items() if count > 1]
            if twice:
                raise WrongColumns(f"it has two columns {twice[0]!r}")
            scorer = scorer_of(variant, rules, plain)
        elif not batch.schema.equals(columns):
            raise WrongColumns(f"its columns change, from {columns.names} to {batch.schema.names}")
        yield scorer.score(batch if plain is columns else plain_batch(batch, plain))
