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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


class WrongColumns(ValueError):
    """The columns of a table that can't be scored. The message continues "it can't be scored:"."""


class BadRows(ValueError):
    """Rows without a valid hand: how many there are in a batch, and what is wrong with the first.

    `violations` has one for each of the first rows. Its path begins with the number of the row,
    counted from 0 over all batches, and goes on to the value: `(3, "dice", 4)`, `(3, "die_5")`.
    `omitted` is how many rows have none. `seen` is how many rows there are up to the end of the
    batch. A row should have held `one`.
    """

    def __init__(self, count: int, seen: int, violations: Sequence[Violation], one: str) -> None:
        self.count, self.seen, self.violations, self.one = count, seen, tuple(violations), one
        self.omitted = count - len(violations)
        row, reason = self.reasons[0]
        super().__init__(f"{self.summary()}; row {row}: {reason}")

    def summary(self, since: str = "") -> str:
        """How many rows are bad, of which: those `since` a row such as " from row 7"."""
        have = "has" if self.count == 1 else "have"
        return (
            f"{self.count} of the first {self.seen} rows{since} (row 0 is the first) {have} no "
            f"valid {self.one}"
        )

    @property
    def reasons(self) -> list[tuple[int, str]]:
        """The number of each row in `violations`, and what is wrong there as text."""
        found = []
        for violation in self.violations:
            row, column, *indexes = violation.path
            where = f"{column}{''.join(f'[{index}]' for index in indexes)}"
            found.append((int(row), f"{where} {violation.detail}"))
        return found


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
    if refused := outcomes.refused(rows, numbers):
        raise refused
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
