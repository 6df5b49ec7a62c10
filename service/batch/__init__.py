"""Many hands at once, in NumPy arrays or Arrow record batches.

    >>> from service.batch import rank_hands, score_rolls
    >>> rank_hands("poker-dice", [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]]).ranks()
    ['small_straight', 'full_house']
    >>> score_rolls("dice-poker", [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]])["full_house"]
    array([ 0, 25], dtype=int16)

`score_batches` does the same for Arrow record batches, as engines such as Spark and Ray hand them
out. The results are those of `evaluate`; they come from the same tables.
"""

from __future__ import annotations

from service.batch.arrays import Ranked, rank_hands, score_rolls
from service.batch.record_batches import score_batches

__all__ = ["Ranked", "rank_hands", "score_batches", "score_rolls"]
