"""Arranges several groups of lines on one sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from service.kinds.layout.solver.grid import SHAPES_KEPT, Places

Footprint = tuple[int, ...]
"""The cells of a group: for each row, its columns as a mask."""


def footprint(places: Places) -> Footprint:
    """The cells of lines that start at row and column 0."""
    cells = [cell for segment in places for cell in segment.cells()]
    rows = [0] * (1 + max(row for row, _ in cells))
    for row, column in cells:
        rows[row] |= 1 << column
    return tuple(rows)


@lru_cache(SHAPES_KEPT)
def arrange(footprints: tuple[Footprint, ...]) -> tuple[tuple[int, int], ...]:
    """The row and column of each group, so that none touch, on a small sheet.

    The largest group comes first; each of the others goes where the sheet grows least.
    """
    order = sorted(range(len(footprints)), key=lambda i: (-_cells(footprints[i]), i))
    positions = [(0, 0)] * len(footprints)
    taken: list[int] = []
    height = width = 0
    for group in order:
        rows = footprints[group]
        deep, wide = len(rows), max(rows).bit_length()
        _, row, column = min(
            (_size(max(height, row + deep), max(width, column + wide)), row, column)
            for row, column in _spots(taken, rows, height, width)
        )
        positions[group] = row, column
        height, width = max(height, row + deep), max(width, column + wide)
        taken += [0] * (height - len(taken))
        for offset, columns in enumerate(rows):
            taken[row + offset] |= columns << column
    return tuple(positions)


def _size(height: int, width: int) -> tuple[int, int]:
    """A sort key: small sheets first, then nearly square ones, which are easy to read."""
    return height * width, abs(height - width)


def _spots(
    taken: Sequence[int], rows: Footprint, height: int, width: int
) -> Iterator[tuple[int, int]]:
    """The places where a group of `rows` touches no taken cell, up to just outside the sheet."""
    near = [0] * (height + 1 + len(rows) + 1)
    for row, columns in enumerate(taken):
        near[row] |= columns | columns << 1 | columns >> 1
        near[row + 1] |= columns
        if row:
            near[row - 1] |= columns
    for row in range(height + 2 if height else 1):
        for column in range(width + 2 if width else 1):
            if not any(
                row + offset < len(near) and columns << column & near[row + offset]
                for offset, columns in enumerate(rows)
            ):
                yield row, column


def _cells(rows: Footprint) -> int:
    return sum(columns.bit_count() for columns in rows)
