"""Many hands at once, on NumPy arrays.

    >>> from service.batch import rank_hands, score_rolls
    >>> rank_hands("poker-dice", [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]]).ranks()
    ['small_straight', 'full_house']
    >>> score_rolls("dice-poker", [[1, 2, 3, 4, 6], [5, 5, 5, 2, 2]])["full_house"]
    array([ 0, 25], dtype=int16)

The results are those of `evaluate`; they come from the same tables.
"""

from __future__ import annotations

from service.batch.arrays import Ranked, rank_hands, score_rolls

__all__ = ["Ranked", "rank_hands", "score_rolls"]
