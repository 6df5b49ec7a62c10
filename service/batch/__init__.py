"""Many hands at once, in NumPy arrays or Arrow record batches.

    >>> from service.batch import rank_hands, score_rolls
    >>> rank_hands("poker-dice", [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]]).ranks()
    ['small_straight', 'full_house']
    >>> score_rolls("dice-poker", [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]])["full_house"]
    array([ 0, 25], dtype=int16)

`score_batches` does the same for Arrow record batches, as engines such as Spark and Ray hand them
out. The results are those of `evaluate`; they come from the same tables. The games are imported
when something is scored, so that importing this module takes little longer than NumPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from service.batch.errors import BadRows, WrongColumns
from service.rules.sentences import any_of
from service.rules.violations import InvalidInput, Violation

if TYPE_CHECKING:
    import pyarrow as pa

    from service.batch.outcomes import Hands, Outcomes

__all__ = [
    "BadRows",
    "InvalidInput",
    "Ranked",
    "WrongColumns",
    "rank_hands",
    "score_batches",
    "score_rolls",
]


@dataclass(frozen=True, eq=False)
class Ranked:
    """The rank and the strength of each hand.

    `rank` is an array of positions in `words`, int8 for up to 128 ranks and otherwise int16.
    `strength` is an int32 array. A stronger hand has a greater strength; equal hands have the same.
    """

    words: tuple[str, ...]
    rank: NDArray[np.int8 | np.int16]
    strength: NDArray[np.int32]

    def ranks(self) -> list[str]:
        """The rank of each hand by its name."""
        return [self.words[place] for place in self.rank]


def rank_hands(variant: str, hands: ArrayLike, **house_rules: Any) -> Ranked:
    """Ranks `hands` by the rules of `variant`, such as `poker-dice` or `texas-holdem-dice`.

    `hands` is an array of whole numbers of shape (hands, dice): numbers from 1 to 6, or for suited
    dice, five to seven of them, codes `6 * suit + number - 1` with the suits in the order red,
    black, white, yellow (H28). Raises `InvalidInput` naming up to 100 impossible rows or all
    invalid house rules, and `ValueError` for a variant of another kind.
    """
    from service.batch.outcomes import named_outcomes

    outcomes = named_outcomes(variant, house_rules, "rank_hands")
    numbers = _outcome_numbers(outcomes, hands)
    rank, strength = outcomes.columns
    return Ranked(rank.words, rank.of(numbers), strength.of(numbers))


def score_rolls(variant: str, rolls: ArrayLike, **house_rules: Any) -> dict[str, NDArray[np.int16]]:
    """Scores `rolls` in every box of `variant`, such as `dice-poker` or `yahtzee-deluxe`.

    `rolls` is an array of whole numbers from 1 to 6 of shape (rolls, dice). Returns an int16 array
    for each box, in card order. Raises what `rank_hands` raises.
    """
    from service.batch.outcomes import named_outcomes

    outcomes = named_outcomes(variant, house_rules, "score_rolls")
    numbers = _outcome_numbers(outcomes, rolls)
    return {column.name: column.of(numbers) for column in outcomes.columns}


def _outcome_numbers(outcomes: Outcomes, hands: ArrayLike) -> NDArray[np.intp]:
    """The number of the outcome of each of `hands`."""
    array, sizes = np.asarray(hands), outcomes.sizes
    if array.dtype.kind == "U" and outcomes.dice.names:
        written, array = array, np.zeros(array.shape, np.int16)  # 0 where there is no such name
        for number, name in enumerate(outcomes.dice.names, start=1):
            array[written == name] = number
    if array.ndim != 2 or array.shape[1] not in sizes or array.dtype.kind not in "iu":
        cast = "; cast them with .to_numpy(np.uint8)" if hasattr(hands, "to_numpy") else ""
        raise ValueError(
            f"hands must be whole numbers of shape (hands, {any_of(sizes)}), "
            f"not {array.dtype} of {array.shape}{cast if array.dtype.kind == 'O' else ''}"
        )
    rows: Hands = np.where((array < 0) | (array > 255), 255, array).astype(np.uint8)
    numbers = outcomes.of(rows)
    refusals = outcomes.refusals(rows, numbers)
    if refusals:
        raise InvalidInput(
            *(Violation((row, *violation.path), violation.detail) for row, violation in refusals),
            omitted=len(numbers) - int(np.count_nonzero(numbers)) - len(refusals),
        )
    return numbers.astype(np.intp)


def score_batches(
    variant: str, batches: Iterable[pa.RecordBatch] | pa.Table | pa.RecordBatch, **house_rules: Any
) -> Iterator[pa.RecordBatch]:
    """Scores `batches` by the rules of `variant`, such as `dice-poker` or `poker-dice`.

    They may also be a single batch, or a table of pyarrow, polars or another library that exports
    Arrow streams (`__arrow_c_stream__`).

    All batches have the same columns. Their hands are in a column `dice`, as text or lists of dice,
    or in columns `die_1`, `die_2` and so on; all have as many dice as the first. Yields each batch
    with its own columns and then `rank` and `strength`, or a column for each box of the score card.
    A game of layouts, such as `roll-a-royal`, has its turns in a column `rolls` instead, as lists
    of lists of faces or as JSON text, and the answers `points`, `hands`, `layout` and `proven`.
    Only one batch is held at a time. Views and run ends come out as what they stand for.

    Raises `ValueError` for a variant that isn't scored in tables, and `InvalidInput` naming all
    invalid house rules. Iterating raises `WrongColumns` if no column holds hands, two have one name
    or the columns change, and `BadRows` naming up to 100 rows of a batch without a valid hand. All
    three are kinds of `ValueError`. For anything but record batches, it raises `TypeError`.
    """
    from service.batch.outcomes import table_game

    return _scored(*table_game(variant, house_rules), batches)


def _scored(
    variant: Any, rules: Any, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yields the answers; pyarrow, an optional part, is imported when something is scored."""
    import pyarrow as pa

    from service.batch.plain import plain_batch, plain_schema
    from service.batch.record_batches import scorer_of

    # a reader is iterated itself, as the errors of its source would become those of a stream
    if hasattr(batches, "__arrow_c_stream__") and not isinstance(batches, pa.RecordBatchReader):
        batches = pa.RecordBatchReader.from_stream(batches)
    scorer = None
    for batch in batches:
        if not isinstance(batch, pa.RecordBatch):
            kind = f"{type(batch).__module__}.{type(batch).__qualname__}"
            raise TypeError(f"batches must be record batches of pyarrow, or a table, not {kind}")
        if scorer is None:
            columns, plain = batch.schema, plain_schema(batch.schema)
            twice = [name for name, count in Counter(columns.names).items() if count > 1]
            if twice:
                raise WrongColumns(f"it has two columns {twice[0]!r}")
            scorer = scorer_of(variant, rules, plain)
        elif not batch.schema.equals(columns):
            raise WrongColumns(f"its columns change, from {columns.names} to {batch.schema.names}")
        yield scorer.score(batch if plain is columns else plain_batch(batch, plain))
