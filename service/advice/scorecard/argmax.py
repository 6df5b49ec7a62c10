"""Values that say which row they come from, so that their maximum says which row is the best.

The number of the row is in the lowest bits of each value. Positive floats are in the order of their
bits, so tagged values are in the order of the values, and equal ones in that of the rows. A tag
changes a value by 10^-13 of itself at most. Tagged values are only used to choose: what is chosen
is taken from the exact values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def mask_of(rows: int) -> int:
    """The bits that the numbers of `rows` take."""
    return (1 << (rows - 1).bit_length()) - 1


def tag(values: Values) -> Values:
    """A copy of `values`, which aren't negative, with the number of its row in each."""
    copy = values.copy()
    bits = copy.view(np.int64)
    bits &= ~mask_of(len(values))
    bits |= np.arange(len(values)).reshape(-1, *(1,) * (values.ndim - 1))
    return copy


def rows_of(values: Values, rows: int) -> NDArray[np.intp]:
    """The row that each of the tagged `values` comes from, of an array that has `rows` rows."""
    return values.view(np.int64) & mask_of(rows)
